"""The benchmark: what it measures becomes a table."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / program), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_two_runs_become_a_table_of_their_bounds(tmp_path: Path) -> None:
    runs = [str(tmp_path / name) for name in ("one.json", "other.json")]
    for path in runs:
        done = run("run.py", "call", "--rounds", "2", "--threads", "1", "--json", path)
        assert done.returncode == 0, done.stderr
        assert "1,000 calls of linear 64 x 64, batch 1" in done.stdout
    written = tmp_path / "RESULTS.md"
    assert run("table.py", *runs, "--output", str(written)).returncode == 0
    title, _, details, _, *table = written.read_text().strip().splitlines()
    assert title.startswith("## ") and "threads 1" in details
    assert table[0] == "|  | arm | over | bound | run 1 | run 2 |  |"
    cells = [line.split(" | ")[1:4] for line in table[2:]]
    assert cells == [[arm, "float32", "0.25"] for arm in ("mxint8 x mxint8", "float32 x mxint8")]


def test_an_unknown_case_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["run.py", "everything"])
    with pytest.raises(SystemExit, match="^error: WHAT must be of dequantize, "):
        importlib.import_module("run").main()  # of bench

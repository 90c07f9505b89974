"""Each missing native dependency is named with the packages that provide it."""

import subprocess
from pathlib import Path

from tests.jobs.programs import run


def check_system(**environment: str) -> subprocess.CompletedProcess[str]:
    return run("check_system.py", **environment)


def test_a_complete_machine_gets_no_message() -> None:
    done = check_system()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_missing_compiler_is_named_with_its_packages() -> None:
    done = check_system(CXX="no-such-compiler")
    assert done.returncode == 1
    assert "no-such-compiler" in done.stderr
    assert "apt: g++; conda-forge: cxx-compiler" in done.stderr


def test_missing_pango_is_named_with_its_packages(tmp_path: Path) -> None:
    # Pango cannot be hidden from a single process; this weasyprint fails as the real one does.
    (tmp_path / "weasyprint.py").write_text("raise OSError('cannot load library pango')\n")
    done = check_system(PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert "cannot load library pango" in done.stderr
    assert "libpango-1.0-0" in done.stderr and "conda-forge: pango" in done.stderr


def test_everything_missing_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "weasyprint.py").write_text("raise OSError('cannot load library pango')\n")
    done = check_system(PYTHONPATH=str(tmp_path), CXX="no-such-compiler")
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == ["missing", "missing"]

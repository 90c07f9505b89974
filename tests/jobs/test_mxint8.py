"""The programs of question 3 run at tiny sizes, and their records lead to verdicts."""

import shlex
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from labs.analysis.mxint8.accuracy import values
from labs.claims.judge import claims_of
from labs.models import classifiers
from labs.records.reading import read
from tests.jobs import programs

TIMED = "--device cpu --processes 4 --budget 0 --rounds 1 --threads 1"


def run(program: str, arguments: str, build: Path | None) -> subprocess.CompletedProcess[str]:
    """Run a program, with a build of the package or without."""
    return programs.run(f"{program}.py", *shlex.split(arguments), PYTHONPATH=str(build or ""))


def verdicts(program: str, arguments: str, build: Path, folder: Path) -> dict[str, str]:
    """Run a program; return the verdicts on its record, by claim id without the experiment."""
    done = run(program, f"{arguments} --output {folder / 'record.json'}", build)
    assert done.returncode == 0, done.stderr
    record: dict[str, Any] = read(folder / "record.json")
    return {claim.id.split(".", 1)[1]: claim.verdict for claim in claims_of(record)}


def test_formulas(build: Path, tmp_path: Path) -> None:
    found = verdicts("measure_mxint8_formulas", "--device cpu", build, tmp_path)
    assert found == {
        "cpu.bit-decides": "confirmed",
        "cpu.one-line": "confirmed",
        "cpu.six-fraction-bits": "confirmed",
        "cpu.bias-smallest": "refuted",
        "cpu.formula-exact": "refuted",
        "cpu.causes-known": "confirmed",
        "cpu.package-exact": "confirmed",
        "cpu.bfloat16-first": "confirmed",
        "cpu.encoder-exact": "confirmed",
        "cpu.ceil-saturates": "confirmed",
        "cpu.ceil-worse": "refuted",
    }


def test_linear_layers_whose_last_group_is_incomplete(build: Path, tmp_path: Path) -> None:
    arguments = f"--shape 70 40 --batches 1 3 --group-size 32 {TIMED}"
    found = verdicts("measure_mxint8_linear", arguments, build, tmp_path)
    assert found["cpu.integers"] == "confirmed"
    assert found["cpu.error-small"] == "confirmed"
    assert set(found.values()) <= {"confirmed", "refuted", "undecided"}


def test_memory(build: Path, tmp_path: Path) -> None:
    arguments = "--models deberta-v3-small --group-size 32 --device cpu"
    found = verdicts("measure_mxint8_memory", arguments, build, tmp_path)
    small = {name: verdict for name, verdict in found.items() if "v3-small" in name}
    confirmed = {name.split(".")[-1] for name, verdict in small.items() if verdict == "confirmed"}
    of_tensors = {"as-predicted", "embeddings-lose-most", "encoder-quantized"}
    assert confirmed == of_tensors | {"in-place", "loop-holds-both", "decoding-costs"}
    assert {verdict for name, verdict in found.items() if name not in small} == {"not measured"}


def test_kernels(build: Path, tmp_path: Path) -> None:
    arguments = f"--elements 10007 --group-sizes 8 100 {TIMED}"
    found = verdicts("measure_mxint8_kernels", arguments, build, tmp_path)
    assert found["cpu.near-copy"] in ("confirmed", "refuted", "undecided")


def test_partition(build: Path, tmp_path: Path) -> None:
    program = build / "mxint_cuda" / "cute_partition"
    arguments = f"--program {program} --group-sizes 8 32 --elements 5000 --device cpu"
    found = verdicts("measure_mxint8_partition", arguments, build, tmp_path)
    expected = "confirmed" if program.exists() else "not measured"
    assert set(found.values()) == {expected}


def test_a_build_without_the_partition_is_recorded_as_such(tmp_path: Path) -> None:
    arguments = f"--program {tmp_path}/none --group-sizes 8 --elements 10 --device cpu"
    found = verdicts("measure_mxint8_partition", arguments, tmp_path, tmp_path)
    assert set(found.values()) == {"not measured"}
    status = read(tmp_path / "record.json")["status"]
    assert status.startswith("not measured: mxint_cuda was built without cute_partition")


def test_accuracy(build: Path, tmp_path: Path) -> None:
    classifiers.save(classifiers.bert_tiny(seed=1), tmp_path / "model.safetensors")
    tokens = {"tokens": [[101, 5, 102]] * 8, "label": [0, 1] * 4, "split": ["test"] * 8}
    parquet.write_table(pa.table(tokens), tmp_path / "tokens.parquet")
    arguments = (
        f"--model {tmp_path}/model.safetensors --tokens {tmp_path}/tokens.parquet "
        "--max-length 8 --held-out all --group-size 32 --device cpu"
    )
    verdicts("measure_mxint8_accuracy", arguments, build, tmp_path)
    found = values(read(tmp_path / "record.json"))
    # All reviews are equal, so all or none change.
    assert found["mxint8_accuracy.weights.changed"].estimate.value in (0, 8)


@pytest.mark.parametrize("program", ["formulas", "accuracy"])
def test_without_the_package_one_line_says_how_to_build_it(program: str, tmp_path: Path) -> None:
    of_a_model = "--model m --tokens t --max-length 8 --held-out all --group-size 32"
    arguments = "--device cpu " + (of_a_model if program == "accuracy" else "")
    output = tmp_path / "record.json"
    done = run(f"measure_mxint8_{program}", f"{arguments} --output {output}", None)
    assert done.returncode == 1
    assert done.stderr.startswith("error: the package mxint_cuda cannot be used (")
    assert "snakemake --cores 4 results/build/manifest.json" in done.stderr
    assert not output.exists()

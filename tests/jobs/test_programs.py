"""Every program runs on its own, explains itself, and says in one line what is wrong."""

import json
import os
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from labs.records.reading import read
from labs.records.record import write
from labs.setup.durations import Run, duration_file, read_run, write_run
from labs.setup.sources import digest_of
from tests.jobs.programs import ROOT, run
from tests.unit import kept

PROGRAMS = sorted(path.name for path in (ROOT / "scripts").glob("*.py"))
FUSION = shlex.split(
    "--shape 2 2 8 8 --lengths 8 --sweep-batch 1 --dtypes float32 --counts 5 "
    "--linear-shape 8 8 8 --linear-dtypes float32 --rounds 1 --budget 0"
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_explains_the_program_and_its_arguments(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ROOT / "scripts" / program
    monkeypatch.setattr("sys.argv", [str(path), "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(path), run_name="__main__")
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: {program}")
    first = path.read_text().split('"""')[1].split("\n")[0]
    assert first.split(":")[0] in " ".join(said.split())


def test_a_program_with_other_code_than_planned_is_not_run(tmp_path: Path) -> None:
    log = str(tmp_path / "job.log")
    write_run(Run([], 0, 1), log)
    program = "scripts/summarize.py"
    job = (log, "0123456789abcdef", program, program, "--report-dir", ".")
    done = run("run_unchanged.py", *job)
    assert done.returncode == 1
    assert done.stderr == (
        "error: the code of scripts/summarize.py has changed since it was planned; "
        "run the same command again\n"
    )
    assert done.stdout == ""
    assert read_run(duration_file(log)) is None


def test_a_job_that_ends_well_keeps_how_long_it_took_until_it_starts_again(tmp_path: Path) -> None:
    log = str(tmp_path / "job.log")
    program = ["scripts/record_absence.py", "--experiment", "fusion", "--device", "cuda"]
    program += ["--reason", "two words", "--output", str(tmp_path / "record.json")]
    given = (log, digest_of(program[0]), program[0])
    assert run("run_unchanged.py", *given, *program).returncode == 0
    kept = read_run(duration_file(log))
    assert kept and kept.command == program and 0 < kept.seconds < 60
    assert run("run_unchanged.py", *given, *program[:2]).returncode == 2
    assert read_run(duration_file(log)) is None


@pytest.mark.skipif("__import__('torch').cuda.is_available()", reason="there is a CUDA device")
def test_measuring_on_an_absent_device_is_refused_with_the_remedy(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    arguments = ["--device", "cuda", "--processes", "4", "--output", str(record)]
    done = run("run_experiment.py", "fusion", *FUSION, *arguments)
    assert done.returncode == 1
    assert done.stderr.startswith("error: --device cuda, but torch ")
    assert "; set devices: [cpu] in config.yaml, or install" in done.stderr
    assert "Traceback" not in done.stderr
    assert not record.exists()


@pytest.mark.skipif("__import__('torch').cuda.is_available()", reason="there is a CUDA device")
def test_a_device_of_auto_that_torch_cannot_use_is_recorded_as_such(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    arguments = ["--device", "cuda", "--without-cuda", "skip", "--processes", "4"]
    done = run("run_experiment.py", "fusion", *FUSION, *arguments, "--output", record)
    assert done.returncode == 0, done.stderr
    reason = "not measured: an NVIDIA GPU is there, but torch "
    assert read(record)["status"].startswith(reason)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--processes 3", "--processes: '3' is not a whole number from 4 to 1000"),
        ("--shape 2 2 8", "--shape: ['2', '2', '8'] is not four whole numbers from 1 to 65536"),
        ("--dtypes float8", "--dtypes: ['float8'] is not a list of different ones among float32"),
    ],
)
def test_what_the_config_does_not_allow_is_refused(words: str, told: str) -> None:
    done = run("run_experiment.py", "fusion", *words.split())
    assert done.returncode == 2
    assert told in done.stderr


def test_a_partial_run_does_not_call_an_older_report_its_own(tmp_path: Path) -> None:
    record = tmp_path / "records" / "fusion" / "cpu.json"
    claims = tmp_path / "report" / "claims.json"
    assert "No report yet" in run("summarize.py", "--report-dir", str(claims.parent)).stdout
    for path in (record, claims):
        path.parent.mkdir(parents=True)
        path.write_text("[]")
    os.utime(claims, (0, 0))
    done = run("summarize.py", "--report-dir", str(claims.parent))
    assert done.stdout == (
        "Only part of the report was requested: it does not show 1 newer record(s).\n"
    )
    os.utime(record, (0, 0))
    assert "Questions answered" in run("summarize.py", "--report-dir", str(claims.parent)).stdout


def test_the_summary_counts_the_claims_of_this_machine_alone(tmp_path: Path) -> None:
    here = next(iter(kept.judged(kept.RECORDS["graphs"]).values())).as_row()
    elsewhere = here | {"machine": "another one"}
    (tmp_path / "claims.json").write_text(json.dumps([here, elsewhere, elsewhere]))
    said = run("summarize.py", "--report-dir", str(tmp_path)).stdout
    assert said.endswith(f"Claims: 1 {here['verdict']}\n")


def test_claims_from_another_machine_carry_its_name(tmp_path: Path) -> None:
    mine = tmp_path / "records" / "fusion" / "cpu.json"
    theirs = tmp_path / "report" / "machines" / "big node" / "records" / "fusion" / "cpu.json"
    for path in (mine, theirs):
        write(kept.record("fusion/cpu"), path)
    output = tmp_path / "claims.json"
    program = [sys.executable, str(ROOT / "scripts" / "evaluate_records.py")]
    outputs = ["--claims", str(output), "--tables", "tables"]

    def evaluate(recorded: Path) -> subprocess.CompletedProcess[str]:
        words = ["--records", str(mine), "--recorded", str(recorded), *outputs]
        return subprocess.run([*program, *words], cwd=tmp_path, capture_output=True, text=True)

    done = evaluate(theirs)
    assert done.returncode == 0, done.stderr
    machines = {row["evidence"]: row["machine"] for row in json.loads(output.read_text())}
    assert machines == {
        "records/fusion/cpu.json": "this machine",
        "report/machines/big node/records/fusion/cpu.json": "big node",
    }
    done = evaluate(mine)
    assert done.stderr == f"error: {mine} must lie in report/machines/<its machine>\n"


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text('{"experiment": "fusion"}')
    outputs = ["--claims", "claims.json", "--tables", "tables"]
    done = run("evaluate_records.py", "--records", str(record), *outputs)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {record}: field the record: ")
    assert "Traceback" not in done.stderr


def without_package(experiment: str, arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an experiment of question 3 that finds no package."""
    words = (f"mxint8/{experiment}", *shlex.split(arguments))
    return run("run_experiment.py", *words, PYTHONPATH="")


def test_a_build_without_the_partition_is_recorded_as_such(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    sizes = "--group-sizes 8 --elements 10 --device cpu"
    done = without_package("partition", f"--program {tmp_path}/none {sizes} --output {record}")
    assert done.returncode == 0, done.stderr
    reason = "not measured: mxint_cuda was built without cute_partition"
    assert read(record)["status"].startswith(reason)


@pytest.mark.parametrize("program", ["formulas", "accuracy"])
def test_without_the_package_one_line_says_how_to_build_it(program: str, tmp_path: Path) -> None:
    of_a_model = "--model m --tokens t --max-length 8 --held-out all --group-size 32"
    arguments = "--device cpu " + (of_a_model if program == "accuracy" else "")
    output = tmp_path / "record.json"
    done = without_package(program, f"{arguments} --output {output}")
    assert done.returncode == 1
    assert done.stderr.startswith("error: the package mxint_cuda cannot be used (")
    assert "snakemake --cores 4 results/build/manifest.json" in done.stderr
    assert not output.exists()


def test_each_native_dependency_that_is_missing_is_named_with_its_packages(tmp_path: Path) -> None:
    done = run("check_system.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    # Pango cannot be hidden from a single process; this weasyprint fails as the real one does.
    (tmp_path / "weasyprint.py").write_text("raise OSError('cannot load library pango')\n")
    done = run("check_system.py", PYTHONPATH=str(tmp_path), CXX="no-such-compiler")
    assert done.returncode == 1
    pango, compiler = done.stderr.splitlines()
    assert pango.startswith("missing: ") and "cannot load library pango" in pango
    assert "libpango-1.0-0" in pango and "conda-forge: pango" in pango
    assert compiler.startswith("missing: ") and "no-such-compiler" in compiler
    assert compiler.endswith("apt: g++; conda-forge: cxx-compiler")


def test_what_no_record_of_a_preset_needs_is_listed_then_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "studies" / "evaluations"
    folder.mkdir(parents=True)
    for name in ("of-quick", "of-full", "of-none"):
        (folder / f"{name}.json").write_text("{}")
    (folder.parent / "killed.checkpoint").write_text("")
    record = kept.record("fusion/cpu")
    write(record | {"evaluations": ["of-quick"]}, tmp_path / "quick" / "records" / "fusion.json")
    part = tmp_path / "full" / "parts" / "fusion" / "0.json"
    write(record | {"evaluations": ["of-full", "of-quick"]}, part)
    command = ("unneeded_points.py", "--results", tmp_path)
    assert run(*command).stdout == (
        f"      2\u202fB  {folder}/of-none.json\n"
        f"      0\u202fB  {folder.parent}/killed.checkpoint\n"
        "Files that no record of any preset needs: 2, 2\u202fB\n"
    )
    assert run(*command, "--delete").stdout.endswith("They are deleted.\n")
    assert {path.stem for path in folder.iterdir()} == {"of-quick", "of-full"}
    part.write_text("{")
    assert "0.json: is not JSON" in run(*command, "--delete").stderr
    part.unlink()
    run(*command, "--delete")
    assert {path.stem for path in folder.iterdir()} == {"of-quick"}

"""A wrong config stops the real Snakemake before any job, with one line and no traceback."""

import json
import re
from pathlib import Path

import pytest

from tests.checkout import SMOKE, Checkout


def refusal(fresh: Checkout, *arguments: str) -> str:
    """What Snakemake prints about a wrong config."""
    done = fresh.run("snakemake", "--cores", "1", *arguments)
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    lines = [line for line in done.stdout.splitlines() if "config" in line and " file " not in line]
    assert len(lines) == 1, done.stdout
    assert not (fresh.folder / "results").exists()
    return lines[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("presets: {full: {rounds: 0}}\n", "config: presets.full.rounds is 0; allowed: "),
        ("seed: 7\nseed: 8\n", "{mine}: line 2, column 1: the key seed is given twice"),
    ],
)
def test_a_second_file_is_checked(fresh: Checkout, tmp_path: Path, text: str, told: str) -> None:
    mine = tmp_path / "config.mine.yaml"
    mine.write_text(text)
    assert refusal(fresh, "-n", "--configfile", str(mine)).startswith(told.format(mine=mine))


def test_a_second_file_that_cannot_be_read_makes_no_draft(fresh: Checkout, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_bytes("# café\nseed: 7\n".encode("latin-1"))
    for name, fault in (("mine.yaml", "byte 6 is not UTF-8"), ("none.yaml", "cannot be read")):
        mine = ("--configfile", str(tmp_path / name))
        said = fresh.run("python", "scripts/make_draft.py", *mine).stdout
        assert said.startswith(f"{tmp_path / name}: {fault}") and len(said.splitlines()) == 1


def test_a_temporary_folder_that_compilers_cannot_use(fresh: Checkout, tmp_path: Path) -> None:
    (tmp_path / "it's mine").mkdir()
    done = fresh.run("snakemake", "-n", TMPDIR=str(tmp_path / "it's mine"))
    assert "the path of the temporary folder" in done.stdout.splitlines()[-1]
    assert "set TMPDIR to a path of letters" in done.stdout and "Traceback" not in done.stdout


def test_memory_that_is_lacking_is_needed_by_what_runs_and_not_to_plan(fresh: Checkout) -> None:
    memory = "presets={quick: {fusion: {job-memory: 1000000}}}"
    said = refusal(fresh, "-n", "--config", memory)
    told = "config: presets.quick.fusion.job-memory is 1000000 MB, but this machine has"
    assert said.startswith(told)
    done = fresh.run("python", "scripts/estimate.py", "--cores", "2", "--config", memory)
    assert done.stdout.startswith("Jobs: "), done.stdout


def test_yaml_that_does_not_parse(fresh: Checkout) -> None:
    with fresh.edited("\nseed: [1\n", "config.yaml"):
        assert refusal(fresh).startswith("config.yaml: line ")


def test_settings_are_printed_unless_one_is_wrong(fresh: Checkout) -> None:
    done = fresh.run("python", "scripts/show_settings.py")
    assert done.returncode == 0, done.stdout
    assert "presets.*." in done.stdout
    with fresh.edited("\nsede: 7\n", "config.yaml"):
        done = fresh.run("python", "scripts/show_settings.py")
    assert done.returncode == 1
    assert done.stdout.startswith("config: sede (given as 7) is no known key; did you mean seed?")


PRESETS = {"smoke", "quick", "standard", "full"}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_preset_alone_plans_its_own_jobs(fresh: Checkout, tmp_path: Path, preset: str) -> None:
    (tmp_path / "mine.yaml").write_text(f"preset: {preset}\n")
    options = ("--configfile", str(tmp_path / "mine.yaml"), "--logger", "labs")
    jobs = tmp_path / "jobs"
    command = ("snakemake", "-n", *options, "--logger-labs-jobs", str(jobs))
    done = fresh.run(*command, PYTHONPATH="scripts", LABS_NO_MEASURING="yes")
    assert done.returncode == 0, done.stdout
    for other in PRESETS - {preset}:
        assert f"results/{other}/" not in done.stdout
    planned = [json.loads(line) for line in jobs.read_text().splitlines()]
    (targets,) = (set(job["input"]) for job in planned if job["rule_name"] == "all")
    assert f"results/{preset}/report/report.pdf" in targets
    # All results are targets: one that is deleted is made again, whatever was made of it.
    others = {path for job in planned for path in job["output"]} - targets
    assert all(path.startswith(("results/data/", f"results/{preset}/models/")) for path in others)


def test_a_setting_within_another_is_a_number_on_the_command_line_too(fresh: Checkout) -> None:
    given = "presets={smoke: {chains: 2, compression: {learning-rates: [1e-3]}}}"
    done = fresh.run("snakemake", "-n", *SMOKE, given)
    assert done.returncode == 0, done.stdout
    assert "parts/pruning/1.json" in done.stdout
    wrong = "presets={smoke: {chains: two}}"
    assert "chains is 'two'; allowed: a whole number" in refusal(fresh, "--config", wrong)


CUDA = "results/smoke/records/fusion/cuda.json"


def test_a_device_that_is_not_named_is_absent_whatever_was_decided_before(fresh: Checkout) -> None:
    assert fresh.planned(CUDA, LABS_DEVICES="cpu,cuda") == {"record_absence": 1}


def test_the_snakemake_of_a_remote_job_takes_the_decision(fresh: Checkout) -> None:
    given = {"LABS_DEVICES": "cpu,cuda", "LABS_COMMAND": "snakemake --cores 1"}
    planned = fresh.planned(CUDA, "--mode", "remote", **given)
    assert planned == {"measure_fusion": 1}


def test_the_decision_is_among_the_variables_that_remote_jobs_get(fresh: Checkout) -> None:
    rules = (fresh.folder / "workflow" / "rules" / "common.smk").read_text()
    assert 'envvars:\n    "LABS_DEVICES",\n' in rules


def test_named_devices_are_measured_even_if_this_machine_lacks_them(fresh: Checkout) -> None:
    done = fresh.run("snakemake", "-n", CUDA, "--config", "preset=smoke", "devices=[cpu, cuda]")
    assert "measure_fusion" in done.stdout
    assert "record_absence" not in done.stdout


CONDA = """#!/bin/sh
case $1 in
  info) echo '{"conda_version": "25.1.0", "conda_prefix": "/", "platform": "linux-64"}' ;;
  config) echo '{"get": {"channel_priority": "strict"}}' ;;
  *) echo conda 25.1.0 ;;
esac
"""


def test_under_conda_each_job_asks_its_own_torch(fresh: Checkout, tmp_path: Path) -> None:
    conda = tmp_path / "conda"
    conda.write_text(CONDA)
    conda.chmod(0o755)
    trained = "results/smoke/records/base_model.json"
    command = ("snakemake", "-n", "-p", "--use-conda", CUDA, trained, *SMOKE)
    done = fresh.run(*command, PATH=f"{tmp_path}:{fresh.environment['PATH']}")
    assert done.returncode == 0, done.stdout
    assert re.search(r" fusion .*--device cuda .*--without-cuda skip", done.stdout)
    assert re.search(r" base_model .*--device cuda --without-cuda cpu", done.stdout)

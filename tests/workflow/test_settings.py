"""A wrong config stops the real Snakemake before any job, with one line and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflow.checkout import Checkout


def refusal(fresh: Checkout, *arguments: str) -> str:
    """What Snakemake prints about a wrong config."""
    done = fresh.run("snakemake", "--cores", "1", *arguments)
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    lines = [line for line in done.stdout.splitlines() if "config" in line and " file " not in line]
    assert len(lines) == 1, done.stdout
    assert not (fresh.folder / "results").exists()
    return lines[0]


def test_a_preset_that_does_not_exist(fresh: Checkout) -> None:
    assert refusal(fresh, "--config", "preset=huge") == (
        "config: preset is 'huge'; allowed: smoke, quick or full"
    )


def test_a_wrong_type(fresh: Checkout) -> None:
    assert refusal(fresh, "--config", "seed=seven").startswith("config: seed is 'seven'; allowed: ")


def test_an_unknown_key(fresh: Checkout) -> None:
    assert "sede (given as 7) is no known key; did you mean seed?" in refusal(
        fresh, "--config", "sede=7"
    )


def test_an_impossible_value_in_a_second_config_file(fresh: Checkout, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("presets: {full: {fusion: {shape: [32, 8, 0, 64]}}}\n")
    assert "presets.full.fusion.shape[2] is 0; allowed: " in refusal(
        fresh, "--configfile", str(mine)
    )


def test_memory_that_this_machine_lacks(fresh: Checkout) -> None:
    said = refusal(fresh, "-n", "--config", "presets={quick: {memory: {fusion: 1000000}}}")
    assert said.startswith(
        "config: presets.quick.memory.fusion is 1000000 MB, but this machine has"
    )


def test_yaml_that_does_not_parse(fresh: Checkout) -> None:
    with fresh.edited("config.yaml", "\nseed: [1\n"):
        assert refusal(fresh).startswith("config.yaml: line ")


def test_settings_are_printed_unless_one_is_wrong(fresh: Checkout) -> None:
    done = fresh.run("python", "scripts/show_settings.py")
    assert done.returncode == 0, done.stdout
    assert "presets.*." in done.stdout
    with fresh.edited("config.yaml", "\nsede: 7\n"):
        done = fresh.run("python", "scripts/show_settings.py")
    assert done.returncode == 1
    assert done.stdout.startswith("config: sede (given as 7) is no known key; did you mean seed?")


@pytest.mark.parametrize("preset", ["smoke", "quick", "full"])
def test_a_preset_plans_jobs_under_its_own_name_only(fresh: Checkout, preset: str) -> None:
    done = fresh.run("snakemake", "-n", "--config", f"preset={preset}")
    assert done.returncode == 0, done.stdout
    assert f"results/{preset}/report/report.pdf" in done.stdout
    for other in {"smoke", "quick", "full"} - {preset}:
        assert f"results/{other}/" not in done.stdout


def test_a_setting_within_another_is_a_number_on_the_command_line_too(fresh: Checkout) -> None:
    seeds = "presets={smoke: {compression: {seeds: 2, learning-rates: [1e-3]}}}"
    done = fresh.run("snakemake", "-n", "--config", "preset=smoke", seeds)
    assert done.returncode == 0, done.stdout
    assert "parts/pruning/l1.1.json" in done.stdout
    wrong = "presets={smoke: {compression: {seeds: two}}}"
    assert "seeds is 'two'; allowed: a whole number" in refusal(fresh, "--config", wrong)


def test_a_key_given_alone_in_a_second_config_file_is_enough(
    fresh: Checkout, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("preset: smoke\n")
    done = fresh.run("snakemake", "-n", "--configfile", str(mine))
    assert "results/smoke/report/report.pdf" in done.stdout

"""A device is measured or recorded as absent; remote jobs take the first Snakemake's decision."""

from tests.checkout import Checkout

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

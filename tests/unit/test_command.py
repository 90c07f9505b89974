"""Of the command that started Snakemake, what a rerun of one job needs, too."""

import shlex

import pytest

from labs.setup.command import command


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("--cores 4", "--cores 4"),
        ("-c4 --use-conda", "--cores 4 --use-conda"),
        ("--sdm conda -j 20", "--jobs 20 --software-deployment-method conda"),
        # What make adds, and targets, do not decide how a job runs.
        (
            "--cores 2 --config preset=quick --nolock --rerun-incomplete --no-hooks",
            "--cores 2 --config preset=quick",
        ),
        ("--cores 1 --forcerun a b -- results/x.pdf", "--cores 1"),
        (
            "--workflow-profile workflow/profiles/slurm --config 'devices=[cpu,cuda]' seed=7",
            "--workflow-profile workflow/profiles/slurm --config 'devices=[cpu,cuda]' seed=7",
        ),
        ("--configfile mine.yaml -C seed=7", "--configfile mine.yaml --config seed=7"),
    ],
)
def test_options_that_decide_how_a_job_runs_are_kept(given: str, kept: str) -> None:
    assert command(shlex.split(given)) == f"snakemake {kept}"

"""What Snakemake would do, as a dry run of it prints."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence


def dry_run(*options: str, config: Sequence[str] = (), files: Sequence[str] = ()) -> str:
    """Return what a dry run prints with these settings, the commands of all its jobs included.

    Ends this program with Snakemake's output where it cannot plan.
    """
    # The Snakemake beside this Python, which needs not be activated.
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--dry-run",
        "--printshellcmds",
        "--nolock",
        *options,
    ]
    command += ["--config", *config] if config else []
    command += ["--configfile", *files] if files else []
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(done.stdout)
    return done.stdout

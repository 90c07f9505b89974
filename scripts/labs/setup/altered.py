"""Results that were altered after a job had read them: damaged, or edited by hand."""

from __future__ import annotations

import hashlib
from pathlib import Path

from labs.setup.marks import begun, ended


def set_aside(kept: Path) -> list[str]:
    """Rename results that are not as the jobs that read them found them; return a line for each.

    What is not there any more is made again where it is needed, as every target is. ``kept`` is
    Snakemake's folder, in the folder of the project. It has the SHA-256 of what each job read, of
    files of up to a megabyte; larger ones say themselves that they are damaged when they are read.
    """
    lines = []
    for path in sorted(_altered(kept)):
        aside = path.with_name(f"{path.name}.altered")
        path.replace(aside)
        lines.append(
            f"{path} is not as it was made; it is kept as {aside.name}, and made again if needed"
        )
    return lines


def _altered(kept: Path) -> set[Path]:
    jobs = dict(ended(kept / "metadata"))
    # The outputs of a job that is running now may be newer than what is known of them.
    running = begun(kept)
    known = {
        (name, checksum)
        for job in jobs.values()
        for name, checksum in (job.get("input_checksums") or {}).items()
        if checksum
        and name in jobs
        and name not in running
        # Made again since, it may well be another.
        and (jobs[name].get("endtime") or 0) <= (job.get("starttime") or 0)
    }
    return {
        Path(name)
        for name, checksum in known
        if Path(name).exists() and _checksum(Path(name)) != checksum.removeprefix("sha256:")
    }


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none: a folder"

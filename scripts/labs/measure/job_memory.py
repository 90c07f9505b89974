"""How much memory a job may use at most: what the machine has, or what its container leaves it."""

import os
from collections.abc import Iterator
from pathlib import Path

GROUPS, MOUNT = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")


def job_memory() -> int:
    """Return the bytes of this machine's memory, or the lowest limit of the control groups that
    this process is in, as a container or SLURM sets them.
    """
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([machine, *limits(GROUPS, MOUNT)])


def limits(groups: Path, mount: Path) -> Iterator[int]:
    """Yield the limits of the groups in a file such as /proc/self/cgroup, and of those above them.

    Each line is ``number:controllers:path``; version 2 has no controllers (cgroups(7)).
    """
    for line in groups.read_text().splitlines() if groups.exists() else []:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        top, name = (
            (mount / "memory", "memory.limit_in_bytes") if controllers else (mount, "memory.max")
        )
        folder = top / path.lstrip("/")
        for group in (folder, *folder.parents):
            limit = group / name
            if group.is_relative_to(top) and limit.exists():
                text = limit.read_text().strip()
                if text.isdecimal():
                    yield int(text)

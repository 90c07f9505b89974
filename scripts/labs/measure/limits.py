"""What a job may use of its machine, which its affinity or a control group may limit.

A container, or SLURM, sets such a group (cgroups(7)).
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

GROUPS, MOUNT = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
MACHINE, AFFINITY, GROUP = "the machine", "affinity", "a control group"


@dataclass(frozen=True)
class Limit:
    """How much there is, and what decides it."""

    amount: float
    by: str


def cores(groups: Path = GROUPS, mount: Path = MOUNT) -> Limit:
    """Return how many cores this process may use, which of a group's quota may be a fraction."""
    machine = os.cpu_count() or 1
    usable = Limit(len(os.sched_getaffinity(0)), AFFINITY)
    quotas = (Limit(quota, GROUP) for quota in _quotas(groups, mount))
    return _least(Limit(machine, MACHINE), usable, *quotas)


def memory(groups: Path = GROUPS, mount: Path = MOUNT) -> Limit:
    """Return how many bytes of memory this process may use."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    names = ("memory.max", "memory.limit_in_bytes")
    files = (folder / name for folder in _folders("memory", groups, mount) for name in names)
    texts = [file.read_text().strip() for file in files if file.exists()]
    return _least(
        Limit(machine, MACHINE), *(Limit(int(text), GROUP) for text in texts if text.isdecimal())
    )


def _least(machine: Limit, *limits: Limit) -> Limit:
    """Return the lowest of the limits, or the machine's where they leave all of it."""
    return min((machine, *limits), key=lambda limit: limit.amount)


def _quotas(groups: Path, mount: Path) -> Iterator[float]:
    """Yield the cores that groups may use on average: microseconds of each period."""
    spellings = (["cpu.max"], ["cpu.cfs_quota_us", "cpu.cfs_period_us"])
    for folder, names in product(_folders("cpu", groups, mount), spellings):
        files = [folder / name for name in names]
        if all(file.exists() for file in files):
            quota, period = " ".join(file.read_text() for file in files).split()
            if quota.isdecimal():
                yield int(quota) / int(period)


def _folders(controller: str, groups: Path, mount: Path) -> Iterator[Path]:
    """Yield the folders of the groups in a file such as /proc/self/cgroup, and of those above them.

    Each line is ``number:controllers:path``; version 2 has no controllers.
    """
    for line in groups.read_text().splitlines() if groups.exists() else []:
        _, controllers, path = line.split(":", 2)
        if not controllers or controller in controllers.split(","):
            top = mount / controller if controllers else mount
            folder = top / path.lstrip("/")
            yield from (one for one in (folder, *folder.parents) if one.is_relative_to(top))

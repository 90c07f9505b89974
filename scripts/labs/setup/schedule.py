"""When jobs would end on nodes that are all alike: the events of a run, one after the other.

Nothing of a job is known but its cores, its files and its seconds. Nodes are assumed to be empty at
first and to have nobody else's jobs.
"""

from __future__ import annotations

import heapq
from bisect import insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from labs.setup.durations import Job

QUEUED, ENDED, LOOKED = range(3)
"""What happens: submitted jobs wait for cores, a job ends, Snakemake asks SLURM what has ended."""

LONGER_SECONDS, LONGEST_SECONDS = 10, 180
"""The SLURM plugin waits longer before it asks again whenever it sees that nothing has ended."""


@dataclass(frozen=True)
class Site:
    """Nodes with so many cores each, and what a job costs beside its own seconds.

    ``submitting`` is what each submission takes the machine on which Snakemake runs, ``starting``
    what a job takes on its node beside its command, ``dispatching`` what it takes there in addition
    if it is part of an array. ``asking`` is the shortest time between two
    looks at the queue; 0: every end is seen at once. So many jobs are submitted ``at_once``.
    The jobs of the rules in ``arrays`` that are ready together are one submission; those of the
    rules in ``local`` run where Snakemake does, at once. On a site that is ``queueing``, jobs start
    in the order of their submission, and one that waits keeps a node for itself; elsewhere they
    start in the order in which they are given, and those that fit overtake.
    """

    nodes: int
    cores: int
    submitting: float = 0.0
    starting: float = 0.0
    dispatching: float = 0.0
    asking: float = 0.0
    at_once: int = 10**9
    arrays: frozenset[str] = frozenset()
    local: frozenset[str] = frozenset()
    queueing: bool = False

    def taken(self, job: Job) -> float:
        """Return the seconds for which a job has its cores."""
        apart = self.dispatching if job.rule in self.arrays else 0.0
        return apart + self.starting + job.seconds

    def needed(self, job: Job) -> int:
        """Return the cores that a job takes of a node, which has no more than it has."""
        return min(job.cores or self.cores, self.cores)


def ideal_seconds(jobs: Sequence[Job], nodes: int, cores: int) -> float:
    """Return what no schedule can beat: all core-seconds on all cores, or the longest chain."""
    site = Site(nodes, cores)
    work = sum(job.seconds * site.needed(job) for job in jobs)
    needs = _needs(jobs)
    ends: dict[int, float] = {}
    for number in TopologicalSorter(dict(enumerate(needs))).static_order():
        ends[number] = jobs[number].seconds + max((ends[one] for one in needs[number]), default=0.0)
    return max([work / (nodes * cores), *ends.values()])


def wall_seconds(jobs: Sequence[Job], site: Site) -> float:
    """Return when the end of the last job is seen, in s. The jobs start in this order."""
    return _Run(jobs, site).seconds()


def _needs(jobs: Sequence[Job]) -> list[set[int]]:
    """Return for each job the places of those that make its inputs; other files are there."""
    makers = {output: number for number, job in enumerate(jobs) for output in job.outputs}
    return [{makers[name] for name in job.inputs if name in makers} for job in jobs]


class _Run:
    """The state of a run: what waits, what runs where, and what happens next."""

    def __init__(self, jobs: Sequence[Job], site: Site) -> None:
        self._jobs, self._site = jobs, site
        self._lacks = _needs(jobs)
        self._awaited = defaultdict[int, list[int]](list)
        for number, lacking in enumerate(self._lacks):
            for maker in lacking:
                self._awaited[maker].append(number)
        self._events: list[tuple[float, int, tuple[int, ...]]] = []
        # Jobs that could be submitted, and those that wait for cores: by place in their order.
        self._ready = [number for number, lacking in enumerate(self._lacks) if not lacking]
        self._queue: list[tuple[int, int]] = []
        self._free = [site.cores] * site.nodes
        self._places: dict[int, int] = {}
        self._latest = [0.0] * site.nodes
        self._unseen: list[int] = []
        self._submitted, self._submissions, self._submitter = 0, 0, 0.0
        self._wait = site.asking
        self._left = len(jobs)

    def seconds(self) -> float:
        """Return when the end of the last job is seen."""
        now = 0.0
        if self._site.asking:
            self._happens(self._wait, LOOKED)
        self._submit(now)
        while self._left:
            now, what, jobs = heapq.heappop(self._events)
            if what == QUEUED:
                self._submissions += 1
                order = self._submissions if self._site.queueing else 0
                for number in jobs:
                    insort(self._queue, (order, number))
            elif what == ENDED:
                self._end(now, jobs)
            else:
                self._look(now)
            # What happens at the same time happens before anything starts.
            if not self._events or self._events[0][0] > now:
                self._start(now)
        return now

    def _happens(self, when: float, what: int, *jobs: int) -> None:
        heapq.heappush(self._events, (when, what, jobs))

    def _end(self, now: float, jobs: Sequence[int]) -> None:
        for number in jobs:
            if number in self._places:
                self._free[self._places.pop(number)] += self._site.needed(self._jobs[number])
        if self._site.asking and self._jobs[jobs[0]].rule not in self._site.local:
            self._unseen += jobs
        else:
            self._see(now, jobs)

    def _look(self, now: float) -> None:
        longer = min(self._wait + LONGER_SECONDS, LONGEST_SECONDS)
        waits = self._submitted and not self._unseen
        self._wait = longer if waits else self._site.asking
        seen, self._unseen = self._unseen, []
        self._see(now, seen)
        self._happens(now + self._wait, LOOKED)

    def _see(self, now: float, jobs: Sequence[int]) -> None:
        """Go on with what these jobs have made."""
        for number in jobs:
            self._left -= 1
            self._submitted -= self._jobs[number].rule not in self._site.local
            for waiting in self._awaited[number]:
                self._lacks[waiting].remove(number)
                if not self._lacks[waiting]:
                    self._ready.append(waiting)
        self._submit(now)

    def _submit(self, now: float) -> None:
        site = self._site
        local = [number for number in self._ready if self._jobs[number].rule in site.local]
        for number in local:
            self._happens(now + self._jobs[number].seconds, ENDED, number)
        remote = sorted(set(self._ready) - set(local))
        room = max(0, site.at_once - self._submitted)
        self._ready = remote[room:]
        together = defaultdict[str, list[int]](list)
        for number in remote[:room]:
            rule = self._jobs[number].rule
            together[rule if rule in site.arrays else str(number)].append(number)
        for numbers in together.values():
            self._submitter = max(self._submitter, now) + site.submitting
            self._submitted += len(numbers)
            self._happens(self._submitter, QUEUED, *numbers)

    def _start(self, now: float) -> None:
        """Start what waits and finds cores."""
        usable = {place for place, free in enumerate(self._free) if free}
        usable |= set(range(self._site.nodes)) if self._site.queueing else set()
        left = []
        for tried, waiting in enumerate(self._queue):
            if not usable:
                left += self._queue[tried:]
                break
            number = waiting[-1]
            job = self._jobs[number]
            place = max(usable, key=self._free.__getitem__)
            if self._free[place] < (cores := self._site.needed(job)):
                left.append(waiting)
                if self._site.queueing:
                    # All have the same limit of time: it is there that cores are free first.
                    usable.remove(min(usable, key=self._latest.__getitem__))
                continue
            self._free[place] -= cores
            self._places[number], self._latest[place] = place, now
            self._happens(now + self._site.taken(job), ENDED, number)
            if not self._free[place] and not self._site.queueing:
                usable.remove(place)
        self._queue = left

"""When jobs would end on nodes that are all alike, and that have nobody else's jobs."""

import heapq
from collections.abc import Sequence
from graphlib import TopologicalSorter

from labs.setup.plan import Job


def wall_seconds(jobs: Sequence[Job], nodes: int, cores: int) -> float:
    """Return when the last of these jobs ends on so many nodes with so many cores each, in s.

    Whenever cores are free, the first jobs in this order that are ready and fit are started.
    """
    makers = {output: number for number, job in enumerate(jobs) for output in job.outputs}
    # Files that none of these jobs makes are there.
    graph = TopologicalSorter(
        {
            number: {makers[name] for name in job.inputs & makers.keys()}
            for number, job in enumerate(jobs)
        }
    )
    graph.prepare()
    taken = [min(job.cores, cores) for job in jobs]
    free = [cores] * nodes
    ready: list[int] = []
    running: list[tuple[float, int, int]] = []
    now = 0.0
    while graph.is_active():
        ready = sorted([*ready, *graph.get_ready()])
        for number in list(ready):
            node = max(range(nodes), key=free.__getitem__)
            if taken[number] <= free[node]:
                ready.remove(number)
                free[node] -= taken[number]
                heapq.heappush(running, (now + jobs[number].seconds, number, node))
        now = running[0][0]
        while running and running[0][0] == now:
            _, number, node = heapq.heappop(running)
            free[node] += taken[number]
            graph.done(number)
    return now

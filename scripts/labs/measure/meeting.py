"""How long the threads of a process take to start together, do nothing, and meet again.

That tells how far its cores are apart. A hypervisor moves the cores of a virtual machine about: at
times they share a cache, at times they lie on different chips, and everything that threads do
together, or that takes much memory, then takes another time. The kernel of the machine itself does
not know of it, and no counter tells.
"""

from __future__ import annotations

import ctypes
import re
import time
from pathlib import Path

MAPS = Path("/proc/self/maps")
RUNTIME = re.compile(r"/\S*/lib(gomp|omp|iomp5)\b[^/\s]*$", re.MULTILINE)
MEETINGS, BLOCKS = 100, 5


def meeting_seconds(threads: int) -> float | None:
    """Return the mean of a block of meetings, the least of several: others may disturb some.

    None where there is one thread, or no OpenMP runtime of torch's with GNU's interface.
    """
    found = RUNTIME.search(MAPS.read_text()) if MAPS.exists() else None
    if found is None or threads < 2:
        return None
    meet = ctypes.CDLL(found[0]).GOMP_parallel
    meet.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
    meet.restype = None
    nothing = ctypes.cast(ctypes.CDLL(None).free, ctypes.c_void_p)  # of a null pointer
    blocks = []
    for _ in range(BLOCKS):
        start = time.perf_counter()
        for _ in range(MEETINGS):
            meet(nothing, None, threads, 0)
        blocks.append((time.perf_counter() - start) / MEETINGS)
    return min(blocks)

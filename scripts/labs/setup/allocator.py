"""How glibc's malloc serves the jobs and the processes that are timed (mallopt(3))."""

KEEPS_FREED_MEMORY = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(2**40),
}
"""Has malloc keep freed memory for the next call: a tensor then takes the pages of the last one.

By default it returns a freed block to the kernel at once, or keeps it, by thresholds that grow with
the largest block freed so far; above 32 MiB, it depends on what else happens to be free. A training
clears the same pages again and again. And of timed cases, whose order is random, one would fault
all its memory in at every call in some processes, and in others not.
"""

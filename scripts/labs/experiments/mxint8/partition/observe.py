"""How CuTe partitions a tensor over blocks and threads, and what kernels ask of memory.

mxint_cuda's program ``cute_partition`` runs on the host: it includes the header of the CuTe kernel,
and nvcc's own code for the kernels, translated.  Its output is recorded unchanged.
"""

import argparse
import subprocess
from collections.abc import Sequence
from pathlib import Path

from labs.experiments.mxint8 import sizes
from labs.experiments.mxint8.names import RAGGED, TALL, WHOLE_GROUPS
from labs.jobs.job import Job
from labs.records.observations import Observations

EXAMPLES = {WHOLE_GROUPS: (32 * 80, 32), RAGGED: (990, 20), TALL: (300 * 6, 300)}
"""Tensors to draw, by elements and group size: tiles that groups fill, or nearly (80 groups are two
and a half tiles); a shorter last group, in tiles that reach beyond all groups; and groups larger
than a tile.
"""


def missing(arguments: argparse.Namespace) -> str:
    """Return why the program is missing, or "" if it is there."""
    if arguments.program.is_file():
        return ""
    return (
        "mxint_cuda was built without cute_partition, which takes nvcc, CuTe's headers, and a "
        "version of nvcc whose PTX the package knows"
    )


def observe(program: Path, group_sizes: Sequence[int], elements: int) -> Observations:
    """Return which elements each thread has in the examples and, by group size, the memory
    transactions of every kernel that decodes a tensor of ``elements`` elements.
    """
    seen = Observations(0)
    for example, (count, group_size) in EXAMPLES.items():
        lines = _run(program, "elements", count, group_size)
        case = {"elements": count, "group_size": group_size}
        seen.fact("owners", lines, "text", "cute", example=example, **case)
    for group_size in group_sizes:
        lines = _run(program, "transactions", elements, group_size)
        seen.fact("transactions", lines, "text", "all", group_size=group_size, elements=elements)
    return seen


def _run(program: Path, *arguments: str | int) -> str:
    """Return the lines that the program prints: CSV with a header."""
    words = [str(program.resolve()), *map(str, arguments)]
    return subprocess.run(words, check=True, capture_output=True, errors="replace").stdout


JOB = Job("mxint8_partition", observe, sizes.PARTITION, files=("program",), missing=missing)

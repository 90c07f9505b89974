"""What the machine code of the CUDA kernels allows at most: no GPU is needed, and none is used.

mxint_cuda's program ``bench/ceilings.py`` counts the instructions that nvcc makes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from labs.records.observations import Observations

UNAVAILABLE = 69
"""The program's exit status where nvcc or nvdisasm is missing."""


class Unavailable(Exception):
    """A tool is missing; the message says which."""


def read(program: Path, cutlass: Path) -> dict[str, Any]:
    """Return what the program counts, of the CuTe kernel too where CuTe's headers are.

    Raises Unavailable, and CalledProcessError where the program fails otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="ceilings-") as folder:
        result = Path(folder) / "ceilings.json"
        command = [sys.executable, str(program), "--json", str(result)]
        if cutlass.is_dir():
            command += ["--cutlass", str(cutlass)]
        done = subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        if done.returncode == UNAVAILABLE:
            raise Unavailable(done.stderr.strip().removeprefix("error: "))
        sys.stderr.write(done.stderr)
        done.check_returncode()
        counted: dict[str, Any] = json.loads(result.read_text())
    return counted


def observe(counted: dict[str, Any]) -> Observations:
    """Return each kernel's numbers, and its ceiling on each GPU."""
    seen = Observations(0)
    seen.fact("nvcc", counted["nvcc"], "text", "all")
    for row in counted["kernels"]:
        arm = row["kernel"]
        for name in ("registers", "warps", "instructions", "elements"):
            seen.fact(name, row[name], "count", arm)
        for name in ("shared memory", "bytes an element"):
            seen.fact(name, row[name], "bytes", arm)
        for gpu, ceiling in row["ceilings"].items():
            seen.fact("ceiling", ceiling, "share", arm, gpu=gpu)
    return seen

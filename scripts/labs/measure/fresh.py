"""A fresh process: it runs one function in a new interpreter with its own environment.

It inherits nothing that could bias all samples the same way: its hash seed and the size of its
environment are random (Mytkowicz et al., ASPLOS'09), and its compiler cache is empty unless it
takes the one that an earlier process left.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labs.measure import worker
from labs.measure.environment import load
from labs.setup.allocator import KEEPS_FREED_MEMORY

SCRIPTS = Path(__file__).parents[2]
MOST_PADDING = 4096


class Fresh:
    """A new process, which imports a function's module at once and runs the function when told.

    The function is a module's, and its arguments and ``Observations`` are JSON-serialisable.
    ``cache`` is the folder of Inductor's and Triton's caches and of temporary files, where Inductor
    puts precompiled headers whatever its cache directory is.
    """

    def __init__(
        self, function: Callable[..., Any], *, threads: int, rng: random.Random, cache: Path
    ) -> None:
        temporary = cache / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(SCRIPTS), os.environ.get("PYTHONPATH", "")]),
            "PYTHONHASHSEED": str(rng.randrange(2**32)),
            "ENVIRONMENT_PADDING": "x" * rng.randrange(MOST_PADDING),
            "TMPDIR": str(temporary),
            "TORCHINDUCTOR_CACHE_DIR": str(cache / "inductor"),
            "TRITON_CACHE_DIR": str(cache / "triton"),
            "OMP_NUM_THREADS": str(threads),
            "MKL_NUM_THREADS": str(threads),
            **KEEPS_FREED_MEMORY,
        }
        self.name = function.__name__
        self._imported, end = os.pipe()
        task = [function.__module__, function.__qualname__, str(threads), str(end)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", worker.__name__, *task],
            env=environment,
            pass_fds=[end],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            errors="replace",
        )
        os.close(end)

    def wait_for_imports(self) -> None:
        """Return when the process sleeps until it is told to run, or has failed."""
        os.read(self._imported, 1)

    def run(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Run the function; return its rows, and the load around it.

        Raises RuntimeError with the process's last output when it fails.
        """
        before = load()
        with tempfile.TemporaryDirectory() as folder:
            result = Path(folder) / "result.json"
            said, _ = self._process.communicate(
                json.dumps({"arguments": arguments, "result": str(result)})
            )
            if self._process.returncode != 0:
                raise RuntimeError(
                    f"{self.name} ended with exit status {self._process.returncode}:\n"
                    + "\n".join(said.splitlines()[-25:])
                )
            rows = json.loads(result.read_text())
        return {"rows": rows, "load": {"before": before, "after": load()}}

    def close(self) -> None:
        """End the process, if it has not ended."""
        self._process.kill()
        self._process.communicate()
        os.close(self._imported)

"""Run a program, and fail if its code is not, or does not stay, what the workflow planned with.

Where it ends well, a file beside its log keeps how long it took.
"""

import argparse
import os
import runpy
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from labs.setup.durations import Run, duration_file, write_run
from labs.setup.sources import digest_of, forget

CHANGED = "error: the code of {} has changed since it was planned; run the same command again"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", help="of the job")
    parser.add_argument("digest", help="of the code, as the workflow computed it")
    parser.add_argument("modules", help="whose code it is, one or more, separated by commas")
    parser.add_argument("program", help="path of the program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the program")
    given = parser.parse_args()
    duration_file(given.log).unlink(missing_ok=True)
    modules = given.modules.split(",")
    check(modules, given.digest)
    # The record keeps it.
    os.environ["LABS_CODE"] = given.digest
    command = [given.program, *given.arguments]
    sys.argv = list(command)
    began = time.time()
    try:
        runpy.run_path(str(Path(given.program).resolve()), run_name="__main__")
    finally:
        check(modules, given.digest)
    write_run(Run(command, began, time.time()), given.log)


def check(modules: Sequence[str], planned: str) -> None:
    """End this program with one line unless the code is what was planned."""
    forget()
    if digest_of(*modules) != planned:
        raise SystemExit(CHANGED.format(" and ".join(modules)))


if __name__ == "__main__":
    main()

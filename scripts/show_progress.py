"""Pass on what Snakemake prints, and say after each job how long the run will still take.

A job is expected to take as long as those of its rule and preset took before: in this folder, or on
the machine of workflow/durations.yaml. How fast this machine is shows while it runs.
"""

from __future__ import annotations

import argparse
import io
import signal
import sys
import time

import yaml

from labs.setup.durations import KEPT, METADATA, by_rule, of_preset, recorded
from labs.setup.progress import Progress


def main() -> None:
    """Parse, then read to the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", required=True, help="of the run")
    # Ctrl-C is Snakemake's, whose last words are to be seen.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    progress = begin(parser.parse_args().preset)
    # What jobs print may be in any encoding.
    for line in io.TextIOWrapper(sys.stdin.buffer, errors="replace"):
        words = progress.read(line, time.monotonic())
        print(line, words and f"{words}\n", sep="", end="", flush=True)


def begin(preset: str) -> Progress:
    """Return the progress of a run that begins now."""
    kept = yaml.safe_load(KEPT.read_text(encoding="utf-8"))["presets"].get(preset, {})
    here = by_rule(of_preset(recorded(METADATA).values(), preset))
    known = {**kept.get("seconds", {}), **here}
    return Progress(known, kept.get("rate", 1.0), time.monotonic())


if __name__ == "__main__":
    main()

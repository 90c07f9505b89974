"""Check the rules of timing on this machine, on comparisons whose answers are known.

Repeats a small comparison, as a timing job makes it: an arm that does as much as the baseline, and
one that does more. Prints how often the first was called different and the second was found, how
wide the intervals were, and the ratio with and without the samples that others disturbed. With
--competitors, other processes keep cores busy meanwhile.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.frame import Samples
from labs.analysis.statistics import of_ratios, verdict
from labs.measure.processes import Stages, repeat
from labs.measure.quiet import QuietStart
from labs.measure.threads import ALL_CORES
from labs.records.names.timing import DISTURBED, STEADY
from labs.records.quantity import Estimate
from labs.records.rows import KINDS, Sample
from tests.method.planted import BASELINE, EQUAL, LONGER, observe

SPIN = "while True: pass"


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=20, help="that are made")
    parser.add_argument("--longer", type=float, default=1.05, help="times the baseline's work")
    parser.add_argument("--processes", type=int, default=6, help="of a comparison, at least")
    parser.add_argument("--budget", type=int, default=60, help="seconds for more of them")
    parser.add_argument("--rounds", type=int, default=5, help="per process")
    parser.add_argument("--threads", default=ALL_CORES, help="as in config.yaml: 'all' or a number")
    parser.add_argument("--competitors", type=int, default=0, help="that want a core each")
    return parser


@contextmanager
def competing(number: int) -> Iterator[None]:
    """Keep as many cores busy, inside a ``with`` block."""
    others = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(number)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def main() -> None:
    arguments = parser().parse_args()
    inputs = {"longer": arguments.longer, "rounds": arguments.rounds}
    found: dict[str, list[str]] = {EQUAL: [], LONGER: []}
    estimates: dict[str, list[Estimate]] = {EQUAL: [], LONGER: []}
    unfiltered, floors, samples, disturbed = [], [], 0, 0
    quiet = QuietStart()
    with competing(arguments.competitors):
        threads = quiet.threads(arguments.threads)
        for number in range(arguments.comparisons):
            rows, _ = repeat(
                f"comparison {number + 1} of {arguments.comparisons}",
                observe,
                inputs,
                stages=Stages(arguments.processes, arguments.budget),
                threads=threads,
                seed=number,
                quiet=quiet,
            )
            record: dict[str, Any] = {
                kind: [row for one in rows for row in one[kind]] for kind in KINDS
            }
            seen = Samples({"spec": {"processes": arguments.processes}, **record})
            floors.append(seen.floor(BASELINE))
            for arm, words in found.items():
                estimates[arm].append(seen.speedup(BASELINE, arm))
                words.append(verdict(estimates[arm][-1], floors[-1]))
            longer, baseline = (_all(record["samples"], arm) for arm in (LONGER, BASELINE))
            unfiltered.append(of_ratios(longer / baseline, arguments.processes))
            samples += _count(record["samples"], STEADY)
            disturbed += _count(record["samples"], DISTURBED)
    width = np.median([one.high / one.value - 1 for one in estimates[LONGER]])
    print(
        f"comparisons: {arguments.comparisons}, each of {arguments.processes} processes or more, "
        f"threads: {threads}"
    )
    for arm, words in found.items():
        counts = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
        print(f"the arm that is {arm}: {counts}")
    print(f"median half-width {width:.1%}, median noise floor {np.median(floors):.1%}")
    print(f"samples {samples}, taken again {disturbed}")
    for what, ratios in (
        ("without disturbed samples", [1 / one.value for one in estimates[LONGER]]),
        ("with all samples", [one.value for one in unfiltered]),
    ):
        low, middle, high = np.quantile(ratios, [0.05, 0.5, 0.95])
        print(f"ratio {what}: {middle:.3f} (5th to 95th percentile {low:.3f} to {high:.3f})")


def _all(samples: list[Sample], arm: str) -> pd.Series:
    """Return each process's median of all samples of an arm, disturbed or not."""
    taken: dict[int, list[float]] = {}
    for row in samples:
        if row["arm"] == arm and row["quantity"] in (STEADY, DISTURBED):
            taken.setdefault(row["process"], []).extend(row["seconds"])
    return pd.Series(taken).sort_index().map(np.median)


def _count(samples: list[Sample], quantity: str) -> int:
    return sum(len(row["seconds"]) for row in samples if row["quantity"] == quantity)


if __name__ == "__main__":
    main()

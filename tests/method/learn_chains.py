"""Learn from eight chains how far chains differ, in each kind of comparison.

    PYTHONPATH=scripts python -m tests.method.learn_chains

reads chains.zip, which keeps the records of a run with eight chains, and writes what it says into
scripts/labs/analysis/learned.py. With a folder of such records as argument it keeps them first.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from scipy.optimize import minimize
from scipy.stats import f

from labs.analysis import accuracy
from labs.analysis.chains import Spread, spread
from labs.analysis.learned import Learned
from labs.evaluation import values_of
from labs.files import write_text
from labs.records.reading import read
from labs.records.record import Record
from tests.report.quick import keep, unpack

KEPT = Path(__file__).with_name("chains.zip")
LEARNED = Path(__file__).parents[2] / "scripts/labs/analysis/learned.py"
LEAST_SHARE, MOST_SHARE = 1e-3, 1.0
LEAST_FREEDOM = 1.0


def records(folder: Path) -> list[Record]:
    """Return the kept records, which are unpacked below a folder."""
    return [read(path) for path in unpack(folder, KEPT)]


@contextmanager
def listening() -> Iterator[list[Spread]]:
    """Yield a list that each difference between models appends to, as it is computed."""
    seen: list[Spread] = []

    def heard(*arguments: Any) -> Spread:
        seen.append(spread(*arguments))
        return seen[-1]

    with patch.object(accuracy, "spread", heard):
        yield seen


def comparisons(record: Record) -> list[Spread]:
    """Return how each difference that the report takes from a record varies between its chains.

    One that is gained and lost, or has two names, is taken once.
    """
    with listening() as seen:
        values_of(record)
    return list({(abs(one.value), one.variance): one for one in seen}.values())


def learn(seen: Sequence[Spread]) -> Learned:
    """Return what comparisons of one kind, in the same chains, say of the next: most likely.

    A variance between chains, over the expected one, has an F distribution (Smyth, 2004): its
    numerator has the degrees of freedom of these chains. Those of the denominator say how alike
    the comparisons are, and are never more than the chains', which all of them share.
    """
    variances, of_chains = (
        np.array([getattr(one, name) for one in seen]) for name in ("variance", "chains")
    )
    most = float(of_chains.max() - 1)

    def unlikely(logs: np.ndarray) -> float:
        share, freedom = np.exp(logs)
        expected = np.array([one.expected(share) for one in seen])
        found = f.logpdf(variances / expected, of_chains - 1, freedom) - np.log(expected)
        return -float(found.sum())

    bounds = np.log([(LEAST_SHARE, MOST_SHARE), (LEAST_FREEDOM, most)])
    found = minimize(unlikely, np.log([0.1, most / 2]), bounds=bounds, method="L-BFGS-B")
    share, freedom = np.exp(found.x)
    return Learned(float(f"{share:.2g}"), float(f"{freedom:.2g}"))


def learn_kinds(seen: Sequence[Spread]) -> dict[str, Learned]:
    """Return what is learnt of each kind of comparison."""
    kinds = sorted({one.kind for one in seen})
    return {kind: learn([one for one in seen if one.kind == kind]) for kind in kinds}


def main() -> None:
    if folders := sys.argv[1:]:
        keep(Path(folders[0]), KEPT)
    with tempfile.TemporaryDirectory() as folder:
        seen = [one for record in records(Path(folder)) for one in comparisons(record)]
    found = learn_kinds(seen)
    lines = [f'    "{kind}": Learned({one.share}, {one.freedom}),\n' for kind, one in found.items()]
    before, _, _ = LEARNED.read_text(encoding="utf-8").partition("LEARNED")
    write_text(LEARNED, f"{before}LEARNED = {{\n{''.join(lines)}}}\n")


if __name__ == "__main__":
    main()

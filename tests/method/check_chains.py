"""Hold pairs of the eight kept chains against each other, and say how well they agree.

    PYTHONPATH=scripts python -m tests.method.check_chains

Two chains are what another person would train, two others what a third would. How far chains differ
is learnt from the four that are left, as quick learns it from eight. There are 210 ways to do so.
Prints the claims on accuracies that two chains confirm and two others refute, how many estimates
lie where two other chains predict them, for the same reviews, and how many claims are left open: by
pairs, and by the first two to eight chains, with what all eight say of how far chains differ.
Takes some ten minutes on two cores.
"""

import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from pathlib import Path
from unittest.mock import patch

import pandas as pd
from scipy.special import stdtrit

from labs.analysis import chains
from labs.analysis.chains import Spread
from labs.claims.claim import UNDECIDED
from labs.evaluation import evaluated
from labs.records.names.intervals import CONFIDENCE
from labs.records.record import Record
from labs.records.rows import KINDS
from tests.method.check_agreement import OPPOSITE, share_inside
from tests.method.learn_chains import comparisons, learn_kinds, listening, records

Frame = pd.DataFrame
CHAINS, PAIR = range(8), 2
UNITS = ("points", "points lost")


@dataclass(frozen=True)
class Run:
    """What a run of a few chains says: verdicts by claim on accuracies, and its comparisons."""

    verdicts: Mapping[str, str]
    spreads: Sequence[Spread]


def only(record: Record, some: Collection[int]) -> Record:
    """Return a record as if only some of its chains had been made.

    What one chain alone has observed is of no chain, and stays.
    """
    places = {chain: place for place, chain in enumerate(sorted(some))}
    kept: Record = {}
    for kind in KINDS:
        observed = defaultdict(set)
        for row in record[kind]:
            observed[row["arm"], row.get("name")].add(row["process"])
        alone = {what for what, chains in observed.items() if len(chains) == 1}
        kept[kind] = [
            {**row, "process": places.get(row["process"], 0)}
            for row in record[kind]
            if row["process"] in places or (row["arm"], row.get("name")) in alone
        ]
    return {**record, **kept}


def run(of: Sequence[Record], some: Collection[int]) -> Run:
    """Return what some of the chains say."""
    with listening() as seen:
        found = [claim for record in of for claim in evaluated(only(record, some)).claims]
    verdicts = {
        claim.id: claim.verdict
        for claim in found
        if claim.has_interval and claim.estimate and claim.estimate.unit in UNITS
    }
    return Run(verdicts, seen)


def is_predicted(first: Spread, second: Spread) -> bool:
    """Return whether the second estimate of a comparison is where the first predicts it."""
    variance, freedom = first.moderated()
    error = math.sqrt(variance * (1 / first.chains + 1 / second.chains))
    reach = float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * error
    return abs(first.value - second.value) <= reach


def of_four(of: Sequence[Record], teachers: Collection[int]) -> tuple[Frame, Frame]:
    """Return what pairs of the other four chains say: verdicts on claims, and predictions."""
    learned = learn_kinds([seen for record in of for seen in comparisons(only(record, teachers))])
    left = [chain for chain in CHAINS if chain not in teachers]
    verdicts, predictions = [], []
    with patch.dict(chains.LEARNED, learned, clear=True):
        runs = {pair: run(of, pair) for pair in combinations(left, PAIR)}
        for one, other in permutations(runs, 2):
            if {*one}.isdisjoint(other):
                first, second = runs[one], runs[other]
                verdicts += [
                    {"claim": claim, "first": found, "second": second.verdicts.get(claim)}
                    for claim, found in first.verdicts.items()
                ]
                predictions += [
                    {"evidence": seen.kind, "inside": is_predicted(seen, again)}
                    for seen, again in zip(first.spreads, second.spreads, strict=True)
                ]
    return pd.DataFrame(verdicts), pd.DataFrame(predictions)


def left_open(of: Sequence[Record], some: int) -> int:
    """Return how many claims the first ``some`` chains leave open."""
    return [*run(of, CHAINS[:some]).verdicts.values()].count(UNDECIDED)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        of = records(Path(folder))
    fours = list(combinations(CHAINS, len(CHAINS) - 2 * PAIR))
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(partial(of_four, of), fours))
    verdicts, predictions = (pd.concat(parts) for parts in zip(*found, strict=True))
    both = verdicts[["first", "second"]]
    opposite = both.isin(OPPOSITE).all(axis=1) & (both["first"] != both["second"])
    names = Counter(verdicts["claim"][opposite])
    inside = share_inside(predictions)
    print(
        f"{len(fours) * 3} ways, {verdicts['claim'].nunique()} claims on accuracies\n"
        f"opposite verdicts: {opposite.mean():.3%}, on {dict(names.most_common())}\n"
        f"left open by two chains: {(verdicts['first'] == UNDECIDED).mean():.1%}\n"
        f"inside the prediction: {inside.value:.1%} [{inside.low:.1%}, {inside.high:.1%}]"
    )
    by_kind = predictions.groupby("evidence")["inside"].mean()
    print("\n".join(f"  {kind}: {share:.1%}" for kind, share in by_kind.items()))
    numbers = range(PAIR, len(CHAINS) + 1)
    print("left open by so many chains:", {some: left_open(of, some) for some in numbers})


if __name__ == "__main__":
    main()

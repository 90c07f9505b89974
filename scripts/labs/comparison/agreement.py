"""Whether runs on one machine agree: what one says of times against what the others measured.

A second run's estimate scatters as the first one's does. So of second estimates 95 % should lie in
the first's prediction interval, which is sqrt(2) as wide as its confidence interval on the
logarithmic scale, for runs of as many processes. Values of one record share its processes and move
together: the share's own interval is a jackknife over records.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

from labs.analysis.statistics import Estimate
from labs.analysis.tables import value_table
from labs.claims.judge import judge
from labs.comparison import ComparisonError
from labs.comparison.numbers import LOGARITHMIC, Number, numbers
from labs.records.names.intervals import CONFIDENCE
from labs.records.reading import read
from labs.records.record import MEASURED
from labs.setup.machines import THIS

RATIO = "ratio"
OPPOSITE = {"confirmed", "refuted"}


@dataclass(frozen=True)
class Times:
    """What a run says of times, rates and their ratios: verdicts by claim, numbers by name.

    ``finished`` says when each record was, by its path.
    """

    verdicts: Mapping[str, str]
    numbers: Mapping[str, Number]
    finished: Mapping[str, str]

    @property
    def undecided(self) -> float:
        """Return the share of claims that are undecided."""
        return sum(one == "undecided" for one in self.verdicts.values()) / len(self.verdicts)


@dataclass(frozen=True)
class Predictions:
    """Of every pair of runs, in both directions: the share of second estimates ``inside`` the
    first's prediction interval, of how many, and the median half-width of these intervals, a share.
    """

    inside: Estimate
    estimates: int
    half_width: float


@dataclass(frozen=True)
class Agreement:
    """How runs agree; ``flipped`` are the claims that one run confirms and another refutes."""

    claims: int
    flipped: list[str]
    all: Predictions
    ratios: Predictions


def times(folder: Path) -> Times:
    """Return what the records below a folder say of times.

    Raises RecordError, which names the file, for one that cannot be read, and ComparisonError where
    there is nothing of times.
    """
    paths = sorted(folder.rglob("*.json"))
    records = {path.relative_to(folder).as_posix(): read(path) for path in paths}
    timed = {
        path: record
        for path, record in records.items()
        if record["status"] == MEASURED and record["samples"]
    }
    claims = [claim for path in timed for claim in judge(folder / path, folder, THIS)]
    values = numbers(value_table(timed).to_csv(index=False))
    found = Times(
        {claim["id"]: claim["verdict"] for claim in claims if claim["unit"] in LOGARITHMIC},
        {name: one for name, one in values.items() if _is_time(one)},
        {path: record["finished"] for path, record in timed.items()},
    )
    if not found.verdicts:
        raise ComparisonError(
            f"{folder} has no records of times: name a folder such as results/quick/records"
        )
    return found


def agreement(runs: Sequence[Times]) -> Agreement:
    """Return how two runs or more agree, in what all of them have.

    What runs share because it was measured once predicts nothing. Raises ComparisonError where
    there is nothing else.
    """
    claims = sorted(set.intersection(*(set(run.verdicts) for run in runs)))
    names = sorted(set.intersection(*(set(run.numbers) for run in runs)))
    flipped = [
        claim
        for claim in claims
        if any({a.verdicts[claim], b.verdicts[claim]} == OPPOSITE for a, b in combinations(runs, 2))
    ]
    ratios = [name for name in names if runs[0].numbers[name].unit == RATIO]
    return Agreement(
        len(claims), flipped, all=_predictions(runs, names), ratios=_predictions(runs, ratios)
    )


def predicted(estimate: Estimate) -> tuple[float, float]:
    """Return the bounds between which the estimate of another such run lies, 19 times of 20."""
    low, high = (math.log(bound / estimate.value) for bound in (estimate.low, estimate.high))
    return (
        estimate.value * math.exp(math.sqrt(2) * low),
        estimate.value * math.exp(math.sqrt(2) * high),
    )


def _predictions(runs: Sequence[Times], names: Sequence[str]) -> Predictions:
    """Return how far runs predict each other's values of these names."""
    inside: dict[str, list[bool]] = {}
    widths = []
    for first, second in permutations(runs, 2):
        for name in names:
            one, other = first.numbers[name], second.numbers[name]
            if first.finished[one.evidence] == second.finished[other.evidence]:
                continue
            low, high = predicted(one.estimate)
            inside.setdefault(one.evidence, []).append(low <= other.estimate.value <= high)
            widths.append(math.sqrt(high / low) - 1)
    if not widths:
        raise ComparisonError("the runs have no times in common that were measured twice")
    return Predictions(_share(list(inside.values())), len(widths), float(np.median(widths)))


def _is_time(number: Number) -> bool:
    return number.unit in LOGARITHMIC and number.has_interval and number.estimate.low > 0


def _share(groups: Sequence[Sequence[bool]]) -> Estimate:
    """Return the share of what is true in all groups, with an interval over the groups."""
    counts = np.array([(sum(group), len(group)) for group in groups], dtype=float)
    hits, sizes = counts.T
    share = float(hits.sum() / sizes.sum())
    number = len(counts)
    if number == 1:
        return Estimate(share, 0.0, 1.0, 0.0)
    without = (hits.sum() - hits) / (sizes.sum() - sizes)
    error = math.sqrt((number - 1) / number * float(((without - without.mean()) ** 2).sum()))
    reach = float(stdtrit(number - 1, (1 + CONFIDENCE) / 2)) * error
    return Estimate(share, max(0.0, share - reach), min(1.0, share + reach), number - 1.0)

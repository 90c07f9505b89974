"""Hold the times of several runs on one machine side by side, and say how well they agree.

Each run is a folder of records, such as results/quick/records, or a copy of it. Prints the claims
that one run confirms and another refutes, how many estimates lie where the other runs predict them,
how wide these predictions are, and how many claims each run leaves undecided.

A second run's estimate scatters as the first one's does. So of second estimates 95 % should lie in
the first's prediction interval, which is sqrt(2) as wide as its confidence interval on the
logarithmic scale, for runs of as many processes. Values of one record share its processes and move
together: the share's own interval is a jackknife over records.
"""

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path

import pandas as pd
from scipy import stats

from labs.analysis.tables import value_table
from labs.evaluation import evaluate
from labs.records.names.intervals import CONFIDENCE
from labs.records.quantity import Estimate
from labs.records.reading import RecordError
from labs.records.record import MEASURED, NOT_RECORDED
from reporting.comparison.changes import LOGARITHMIC

OPPOSITE = {"confirmed", "refuted"}


@dataclass(frozen=True)
class Times:
    """What a run says of times, rates and their ratios: verdicts by claim, and values by name,
    each with the moment at which its record was ``finished``.
    """

    processors: frozenset[str]
    verdicts: Mapping[str, str]
    values: pd.DataFrame


def times(folder: Path) -> Times:
    """Return what the records below a folder say of times.

    Raises RecordError, which names the file, for one that cannot be read, and ValueError where
    there is nothing of times.
    """
    paths = sorted(folder.rglob("*.json"))
    timed = {
        path: found
        for path, found in (evaluate(path, folder) for path in paths)
        if found.record["status"] == MEASURED and found.record["samples"]
    }
    verdicts = {
        claim.id: claim.verdict
        for found in timed.values()
        for claim in found.claims
        if claim.estimate and claim.estimate.unit in LOGARITHMIC
    }
    if not verdicts:
        raise ValueError(
            f"{folder} has no records of times: name a folder such as results/quick/records"
        )
    values = value_table(timed).set_index("name")
    values = values[values["unit"].isin(LOGARITHMIC) & (values["low"] > 0)]
    finished = {path: found.record["finished"] for path, found in timed.items()}
    environments = [found.record["environment"] for found in timed.values()]
    processors = {environment.get("processor", NOT_RECORDED) for environment in environments}
    values = values.assign(finished=values["evidence"].map(finished))
    return Times(frozenset(processors), verdicts, values)


def of_one_machine(runs: Sequence[Times]) -> None:
    """Raise ValueError where the runs' processors are of unlike kinds."""
    kinds = sorted(frozenset.union(*(run.processors for run in runs)))
    if len(kinds) > 1:
        raise ValueError(f"these are no runs of one machine: {'; '.join(kinds)}")


def flipped(runs: Sequence[Times]) -> list[str]:
    """Return the claims of all runs that one run confirms and another refutes."""
    pairs = list(combinations(runs, 2))
    return [
        claim
        for claim in sorted(set.intersection(*(set(run.verdicts) for run in runs)))
        if any({a.verdicts[claim], b.verdicts[claim]} == OPPOSITE for a, b in pairs)
    ]


def predictions(runs: Sequence[Times]) -> pd.DataFrame:
    """Return each second estimate of a value: whether it is ``inside`` the first's prediction
    interval, and the ``half_width`` of that, for every pair of runs in both directions.

    What two runs share because it was measured once predicts nothing. Raises ValueError where there
    is nothing else.
    """
    found = []
    for first, second in permutations(runs, 2):
        both = first.values.join(second.values.add_suffix("_again"), how="inner")
        both = both[both["finished"] != both["finished_again"]]
        bounds = both[["low", "high"]].div(both["value"], axis=0) ** math.sqrt(2)
        estimate = both["value_again"] / both["value"]
        inside = estimate.between(bounds["low"], bounds["high"])
        half_width = (bounds["high"] / bounds["low"]) ** 0.5 - 1
        found.append(both.assign(inside=inside, half_width=half_width))
    if all(one.empty for one in found):
        raise ValueError("the runs have no times in common that were measured twice")
    return pd.concat(found)


def share_inside(found: pd.DataFrame) -> Estimate:
    """Return the share of predictions that held, with an interval over records."""
    groups = found.groupby("evidence")["inside"].agg(["sum", "count"])
    number, total = len(groups), groups.sum()
    share = total["sum"] / total["count"]
    if number == 1:
        return Estimate(share, 0.0, 1.0, 0.0)
    left = total - groups
    without = left["sum"] / left["count"]
    error = math.sqrt((number - 1) ** 2 / number * without.var(ddof=1))
    reach = stats.t.ppf((1 + CONFIDENCE) / 2, number - 1) * error
    return Estimate(share, max(0.0, share - reach), min(1.0, share + reach), number - 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+", help="folders of records, two or more")
    folders: list[Path] = parser.parse_args().runs
    if len(folders) < 2:
        raise SystemExit("error: one run alone agrees with itself: name two folders or more")
    try:
        runs = [times(folder) for folder in folders]
        of_one_machine(runs)
        found = predictions(runs)
    except (RecordError, ValueError) as error:
        raise SystemExit(f"error: {error}") from error
    for folder, run in zip(folders, runs, strict=True):
        verdicts = list(run.verdicts.values())
        undecided = verdicts.count("undecided") / len(verdicts)
        print(f"{folder}: {len(verdicts)} claims about times, {undecided:.1%} undecided")
    common = len(set.intersection(*(set(run.verdicts) for run in runs)))
    opposite = ", ".join(flipped(runs)) or "none"
    print(f"confirmed by one run and refuted by another, of {common} claims: {opposite}")
    ratios = found[found["unit"] == "ratio"]
    for what, some in (("times, rates and ratios", found), ("ratios alone", ratios)):
        inside = share_inside(some)
        print(
            f"{what}: {inside.value:.1%} [{inside.low:.1%}, {inside.high:.1%}] of {len(some)} "
            "estimates are inside another run's 95 % prediction interval, "
            f"whose median half-width is {some['half_width'].median():.1%}"
        )


if __name__ == "__main__":
    main()

"""What a run leaves open, and which preset may decide it: an expectation, not a promise.

Of a time or an accuracy it is known how narrow an interval would decide. One is expected to narrow
with the square root of what a preset has more of: seconds or processes for a time, chains or
training seeds for an accuracy. How a preset's other sizes move the estimate is not known.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from labs.claims.claim import UNDECIDED, Claim
from labs.claims.statement import MORE_WOULD_NOT_DECIDE
from labs.records.names.intervals import FASTER, POINT

Sizes = Mapping[str, Any]
"""The settings of a preset."""

MORE, UNKNOWN = "{} would take more than any preset has", "of {} it is not known"
MAY = "{} may decide {{}}"


def lines(claims: Sequence[Claim], presets: Mapping[str, Sizes], run: str) -> list[str]:
    """Return a line for each question with open claims, below one that says how to read them.

    ``run`` is the preset that the claims are of.
    """
    judged = [claim for claim in claims if claim.has_interval]
    left = [claim for claim in judged if claim.verdict == UNDECIDED]
    if not left:
        return []
    by_question: dict[str, Counter[str]] = {}
    for claim in left:
        by_question.setdefault(claim.question, Counter())[decided_by(claim, presets, run)] += 1
    return [
        f"Open: {len(left)} of {len(judged)} claims that are judged by an interval. What to expect "
        "where estimates stay, and intervals narrow with the square root of repetitions:",
        *(
            f"  {question.removeprefix('lab').replace('-', '.', 1)}: {by.total()} open; "
            + ", ".join(words.format(count) for words, count in by.most_common())
            for question, by in sorted(by_question.items())
        ),
    ]


def decided_by(claim: Claim, presets: Mapping[str, Sizes], run: str) -> str:
    """Return which preset may decide an open claim, or why none, in words about so many claims.

    Of several presets it is the one with the fewest repetitions.
    """
    wanted = more_needed(claim)
    now = repetitions(claim, presets.get(run, {}))
    if not wanted or not now:
        return UNKNOWN
    enough = {
        name: number
        for name, sizes in presets.items()
        if (number := repetitions(claim, sizes)) >= wanted * now
    }
    return MAY.format(min(enough, key=lambda name: enough[name])) if enough else MORE


def more_needed(claim: Claim) -> float:
    """Return how many times as many repetitions may decide an open claim; 0: it is not known.

    The interval has to leave out that there is no difference, or any that matters.
    """
    found = claim.estimate
    if claim.reason == MORE_WOULD_NOT_DECIDE:
        return math.inf
    if found is None or found.unit not in ("ratio", "points", "points lost"):
        return 0
    logarithm = found.logarithm() if found.unit == "ratio" else found
    matters = math.log(FASTER) if found.unit == "ratio" else POINT
    reach = (logarithm.high - logarithm.low) / 2
    times = (reach / max(abs(logarithm.value), matters - abs(logarithm.value))) ** 2
    # What is open with so narrow an interval is compared with something else, or with others.
    return times if times > 1 else 0


def repetitions(claim: Claim, sizes: Sizes) -> float:
    """Return how often a preset repeats what a claim is of, or the seconds that it may take."""
    times = claim.estimate is not None and claim.estimate.unit == "ratio"
    own, shared = ("processes", "budget") if times else ("seeds", "chains")
    section = sizes.get(claim.experiment.partition(" ")[0], {})
    return float(section.get(own, sizes.get(shared, 0)))

"""What a run leaves open, and which preset may decide it: an expectation, not a promise.

Of a time or an accuracy it is known how narrow an interval would decide. One is expected to narrow
as that of a mean does of what a preset has more of: processes for a time, chains or training seeds
for an accuracy. How a preset's other sizes move the estimate is not known.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scipy.special import stdtrit

from labs.analysis.learned import LEARNED
from labs.claims.claim import UNDECIDED, Claim
from labs.claims.statement import MORE_WOULD_NOT_DECIDE
from labs.records.names.intervals import CONFIDENCE, FASTER, POINT

Sizes = Mapping[str, Any]
"""The settings of a preset."""

MORE, UNKNOWN = "{} would take more than any preset has", "of {} it is not known"
MAY = "{} may decide {{}}"

SECONDS_A_PROCESS = 20
"""Of a budget, about: a process takes from 5 (MXINT8's kernels) to 40 (kernel fusion)."""


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
        "where estimates stay, and intervals narrow as those of means of more repetitions do:",
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
    wanted = narrowing_needed(claim)
    now = reach_of(claim, presets.get(run, {}))
    if not wanted or not now:
        return UNKNOWN
    reaches = {name: reach_of(claim, sizes) for name, sizes in presets.items()}
    enough = {name: reach for name, reach in reaches.items() if 0 < reach <= now / wanted}
    return MAY.format(max(enough, key=lambda name: enough[name])) if enough else MORE


def narrowing_needed(claim: Claim) -> float:
    """Return how many times as narrow an interval may decide an open claim; 0: it is not known.

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
    times = reach / max(abs(logarithm.value), matters - abs(logarithm.value))
    # What is open with so narrow an interval is compared with something else, or with others.
    return times if times > 1 else 0


def reach_of(claim: Claim, sizes: Sizes) -> float:
    """Return how far the interval of a mean reaches with a preset's repetitions, against their
    standard deviation; 0: it has not enough of them to tell.

    Chains are so few that Student's t counts, with what eight chains said of their kind. Processes
    are those of the preset, and those that its budget may buy.
    """
    times = claim.estimate is not None and claim.estimate.unit == "ratio"
    section = sizes.get(claim.experiment.partition(" ")[0], {})
    if times:
        bought = sizes.get("budget", 0) / SECONDS_A_PROCESS
        processes = section.get("processes", sizes.get("processes", 0) + bought)
        return 1 / math.sqrt(processes) if processes else 0
    number = float(section.get("seeds", sizes.get("chains", 0)))
    if number < 2:
        return 0
    learned = LEARNED.get(claim.experiment.replace(" ", "_"))
    freedom = number - 1 + (learned.freedom if learned else 0)
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2) / math.sqrt(number))

"""Claims about samplers: question 2.1."""

from typing import Unpack

from labs.analysis.values import Values
from labs.claims.rules import Published, Rules
from labs.claims.statement import Rule
from labs.experiments.search.samplers.values import END, HALF, STARTUP
from labs.records.names.intervals import POINT
from labs.records.record import Record

EXPERIMENT = "search"
QUESTION = "lab2-1"
TPE_BEST = ("B-tpe-outperforms", "C-tpe-best", "D-tpe-good")
AHEAD = {
    "tpe-random": "a search by TPE is ahead of a random one",
    "tpe-grid": "a search by TPE is ahead of one by the grid",
    "grid-random": "the grid sampler is ahead of random search",
}
WHEN = {STARTUP: "the startup of TPE", HALF: "half of the trials", END: "all trials"}


def rules(record: Record, values: Values) -> list[Rule]:
    trained = ("layers", "replaced", "reviews", "epochs")
    claim = Rules(record, values, "search", QUESTION).at("search", *trained)
    # A TPE whose searches end with its startup is random search under another name.
    is_tpe = "search.startup" in values and claim.number("startup") < claim.number("trials.end")
    guided = claim.only_if(is_tpe, "TPE beyond its startup")

    def ahead(of: Rules, pair: str, moment: str, **published: Unpack[Published]) -> Rule:
        """Assert that a pair's first sampler is more likely ahead, on what was trained."""
        name = f"{pair}.{moment}"
        return of.rule(
            f"{name}.ahead",
            f"On the models trained here, after {WHEN[moment]}, {AHEAD[pair]} more often than "
            "behind it.",
            lambda s: s.wins_more_often(of.value(name)),
            **published,
        )

    return [
        ahead(guided, "tpe-random", HALF),
        ahead(guided, "tpe-random", END, like=TPE_BEST),
        ahead(guided, "tpe-grid", HALF, like=TPE_BEST[:2]),
        ahead(guided, "tpe-grid", END),
        ahead(claim, "grid-random", STARTUP, against=("C-grid-slow",)),
        claim.rule(
            "same-peak",
            "On the models trained here, the samplers end at the same accuracy to within a point.",
            claim.at_most("spread", POINT),
            like=("B-same-peak",),
        ),
        claim.rule(
            "random-worse",
            "On the models trained here, random search ends behind both other samplers.",
            claim.superior("random_behind"),
            like=("D-random-worse",),
        ),
        guided.rule(
            "grid-like-tpe",
            "On the models trained here, the grid sampler and TPE end at the same accuracy.",
            guided.equivalent("grid_over_tpe"),
            like=("D-grid-like-tpe",),
        ),
        guided.rule(
            "tpe-repeats",
            "On the models trained here, TPE repeats architectures more often than random search.",
            guided.superior("more_repeats"),
        ),
    ]

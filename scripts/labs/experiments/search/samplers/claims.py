"""Claims about samplers: question 2.1."""

from typing import Unpack

from labs.claims.claim import Rule
from labs.claims.rules import Published, Rules
from labs.experiments.search.samplers.values import (
    END,
    HALF,
    STARTUP,
    Replays,
    is_guided,
    pair_name,
    values,
)
from labs.records.names.intervals import POINT
from labs.records.names.studies import GRID, RANDOM, TPE
from labs.records.record import Record

EXPERIMENT = "search"

QUESTION = "lab2-1"
WHEN = {STARTUP: "the startup of TPE", HALF: "half of the trials", END: "all trials"}


def rules(record: Record) -> list[Rule]:
    claim = Rules(record, "search", QUESTION, values).at("search", "layers", "replaced")
    searched = Replays(record) if claim.measured else None
    # A TPE whose searches end with its startup is random search under another name.
    is_tpe = searched is None or is_guided(record, searched.trials)
    guided = claim.where_run(is_tpe, "TPE beyond its startup")

    def ahead(
        of: Rules, pair: tuple[str, str], moment: str, words: str, **published: Unpack[Published]
    ) -> Rule:
        """Assert that a pair's first sampler is more likely ahead, on what was trained."""
        name = f"{pair_name(*pair)}.{moment}"
        return of.rule(
            f"{name}.ahead",
            f"After {WHEN[moment]}, {words}.",
            lambda s: s.oftener(of.value(name)),
            **published,
        )

    best = ("B-tpe-outperforms", "C-tpe-best", "D-tpe-good")
    of_tpe = (
        (RANDOM, "a random one", {END: best}),
        (GRID, "one by the grid", {HALF: best[:2]}),
    )
    by_tpe = "a search by TPE is ahead of {} more often than behind it"
    return [
        *(
            ahead(guided, (TPE, other), when, by_tpe.format(words), like=said.get(when, ()))
            for other, words, said in of_tpe
            for when in (HALF, END)
        ),
        ahead(
            claim,
            (GRID, RANDOM),
            STARTUP,
            "the grid sampler is ahead of random search more often than behind it",
            against=("C-grid-slow",),
        ),
        claim.rule(
            "same-peak",
            "In the end, the samplers have reached the same accuracy to within a point.",
            claim.below("spread", POINT),
            like=("B-same-peak",),
        ),
        claim.rule(
            "random-worse",
            "In the end, random search is behind both other samplers.",
            claim.gains("random_behind"),
            like=("D-random-worse",),
        ),
        guided.rule(
            "grid-like-tpe",
            "In the end, the grid sampler and TPE reach the same accuracy.",
            guided.same("grid_over_tpe"),
            like=("D-grid-like-tpe",),
        ),
        guided.rule(
            "tpe-repeats",
            "TPE tries architectures again that it has tried, more often than random search does.",
            guided.gains("more_repeats"),
        ),
    ]

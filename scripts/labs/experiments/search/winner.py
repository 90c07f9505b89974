"""The architecture that the search chose, on the test split; and the noise of one architecture.

The test split is read here and nowhere else: for what the searches chose, and for BERT-tiny trained
alike.
"""

import copy
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from labs.experiments.search import names
from labs.experiments.search.bench import Bench
from labs.experiments.search.names import TRIAL, Architecture, described
from labs.records.observations import Observations
from labs.records.packed import unpack
from labs.records.record import Record

TESTED = {
    TRIAL: (TRIAL, names.COMPRESSED, names.RETRAINED),
    names.COMPRESSED: (names.COMPRESSED,),
    names.RETRAINED: (names.RETRAINED, names.CONTROL),
}
"""The stages at which the winner of each objective is tested."""


def choose(parts: Sequence[Record], objective: str = TRIAL) -> int:
    """Return the number of the architecture with the best mean accuracy over all training seeds.

    It is the accuracy after a stage of OBJECTIVES. Of several that are equally good it is the
    first.
    """
    accuracies: dict[int, list[float]] = {}
    for part in parts:
        for fact in part["facts"]:
            if fact["name"] == "correct" and fact["arm"] == objective:
                number = fact["case"]["number"]
                accuracies.setdefault(number, []).append(float(unpack(fact["value"]).mean()))
    return max(sorted(accuracies), key=lambda number: np.mean(accuracies[number]))


def observe_default(
    seen: Observations, bench: Bench, architecture: Architecture, *, tested: bool
) -> None:
    """Keep what one training seed makes of the default: on validation; where ``tested``, on test.

    Seeds that are not tested show how far one architecture scatters.
    """
    model = next(bench.stages(architecture)).model
    for split in ("validation", "test") if tested else ("validation",):
        case = {"split": split, "architecture": described(architecture)}
        seen.fact("correct", bench.answers(model, split), "text", names.DEFAULT, **case)
    bench.forget(architecture, TRIAL)


def observe_winners(seen: Observations, bench: Bench, winners: Mapping[str, Architecture]) -> None:
    """Keep the winners' answers on the test split, each at the stages of TESTED.

    ``winners`` are by objective. That of the search without compression is also judged on
    validation again, to show whether training it repeats.
    """
    stages: dict[str, set[str]] = defaultdict(set)
    for objective, architecture in winners.items():
        stages[described(architecture)].update(TESTED[objective])
    trained = {described(architecture): architecture for architecture in winners.values()}
    answers = {name: _answers(seen, bench, trained[name], stages[name]) for name in trained}
    for objective, architecture in winners.items():
        name = described(architecture)
        for stage in TESTED[objective]:
            case = {"split": "test", "architecture": name, "objective": objective}
            seen.fact("correct", answers[name][stage], "text", stage, **case)
    case = {"split": "test", "architecture": described(winners[TRIAL])}
    seen.fact("correct", answers[case["architecture"]][TRIAL], "text", names.WINNER, **case)


def _answers(
    seen: Observations, bench: Bench, architecture: Architecture, stages: Collection[str]
) -> dict[str, str]:
    """Return a trained architecture's answers on the test split, by stage."""
    tested = {}
    for stage, model, _ in bench.stages(architecture):
        if stage in stages:
            tested[stage] = bench.answers(model, "test")
        if stage == TRIAL and TRIAL in stages:
            _compare_again(seen, bench, architecture, bench.answers(model, "validation"))
        if stage == TRIAL and names.CONTROL in stages:
            control = copy.deepcopy(model)
            bench.train_again(control, architecture, names.CONTROL)
            tested[names.CONTROL] = bench.answers(control, "test")
        if tested.keys() == stages:
            break
    bench.forget(architecture, *names.OBJECTIVES, names.CONTROL)
    return tested


def _compare_again(
    seen: Observations, bench: Bench, architecture: Architecture, again: str
) -> None:
    case = {"split": "validation", "architecture": described(architecture)}
    seen.fact("correct", again, "text", names.WINNER, **case)
    before = unpack(bench.evaluate(architecture)[TRIAL]["correct"])
    seen.fact("different answers", int((unpack(again) != before).sum()), "count", names.WINNER)

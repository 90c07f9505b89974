"""The architecture that the search chose, on the test split; and the noise of one architecture.

The test split is read here and nowhere else: for what the searches chose, and for BERT-tiny trained
alike.
"""

import copy
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from labs.experiments.search.bench import Bench
from labs.experiments.search.names import (
    COMPRESSED,
    CONTROL,
    DEFAULT,
    OBJECTIVES,
    RETRAINED,
    TRIAL,
    WINNER,
    Architecture,
    described,
)
from labs.records.answers import unpack
from labs.records.observations import Observations
from labs.records.record import Record

TESTED = {
    TRIAL: (TRIAL, COMPRESSED, RETRAINED),
    COMPRESSED: (COMPRESSED,),
    RETRAINED: (RETRAINED, CONTROL),
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
        seen.fact("correct", bench.answers(model, split), "text", DEFAULT, **case)
    bench.forget(architecture, TRIAL)


def observe_winners(seen: Observations, bench: Bench, winners: Mapping[str, Architecture]) -> None:
    """Keep the winners' answers on the test split, each at the stages of TESTED.

    The winner of the search without compression is also judged on validation again, to show
    whether training it repeats.
    """
    found: dict[str, Mapping[str, str]] = {}
    for architecture in winners.values():
        name = described(architecture)
        if name not in found:
            wanted = {
                stage
                for objective in OBJECTIVES
                if described(winners[objective]) == name
                for stage in TESTED[objective]
            }
            found[name] = _answers(seen, bench, architecture, wanted)
    for objective, architecture in winners.items():
        name = described(architecture)
        for stage in TESTED[objective]:
            case = {"split": "test", "architecture": name, "objective": objective}
            seen.fact("correct", found[name][stage], "text", stage, **case)
    first = described(winners[TRIAL])
    seen.fact("correct", found[first][TRIAL], "text", WINNER, split="test", architecture=first)


def _answers(
    seen: Observations, bench: Bench, architecture: Architecture, wanted: Collection[str]
) -> dict[str, str]:
    """Return a trained architecture's answers on the test split, by stage."""
    found = {}
    for stage, model, _ in bench.stages(architecture):
        if stage in wanted:
            found[stage] = bench.answers(model, "test")
        if stage == TRIAL and TRIAL in wanted:
            _compare_again(seen, bench, architecture, bench.answers(model, "validation"))
        if stage == TRIAL and CONTROL in wanted:
            control = copy.deepcopy(model)
            bench.train_again(control, architecture, CONTROL)
            found[CONTROL] = bench.answers(control, "test")
        if found.keys() == wanted:
            break
    bench.forget(architecture, *OBJECTIVES, CONTROL)
    return found


def _compare_again(
    seen: Observations, bench: Bench, architecture: Architecture, again: str
) -> None:
    case = {"split": "validation", "architecture": described(architecture)}
    seen.fact("correct", again, "text", WINNER, **case)
    known = unpack(bench.evaluate(architecture)[TRIAL]["correct"])
    different = int((unpack(again) != known).sum())
    seen.fact("different answers", different, "count", WINNER)

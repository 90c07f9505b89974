"""The architecture that the search chose, on the test split; and the noise of one architecture.

The test split is read here and nowhere else: for what the searches chose, and for BERT-tiny trained
alike.
"""

import copy
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


def accuracies(part: Record, stage: str) -> dict[int, float]:
    """Return the accuracy of each architecture on validation after a stage, by its number."""
    return {
        fact["case"]["number"]: float(unpack(fact["value"]).mean())
        for fact in part["facts"]
        if (fact["name"], fact["arm"]) == ("correct", stage)
    }


def choose(parts: Sequence[Record], objective: str = TRIAL) -> int:
    """Return the number of the architecture with the best mean accuracy over all training seeds.

    It is the accuracy after a stage of OBJECTIVES. Of several that are equally good it is the
    first.
    """
    found = [accuracies(part, objective) for part in parts]
    return max(sorted(found[0]), key=lambda number: np.mean([seed[number] for seed in found]))


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
    answers: dict[str, dict[str, str]] = {}
    for objective, architecture in winners.items():
        name = described(architecture)
        if name not in answers:
            chosen = [one for one, other in winners.items() if other == architecture]
            stages = {stage for one in chosen for stage in TESTED[one]}
            answers[name] = _answers(seen, bench, architecture, stages)
        for stage in TESTED[objective]:
            case = {"split": "test", "architecture": name, "objective": objective}
            seen.fact("correct", answers[name][stage], "text", stage, **case)
    name = described(winners[TRIAL])
    case = {"split": "test", "architecture": name}
    seen.fact("correct", answers[name][TRIAL], "text", names.WINNER, **case)


def _answers(
    seen: Observations, bench: Bench, architecture: Architecture, stages: Collection[str]
) -> dict[str, str]:
    """Return a trained architecture's answers on the test split, by stage."""
    tested = {}
    for stage, model, _ in bench.stages(architecture):
        if stage in stages:
            tested[stage] = bench.answers(model, "test")
        if stage == TRIAL and TRIAL in stages:
            again = bench.answers(model, "validation")
            case = {"split": "validation", "architecture": described(architecture)}
            seen.fact("correct", again, "text", names.WINNER, **case)
            before = bench.evaluate(architecture)[TRIAL]["correct"]
            different = int((unpack(again) != unpack(before)).sum())
            seen.fact("different answers", different, "count", names.WINNER)
        if stage == TRIAL and names.CONTROL in stages:
            control = copy.deepcopy(model)
            bench.train_again(control, architecture, names.CONTROL)
            tested[names.CONTROL] = bench.answers(control, "test")
        if tested.keys() == stages:
            break
    bench.forget(architecture, *names.OBJECTIVES, names.CONTROL)
    return tested

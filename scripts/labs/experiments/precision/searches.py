"""The searches of Lab 3: each a space of formats by layer, and what its trials are worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from optuna.study import StudyDirection

from labs.experiments.precision import names
from labs.experiments.precision.bench import Bench, Training
from labs.experiments.precision.bits import Costs
from labs.experiments.precision.names import Allocation
from labs.formats.configurations import at_widths
from labs.formats.names import FLOAT32, FORMATS
from labs.records.names.studies import NSGA2, RANDOM, TPE, Space
from labs.studies.samplers import Sampler
from labs.studies.study import Trial, run


@dataclass(frozen=True)
class Search:
    """A study: its name and part, the formats that each layer chooses from, and its sampler.

    ``learning_rate``: that at which each trial trains first; 0: none does. ``penalty``: accuracy
    that an average bit costs. With ``two``, accuracy and bits are two objectives.
    """

    name: str
    part: str
    choices: Sequence[str]
    sampler: str = TPE
    learning_rate: float = 0.0
    penalty: float = 0.0
    two: bool = False

    def training(self, seed: int) -> Training | None:
        """Return how models are trained, with a seed; None where none is trained."""
        return Training(seed, self.learning_rate) if self.learning_rate else None


def of_pairs(rate: float) -> list[Search]:
    """Return the searches of question 3.1: width and fractional width of each layer.

    One trains its trials, at this learning rate.
    """
    choices = (FLOAT32, *names.LAB_PAIRS)
    return [
        Search(names.PAIRS, names.PAIRS, choices),
        Search(names.PAIRS_QUANTIZED, names.PAIRS, names.LAB_PAIRS),
        Search(names.PAIRS_TRAINED, names.PAIRS, choices, learning_rate=rate),
    ]


def of_formats() -> list[Search]:
    """Return those of question 3.2: one a format, which each layer has or has not."""
    return [Search(name, names.EACH, (FLOAT32, name)) for name in FORMATS]


def of_all(widths: Sequence[int]) -> list[Search]:
    """Return those of question 3.2b: every format at once, and at every width."""
    narrow = [spelled for name in FORMATS for spelled in at_widths(name, widths)]
    return [
        Search(names.ALL, names.ALL, (FLOAT32, *FORMATS)),
        Search(names.ALL_QUANTIZED, names.ALL, narrow),
    ]


def of_cost(widths: Sequence[int], penalties: Sequence[float]) -> list[Search]:
    """Return those of question 3.2c: accuracy against bits, as one objective and as two."""
    choices = at_widths(names.COST_FORMAT, widths)
    samplers = (NSGA2, TPE, RANDOM)
    return [
        *(Search(f"lambda {each:g}", names.COST, choices, penalty=each) for each in penalties),
        *(Search(sampler, names.COST, choices, sampler, two=True) for sampler in samplers),
    ]


def trials_of(search: Search, bench: Bench, costs: Costs, wanted: int, startup: int) -> list[Trial]:
    """Return the trials of a search, at most as many as its space holds."""
    space: Space = dict.fromkeys(bench.layers, search.choices)
    if search.sampler == NSGA2:
        # Its population: a child has two parents, and with fewer than four generations it would be
        # random search.
        startup = max(2, wanted // 4)
    sampler = Sampler(search.sampler, space, bench.seed, startup)

    def objectives(allocation: Allocation) -> Sequence[float]:
        accuracy = bench.accuracy(allocation, names.TRIALS, search.training(bench.seed))
        bits = costs.bits(allocation)
        return (accuracy, bits) if search.two else (accuracy - search.penalty * bits,)

    directions = [StudyDirection.MAXIMIZE]
    if search.two:
        directions.append(StudyDirection.MINIMIZE)
    return run(search.name, sampler, min(wanted, sampler.cells), objectives, directions)


def best_of(trials: Sequence[Trial], number: int) -> list[Allocation]:
    """Return the best different allocations by their first value, the earliest of equal ones."""
    best: list[Allocation] = []
    for trial in sorted(trials, key=lambda trial: -trial.values[0]):
        if dict(trial.parameters) not in best:
            best.append(dict(trial.parameters))
    return best[:number]

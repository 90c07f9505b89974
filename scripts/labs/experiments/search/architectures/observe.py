"""The search: all architectures of a grid trained once, and samplers replayed on the results.

They are trained at the rate that is the best for the first of them, BERT-tiny itself.
"""

from collections.abc import Callable, Sequence

from labs.experiments.search import names, sizes
from labs.experiments.search import space as spaces
from labs.experiments.search.bench import Bench
from labs.experiments.search.job import job
from labs.experiments.search.names import Architecture, described
from labs.experiments.search.replay import replays
from labs.experiments.search.sizes import Comparison
from labs.records.names.studies import GRID, RATES, Space
from labs.records.observations import Observations
from labs.studies.rates import choose
from labs.studies.samplers import Sampler
from labs.studies.study import Trial, run


def observe(
    bench_at: Callable[[float], Bench],
    replicate: int,
    space: Space,
    comparison: Comparison,
    learning_rates: Sequence[float],
    least_accuracy: float,
) -> Observations:
    """Return what one training seed saw of every architecture, and the replays on that.

    Raises SystemExit when the first architecture, BERT-tiny itself, ends below the least accuracy.
    """
    seen = Observations(replicate)
    architectures = spaces.architectures(space)
    for rate in learning_rates:
        result = bench_at(rate).evaluate(architectures[0], last=names.TRIAL)[names.TRIAL]
        case = {"split": "validation", "learning_rate": rate}
        seen.fact("correct", result["correct"], "text", RATES, **case)
    bench = bench_at(choose(seen))
    _check(bench, architectures[0], least_accuracy)
    trials = run(
        f"{GRID}-{bench.seed}",
        Sampler(GRID, space, bench.seed, startup=1),
        len(architectures),
        lambda architecture: [bench.accuracy(architecture)],
    )
    _observe_trials(seen, bench, architectures, trials)
    values = [bench.accuracy(architecture) for architecture in architectures]
    for name in names.SAMPLERS:
        seen.fact("replays", replays(name, space, values, comparison), "text", name)
    return seen


def _check(bench: Bench, architecture: Architecture, least_accuracy: float) -> None:
    accuracy = bench.accuracy(architecture)
    if accuracy < least_accuracy:
        raise SystemExit(
            f"error: {described(architecture)} with seed {bench.seed} is right on {accuracy:.1%} "
            f"of the validation reviews, below the {least_accuracy:.0%} of search.least-accuracy "
            "in config.yaml: this compares nothing; train on more reviews or for more epochs"
        )


def _observe_trials(
    seen: Observations, bench: Bench, architectures: Sequence[Architecture], trials: list[Trial]
) -> None:
    """Keep each architecture's answers, loss and cost by stage, its size, and its place."""
    order = [trial.parameters for trial in trials]
    for number, architecture in enumerate(architectures):
        evaluation = bench.evaluate(architecture)
        case = {"number": number, "architecture": described(architecture)}
        for stage in names.OBJECTIVES:
            result = evaluation[stage]
            seen.fact("correct", result["correct"], "text", stage, split="validation", **case)
            seen.fact("loss", result["loss"], "bits", stage, split="validation", **case)
            seen.fact("core-seconds", result["core_seconds"], "s", stage, **case)
        seen.fact("parameters", evaluation["parameters"], "count", names.TRIAL, **case)
        seen.fact("early loss", evaluation["early_loss"], "bits", names.TRIAL, **case)
        seen.fact("rounded to zero", evaluation["zeros"], "share", names.COMPRESSED, **case)
        seen.fact("trial", order.index(dict(architecture)) + 1, "count", names.TRIAL, **case)
    seen.fact("asking", sum(trial.asking for trial in trials), "s", GRID)


JOB = job(observe, sizes.ARCHITECTURES)

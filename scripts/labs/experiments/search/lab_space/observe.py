"""A sampler on the lab's whole space: every trial is an architecture that is trained and judged."""

from labs.experiments.search import sizes
from labs.experiments.search import space as spaces
from labs.experiments.search.bench import Bench
from labs.experiments.search.job import job
from labs.experiments.search.names import LAB_SAMPLERS, LAB_SPACE, TRIAL, described
from labs.records.observations import Observations
from labs.studies.importance import LEAST_TRIALS, by_chance, importances
from labs.studies.samplers import Sampler
from labs.studies.study import run


def observe(
    bench: Bench, replicate: int, sampler: str, startup: int, lab_trials: int
) -> Observations:
    """Return what a sampler saw in so many trials with one training seed.

    An architecture that is tried again is not trained again; its cost counts again. Of enough
    trials it keeps what matters.
    """
    trials = run(
        f"lab-{sampler}-{bench.seed}",
        Sampler(sampler, spaces.LAB, bench.seed, startup),
        lab_trials,
        lambda parameters: [bench.accuracy(spaces.present(parameters), last=TRIAL)],
    )
    seen = Observations(replicate)
    architectures = [spaces.present(trial.parameters) for trial in trials]
    for number, architecture in enumerate(architectures, start=1):
        evaluation = bench.evaluate(architecture, last=TRIAL)
        result = evaluation[TRIAL]
        case = {"sampler": sampler, "trial": number, "architecture": described(architecture)}
        seen.fact("correct", result["correct"], "text", LAB_SPACE, split="validation", **case)
        seen.fact("core-seconds", result["core_seconds"], "s", LAB_SPACE, **case)
        seen.fact("parameters", evaluation["parameters"], "count", LAB_SPACE, **case)
    if lab_trials >= LEAST_TRIALS:
        accuracies = [trial.values[0] for trial in trials]
        shares = importances(spaces.LAB, architectures, accuracies)
        chance = by_chance(spaces.LAB, architectures, accuracies, bench.seed)
        for parameter in spaces.LAB:
            case = {"sampler": sampler, "parameter": parameter}
            seen.fact("importance", shares[parameter], "share", LAB_SPACE, **case)
            seen.fact("importance by chance", chance[parameter], "share", LAB_SPACE, **case)
    return seen


JOB = job(observe, sizes.LAB_SPACE, choice=("sampler", LAB_SAMPLERS))

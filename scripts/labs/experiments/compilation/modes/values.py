"""Values and tables of what eval(), no_grad(), a compiler cache and smaller batches change."""

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import all_counted, paired
from labs.analysis.statistics import location
from labs.analysis.values import Tree
from labs.experiments.compilation import names
from labs.experiments.compilation.names import COMPILED, CORRECTED, EAGER, LAB
from labs.experiments.compilation.part import Part, add_common, by_model
from labs.records.quantity import counted
from labs.records.record import Record

BATCHES = {
    names.SMALL: {"batch": "small_batch_size"},
    names.ONE: {},
    names.BERT_TINY: {"batch": "bert_tiny_batch_size", "tokens": "bert_tiny_sequence_length"},
}
"""What is said of each model's batch, by the names of values and of the record's settings."""

ANALYSIS = Analysis("compilation_modes", "compilation", models=tuple(BATCHES))
ANALYSIS.table("compilation_clocks")(clock_table)


def parts(record: Record) -> list[Part]:
    return [Part(record, model) for model in BATCHES]


add_common(ANALYSIS, "compilation_modes", parts)
ANALYSIS.values(lambda record: by_model(parts(record), _values))


def _values(part: Part) -> Tree:
    sizes = {name: part.record["spec"][key] for name, key in BATCHES[part.model].items()}
    return {
        **all_counted("count", sizes),
        **_warm_cache_values(part),
        "modes": _gains_of_modes(part),
        "noise_floor": counted(part.samples.floor(EAGER, mode=part.modes()[0]), "share"),
    }


def _gains_of_modes(part: Part) -> Tree:
    """Return what eval() gains, then no_grad(), then both, without compiling.

    Where the lab's mode was compiled as well: what both gain when compiled, and for compiling.
    """
    samples = part.samples
    lab, evaluating, corrected = (
        samples.steady(EAGER, mode=mode) for mode in (LAB, names.EVAL_GRAD, CORRECTED)
    )
    gains: dict[str, Tree] = {
        "eager": {
            "eval": {"speedup": samples.of_ratios(paired(lab, evaluating))},
            "no_grad": {"speedup": samples.of_ratios(paired(evaluating, corrected))},
            "speedup": samples.of_ratios(paired(lab, corrected)),
        }
    }
    if {LAB, CORRECTED} <= set(part.modes()):
        lab, corrected = (samples.steady(COMPILED, mode=mode) for mode in (LAB, CORRECTED))
        before, after = (samples.ratios(EAGER, COMPILED, mode=mode) for mode in (LAB, CORRECTED))
        gains["compiled"] = {"speedup": samples.of_ratios(paired(lab, corrected))}
        gains["gain"] = {"speedup": samples.of_ratios(after / before)}
    return gains


def _warm_cache_values(part: Part) -> Tree:
    """Return the first call with an empty cache, with a filled one, and the speed-up.

    Several processes may take what the same one left in a cache: they are one replicate.
    """
    samples, mode = part.samples, part.modes()[0]
    caches = {load["process"]: load["cache"] for load in part.record["loads"]}
    cold, warm = (
        part.first_calls(mode, cache)[0].rename(caches) for cache in (names.COLD, names.WARM)
    )
    warm = warm.groupby(level=0).agg(lambda calls: location(calls, samples.first_stage).value)
    return {
        "cold_cache": samples.location(cold, "s"),
        "warm_cache": {
            "": samples.location(warm, "s"),
            "speedup": samples.of_ratios(cold / warm),
        },
    }

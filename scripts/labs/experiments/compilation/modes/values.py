"""Values and tables of what eval(), no_grad(), a compiler cache and smaller batches change."""

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import paired, prefixed
from labs.analysis.statistics import location
from labs.analysis.values import slug
from labs.experiments.compilation import names
from labs.experiments.compilation.names import COMPILED, CORRECTED, EAGER, LAB
from labs.experiments.compilation.part import Part, part_values
from labs.experiments.compilation.part_tables import first_call_table, steady_table
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("compilation_modes", "compilation")
ANALYSIS.table("compilation_clocks")(clock_table)

SIZES = {
    names.SMALL: {"batch": "small_batch_size", "pixels": "image_size"},
    names.ONE: {"pixels": "image_size"},
    names.BERT_TINY: {"batch": "bert_tiny_batch_size", "tokens": "bert_tiny_sequence_length"},
}
"""The sizes of each model's input, by the names of values and of the record's settings."""


def parts(record: Record) -> list[Part]:
    """Return a record's parts, one per model and batch."""
    return [Part(record, model) for model in SIZES]


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    values: dict[str, Quantity] = {}
    for part in parts(record):
        values |= prefixed(part.prefix, _model_values(part))
    return values


def _model_values(part: Part) -> dict[str, Quantity]:
    floor = part.samples.floor(EAGER, mode=part.modes[0])
    values = {
        **part_values(part),
        **_eager_speedups(part),
        **_warm_cache_values(part),
        "noise_floor": counted(floor, "share"),
    }
    for name, setting in SIZES[part.model].items():
        values[name] = counted(part.record["spec"][setting], "count")
    for mode in names.MODES:
        values[f"{slug(mode)}.eager.steady"] = part.samples.time(EAGER, mode=mode)
    if {LAB, CORRECTED} <= set(part.modes):
        values |= _compiled_speedups(part)
    return values


def _eager_speedups(part: Part) -> dict[str, Quantity]:
    """Return the speed-ups of eval(), then of no_grad(), then of both, without compiling."""
    lab, evaluating, corrected = (
        part.samples.steady(EAGER, mode=mode) for mode in (LAB, names.EVAL_GRAD, CORRECTED)
    )
    return {
        "modes.eager.eval.speedup": part.samples.of_ratios(paired(lab, evaluating)),
        "modes.eager.no_grad.speedup": part.samples.of_ratios(paired(evaluating, corrected)),
        "modes.eager.speedup": part.samples.of_ratios(paired(lab, corrected)),
    }


def _compiled_speedups(part: Part) -> dict[str, Quantity]:
    """Return the corrected mode's speed-up when compiled, and how much more it gains thereby."""
    samples = part.samples
    lab, corrected = (samples.steady(COMPILED, mode=mode) for mode in (LAB, CORRECTED))
    before, after = (samples.ratios(EAGER, COMPILED, mode=mode) for mode in (LAB, CORRECTED))
    return {
        "modes.compiled.speedup": samples.of_ratios(paired(lab, corrected)),
        "modes.gain.speedup": samples.of_ratios(after / before),
    }


def _warm_cache_values(part: Part) -> dict[str, Quantity]:
    """Return the first call with an empty cache, with a filled one, and the speed-up.

    Several processes may take what the same one left in a cache: they are one replicate.
    """
    samples, mode = part.samples, part.modes[0]
    caches = {load["process"]: load["cache"] for load in part.record["loads"]}
    cold, warm = (
        part.first_calls(mode, cache).rename(caches) for cache in (names.COLD, names.WARM)
    )
    warm = warm.groupby(level=0).agg(lambda calls: location(calls, samples.first_stage).value)
    return {
        "cold_cache": samples.location(cold, "s"),
        "warm_cache": samples.location(warm, "s"),
        "warm_cache.speedup": samples.of_ratios(cold / warm),
    }


ANALYSIS.table("compilation_modes_first_call")(lambda record: first_call_table(parts(record)))
ANALYSIS.old_table_of_values("compilation_modes_steady")(
    lambda record, values: steady_table(parts(record), values)
)

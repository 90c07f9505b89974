"""Values and tables of what eval(), no_grad(), a compiler cache and smaller batches change."""

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import Value, exactly, paired, slug
from labs.experiments.compilation.names import (
    BERT_TINY,
    COMPILED,
    CORRECTED,
    EAGER,
    EVAL_GRAD,
    LAB,
    MODES,
    ONE,
    SMALL,
)
from labs.experiments.compilation.part import Part, part_values, warm_cache_values
from labs.experiments.compilation.part_tables import first_call_table, steady_table
from labs.records.record import Record

ANALYSIS = Analysis("compilation_modes")
ANALYSIS.table("compilation_clocks")(clock_table)

SIZES = {
    SMALL: {"batch": "small_batch_size", "pixels": "image_size"},
    ONE: {"pixels": "image_size"},
    BERT_TINY: {"batch": "bert_tiny_batch_size", "tokens": "bert_tiny_sequence_length"},
}
"""The sizes of each model's input, by the names of values and of the record's settings."""


def parts(record: Record) -> list[Part]:
    """Return a record's parts, one per model and batch."""
    return [Part(record, model) for model in SIZES]


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for part in parts(record):
        found |= part_values(part) | _ablation_values(part) | warm_cache_values(part)
        floor = part.samples.floor(EAGER, mode=part.modes[0])
        found[f"{part.prefix}.noise_floor"] = exactly(floor, "share")
        for name, setting in SIZES[part.model].items():
            found[f"{part.prefix}.{name}"] = exactly(record["spec"][setting], "count")
        for mode in MODES:
            name = f"{part.prefix}.{slug(mode)}.eager.steady"
            found[name] = part.samples.time(EAGER, mode=mode)
        if {LAB, CORRECTED} <= set(part.modes):
            found |= _compiled_values(part)
    return found


def _ablation_values(part: Part) -> dict[str, Value]:
    """Return the speed-ups of eval(), then of no_grad(), then of both, without compiling."""
    name = f"{part.prefix}.modes"
    lab, evaluating, corrected = (
        part.samples.steady(EAGER, mode=mode) for mode in (LAB, EVAL_GRAD, CORRECTED)
    )
    return {
        f"{name}.eager.{what}speedup": part.samples.of_ratios(paired(*arms))
        for what, arms in (
            ("eval.", (lab, evaluating)),
            ("no_grad.", (evaluating, corrected)),
            ("", (lab, corrected)),
        )
    }


def _compiled_values(part: Part) -> dict[str, Value]:
    """Return the corrected mode's speed-up when compiled, and how much more it gains thereby."""
    name = f"{part.prefix}.modes"
    samples = part.samples
    lab, corrected = (samples.steady(COMPILED, mode=mode) for mode in (LAB, CORRECTED))
    before, after = (samples.ratios(EAGER, COMPILED, mode=mode) for mode in (LAB, CORRECTED))
    return {
        f"{name}.compiled.speedup": samples.of_ratios(paired(lab, corrected)),
        f"{name}.gain.speedup": samples.of_ratios(after / before),
    }


ANALYSIS.table("compilation_modes_first_call")(lambda record: first_call_table(parts(record)))
ANALYSIS.table("compilation_modes_steady")(lambda record: steady_table(parts(record)))

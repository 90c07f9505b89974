"""Values and tables of memory: where the bytes of a model are, and how many MXINT8 saves."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted, fact, fact_by, prefixed
from labs.analysis.published import numbers
from labs.analysis.values import Values, slug
from labs.experiments.mxint8 import names
from labs.experiments.mxint8.names import FLOAT32, LAB_MODEL, PACKED
from labs.records.quantity import Quantity
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_memory", per_device=True)
prefix = ANALYSIS.prefix

FLOAT_BITS, EXPONENT_BITS = 32, 8
LAB_MEASURED = "L-memory-measured"


def formula(mantissa_bits: int, group_size: int) -> float:
    """Return the share of float32's bits that a mantissa and its part of a shared scale save."""
    bits = mantissa_bits + EXPONENT_BITS / group_size
    return (FLOAT_BITS - bits) / FLOAT_BITS


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    size = record["spec"]["group_size"]
    formulas = {"formula.four": formula(4, size), "formula.eight": formula(8, size)}
    result = all_counted("count", {"group_size": size}) | all_counted("share", formulas)
    for model in record["spec"]["models"]:
        result |= prefixed(model, _of_model(record, model))
    return prefixed(prefix(record), result)


def _of_model(record: Record, model: str) -> dict[str, Quantity]:
    parameters = _by_kind(record, "parameters", FLOAT32, model)
    before, after = (_by_kind(record, "bytes", arm, model) for arm in (FLOAT32, PACKED))
    total, packed = sum(before.values()), sum(after.values())
    predicted, predicted_packed = (
        sum(_by_kind(record, "predicted bytes", arm, model).values()) for arm in (FLOAT32, PACKED)
    )
    weights = fact(record, "linear weights", PACKED, model=model)
    encoder = fact(record, "linear weights", PACKED, model=model, place="encoder")
    counts = {"parameters": sum(parameters.values()), "encoder.layers": len(encoder)}
    sizes = {
        "float32.bytes": total,
        "mxint8.bytes": packed,
        "predicted": predicted_packed,
        "twice.bytes": total + after[names.QUANTIZED],
        **{f"{slug(kind)}.bytes": size for kind, size in before.items()},
    }
    shares = {
        "quantized_share": before[names.QUANTIZED] / total,
        "predicted.saved": 1 - predicted_packed / predicted,
        "saved": 1 - packed / total,
        "encoder_share": sum(encoder) / sum(weights),
        "embeddings.part": before[names.EMBEDDINGS] / (total - before[names.QUANTIZED]),
    }
    for arm in (FLOAT32, PACKED, names.DECODED_WHOLE):
        (call,) = fact(record, "peak of a call", arm, model=model)
        sizes[f"{slug(arm)}.call"] = call
        sizes[f"{slug(arm)}.peak"] = call + (total if arm == FLOAT32 else packed)
        if arm != FLOAT32:
            saved = 1 - sizes[f"{slug(arm)}.peak"] / sizes["float32.peak"]
            shares[f"{slug(arm)}.peak_saved"] = saved
    for arm, short in ((PACKED, "package"), (names.LOOP, "loop")):
        (peak,) = fact(record, "peak of conversion", arm, model=model)
        sizes[f"conversion.{short}.peak"] = peak
        sizes[f"conversion.{short}.extra"] = peak - total
    return all_counted("count", counts) | all_counted("bytes", sizes) | all_counted("share", shares)


def _by_kind(record: Record, name: str, arm: str, model: str) -> dict[str, float]:
    """Return a fact about a model by kind of tensor."""
    return fact_by(record, "kind", name, arm, model=model)


@ANALYSIS.table("mxint8_memory_account")
def account_table(record: Record) -> pd.DataFrame:
    """Return one row per model and kind of tensor: parameters; bytes before, after, predicted."""
    columns = {
        "parameters": ("parameters", FLOAT32),
        "float32": ("bytes", FLOAT32),
        "predicted": ("predicted bytes", PACKED),
        "mxint8": ("bytes", PACKED),
    }
    accounts = {}
    for model in record["spec"]["models"]:
        account = pd.DataFrame(
            {column: _by_kind(record, *source, model) for column, source in columns.items()}
        )
        kinds = [kind for kind in names.KINDS if kind in account.index]
        accounts[record["device"], model] = account.loc[kinds]
    return pd.concat(accounts, names=["device", "model", "kind"]).reset_index()


@ANALYSIS.old_table_of_values("mxint8_memory_waterfall")
def waterfall_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per step of each model's waterfall: the share saved after it, and its source.

    The steps lead from the sheet's formula to what the lab measures: the peak of a call of a model
    whose layers decode whole weights.  Tensors that are not quantized lose what the formula for
    eight bits would have saved on them.
    """

    def number(*parts: str) -> float:
        return values[".".join([prefix(record), *parts])].value

    table = []
    for model in record["spec"]["models"]:
        eight = number("formula.eight")
        embeddings = number(model, "embeddings.bytes") / number(model, "float32.bytes")
        peaks = [number(model, f"{arm}.peak_saved") for arm in ("mxint8", "mxint8-decoded-whole")]
        steps = [
            ("the sheet: 4 bits a mantissa", "formula", number("formula.four")),
            ("8 bits a mantissa", "formula", eight),
            ("embeddings stay", "formula", eight * (1 - embeddings)),
            ("biases and the rest stay", "formula", number(model, "predicted.saved")),
            ("the model", "measured", number(model, "saved")),
            ("peak of a call", "measured", peaks[0]),
            ("peak, weights decoded whole", "measured", peaks[1]),
        ]
        if model == LAB_MODEL:
            saving = numbers(LAB_MEASURED)["saving"]
            steps.append(("peak, in the lab's notebook", "published", saving))
        table += [(record["device"], model, *step) for step in steps]
    return pd.DataFrame(table, columns=["device", "model", "step", "source", "saved"])

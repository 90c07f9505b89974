"""Values and tables of attention: time, memory and bounds, by number format and sequence length."""

from itertools import product
from operator import itemgetter

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import Samples, columns, fact, gained, prefixed, processes, rows
from labs.analysis.values import Values, slug
from labs.experiments.fusion.attention import names
from labs.experiments.fusion.attention.names import COMPARED, FUSED, LAB_DTYPE, NAIVE
from labs.records.names.timing import aa_arm
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("fusion", subject="attention", per_device=True)
prefix = ANALYSIS.prefix
ANALYSIS.table("fusion_clocks")(clock_table)

ITEM_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
WORTH_A_LINE = 0.01
"""Operators below this share of the profiled time are left out of the table."""
SCORE_PASSES = 6
"""How often the naive implementation moves the score matrix: the first product writes it, scaling
and softmax each read and write it, the second product reads it."""
VERDICTS = {True: "passes", False: "fails"}


def arms(record: Record, dtype: str) -> list[str]:
    """Return the arms timed at the lab's shape, the baseline first."""
    timed = rows(record, "samples", quantity="steady", dtype=dtype, shape=names.LAB)
    return [arm for arm in timed["arm"].unique() if arm != aa_arm(NAIVE)]


def longest_shape(record: Record) -> list[int]:
    """Return the shape at the longest sequence of the sweep."""
    _, heads, _, dimension = record["spec"]["shape"]
    return [record["spec"]["sweep_batch"], heads, max(record["spec"]["lengths"]), dimension]


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    samples, spec = Samples(record), record["spec"]
    copy_rates = fact(record, "bytes moved", "copy")[0] / samples.medians("copy")
    ends = {"shortest": min(spec["lengths"]), "longest": max(spec["lengths"])}
    values = {
        "processes": processes(record),
        "copy.rate": samples.location(copy_rates, "bytes/s"),
        **{word: counted(length, "count") for word, length in ends.items()},
        **_check_values(record),
    }
    for dtype in spec["dtypes"]:
        values |= prefixed(dtype, _lab_values(record, samples, dtype, copy_rates))
        for length in spec["lengths"]:
            at_length = _sweep_values(record, samples, dtype, length)
            for word in (f"L{length}", *(word for word, end in ends.items() if end == length)):
                values |= prefixed(f"{dtype}.{word}", at_length)
    speedups = [values[f"{dtype}.fused.speedup"].value for dtype in spec["dtypes"]]
    values["dtype_spread"] = counted(max(speedups) / min(speedups), "ratio")
    return prefixed(prefix(record), values | _block_values(record, samples))


def _lab_values(
    record: Record, samples: Samples, dtype: str, copy_rates: pd.Series
) -> dict[str, Quantity]:
    """Return the values of one number format at the lab's shape."""
    case = {"dtype": dtype, "shape": names.LAB}
    batch, heads, length, dimension = record["spec"]["shape"]
    tensor = batch * heads * length * dimension * ITEM_BYTES[dtype]
    scores = batch * heads * length * length * ITEM_BYTES[dtype]
    operations = 4 * batch * heads * length * length * dimension
    rewrites = fact(record, "attention rewrites", names.COMPILED, **case)
    values = {
        "noise_floor": counted(samples.floor(NAIVE, **case), "share"),
        "products.share": samples.share(names.PRODUCTS, NAIVE, **case),
        "algorithm.speedup": samples.speedup(names.NOT_REWRITTEN, FUSED, **case),
        "rewrites": counted(min(rewrites), "count"),
    }
    for arm in arms(record, dtype):
        values[f"{slug(arm)}.steady"] = samples.time(arm, **case)
        if arm != NAIVE:
            values[f"{slug(arm)}.speedup"] = samples.speedup(NAIVE, arm, **case)
        if arm == names.MATH:
            values["fusing.speedup"] = samples.speedup(arm, FUSED, **case)
        for peak in fact(record, "peak memory", arm, **case):
            values[f"{slug(arm)}.peak"] = counted(peak, "bytes")
    for arm, moved in ((NAIVE, 4 * tensor + SCORE_PASSES * scores), (FUSED, 4 * tensor)):
        rates = moved / samples.medians(arm, **case)
        values[f"{arm}.bytes"] = counted(moved, "bytes")
        values[f"{arm}.rate"] = samples.location(rates, "bytes/s")
        # Every process timed the copy, some of the later ones not this case.
        shares = rates / copy_rates[rates.index]
        values[f"{arm}.share_of_copy"] = samples.of_ratios(shares, "share")
    for arm in (FUSED, names.PRODUCTS):
        rates = operations / samples.medians(arm, **case)
        values[f"{slug(arm)}.operations"] = samples.location(rates, "flop/s")
    return values


def _sweep_values(record: Record, samples: Samples, dtype: str, length: int) -> dict[str, Quantity]:
    case = {"dtype": dtype, "length": length, "shape": names.SWEEP}
    values = {
        "speedup": samples.speedup(NAIVE, FUSED, **case),
        "noise_floor": counted(samples.floor(NAIVE, **case), "share"),
    }
    for arm in COMPARED:
        values[f"{arm}.peak"] = counted(fact(record, "peak memory", arm, **case)[0], "bytes")
    return values


def _block_counts(record: Record) -> list[int]:
    """Return the numbers of calls a block, ascending; none without the lab's number format."""
    counts: list[int] = record["spec"]["counts"]
    return counts if LAB_DTYPE in record["spec"]["dtypes"] else []


def _block_values(record: Record, samples: Samples) -> dict[str, Quantity]:
    """Return the means over blocks of n calls, and how the speed-up grows with n."""
    values: dict[str, Quantity] = {}
    ratios, counts = [], _block_counts(record)
    for count in counts:
        naive, fused = (
            samples.series("block", arm, dtype=LAB_DTYPE, count=count).map(itemgetter(0))
            for arm in COMPARED
        )
        ratios.append(naive / fused)
        values |= {
            f"{LAB_DTYPE}.n{count}.naive": samples.location(naive, "s"),
            f"{LAB_DTYPE}.n{count}.fused": samples.location(fused, "s"),
            f"{LAB_DTYPE}.n{count}.speedup": samples.of_ratios(naive / fused),
        }
    if counts:
        values["amortisation.speedup"] = samples.of_ratios(ratios[-1] / ratios[0])
        for word, count in (("few", counts[0]), ("many", counts[-1])):
            values[f"amortisation.{word}"] = counted(count, "count")
            values[f"amortisation.{word}.speedup"] = values[f"{LAB_DTYPE}.n{count}.speedup"]
    return values


def _check_values(record: Record) -> dict[str, Quantity]:
    """Return how many wrong implementations each of the two checks lets pass."""
    checks = rows(record, "checks")
    passed = checks[checks["arm"] != FUSED].groupby("reference")["passed"]
    return {
        "checks.wrong": counted(passed.size()[names.LAB_CHECK], "count"),
        "checks.lab_passed": counted(passed.sum()[names.LAB_CHECK], "count"),
        "checks.real_passed": counted(passed.sum()[names.REAL_CHECK], "count"),
    }


@ANALYSIS.old_table_of_values("attention_time")
def time_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format and arm at the lab's shape: time, speed-up over naive, memory."""
    samples, table = Samples(record), []
    for dtype in record["spec"]["dtypes"]:
        floor = values[f"{prefix(record)}.{dtype}.noise_floor"].value
        for arm in arms(record, dtype):
            name = f"{prefix(record)}.{dtype}.{slug(arm)}"
            row = {"device": record["device"], "dtype": dtype, "arm": arm}
            row |= columns(seconds=values[f"{name}.steady"])
            if arm != NAIVE:
                row |= gained(values[f"{name}.speedup"], floor)
            if f"{name}.peak" in values:
                row["peak_bytes"] = values[f"{name}.peak"].value
            row["flags"] = samples.flags(arm, dtype=dtype, shape=names.LAB)
            table.append(row)
    return pd.DataFrame(table)


@ANALYSIS.old_table_of_values("attention_sweep")
def sweep_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format, length and arm of the sweep: time, peak memory, speed-up."""
    samples, spec, table = Samples(record), record["spec"], []
    for dtype, length, arm in product(spec["dtypes"], spec["lengths"], COMPARED):
        case = {"dtype": dtype, "length": length}
        time = samples.time(arm, **case, shape=names.SWEEP)
        speedup = values[f"{prefix(record)}.{dtype}.L{length}.speedup"]
        row = {"device": record["device"], **case, "arm": arm, **columns(seconds=time)}
        row["peak_bytes"] = fact(record, "peak memory", arm, **case, shape=names.SWEEP)[0]
        table.append(row | columns(speedup=speedup))
    return pd.DataFrame(table)


@ANALYSIS.table("attention_profile")
def profile_table(record: Record) -> pd.DataFrame:
    """Return one row per profiled operator worth a line, the largest of each arm first."""
    profile = rows(record, "profiles").assign(device=record["device"])
    profile = profile[profile["share"] >= WORTH_A_LINE].sort_values(
        ["dtype", "arm", "share"], ascending=[True, False, False]
    )
    return profile[["device", "dtype", "arm", "operator", "calls", "seconds", "share"]]


@ANALYSIS.old_table_of_values("attention_blocks")
def block_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per n: both means over a block of n calls, and their ratio."""
    table = []
    for count in _block_counts(record):
        name = f"{prefix(record)}.{LAB_DTYPE}.n{count}"
        row = {"device": record["device"], "dtype": LAB_DTYPE, "n": count}
        row |= {arm: values[f"{name}.{arm}"].value for arm in COMPARED}
        table.append(row | columns(speedup=values[f"{name}.speedup"]))
    return pd.DataFrame(table, columns=None if table else ["device", "dtype", "n"])


@ANALYSIS.table("attention_checks")
def check_table(record: Record) -> pd.DataFrame:
    """Return one row per implementation: whether it passes the lab's check and the real one."""
    lab, real = (
        rows(record, "checks", reference=check).set_index("arm")
        for check in (names.LAB_CHECK, names.REAL_CHECK)
    )
    return pd.DataFrame(
        {
            "device": record["device"],
            "implementation": real.index,
            "lab_check": lab["passed"].map(VERDICTS),
            "real_check": real["passed"].map(VERDICTS),
            "error": real["error"],
        }
    )

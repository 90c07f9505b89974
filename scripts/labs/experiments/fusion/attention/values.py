"""Values and tables of attention: time, memory and bounds, by number format and sequence length."""

from operator import itemgetter

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import (
    Samples,
    Value,
    columns,
    exactly,
    fact,
    gained,
    processes,
    rows,
    slug,
)
from labs.experiments.fusion.attention.names import (
    COMPILED,
    FUSED,
    LAB,
    LAB_CHECK,
    MATH,
    NAIVE,
    NOT_REWRITTEN,
    PRODUCTS,
    REAL_CHECK,
    SWEEP,
)
from labs.records.names.timing import again
from labs.records.record import Record

ANALYSIS = Analysis("fusion", subject="attention")
prefix = ANALYSIS.prefix
ANALYSIS.table("fusion_clocks")(clock_table)

ITEM_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
WORTH_A_LINE = 0.01
"""Operators below this share of the profiled time are left out of the table."""
SCORE_PASSES = 6
"""How often the naive implementation moves the score matrix: the first product writes it, scaling
and softmax each read and write it, the second product reads it."""


def arms(record: Record, dtype: str) -> list[str]:
    """Return the arms timed at the lab's shape, the baseline first."""
    timed = rows(record, "samples", quantity="steady", dtype=dtype, shape=LAB)
    names = timed["arm"].drop_duplicates()
    return [name for name in names if name != again(NAIVE)]


def longest_shape(record: Record) -> list[int]:
    """Return the shape at the longest sequence of the sweep."""
    _, heads, _, dimension = record["spec"]["shape"]
    return [record["spec"]["sweep_batch"], heads, max(record["spec"]["lengths"]), dimension]


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    samples, start = Samples(record), prefix(record)
    copy_rates = fact(record, "bytes moved", "copy")[0] / samples.medians("copy")
    shortest, longest = min(record["spec"]["lengths"]), max(record["spec"]["lengths"])
    found = {
        f"{start}.processes": processes(record),
        f"{start}.copy.rate": samples.location(copy_rates, "bytes/s"),
        f"{start}.shortest": exactly(shortest, "count"),
        f"{start}.longest": exactly(longest, "count"),
    }
    for dtype in record["spec"]["dtypes"]:
        found |= _format_values(record, samples, dtype, copy_rates)
        for length in record["spec"]["lengths"]:
            case = {"dtype": dtype, "length": length, "shape": SWEEP}
            name = f"{start}.{dtype}.L{length}"
            found[f"{name}.speedup"] = samples.speedup(NAIVE, FUSED, **case)
            found[f"{name}.noise_floor"] = exactly(samples.floor(NAIVE, **case), "share")
            for arm in (NAIVE, FUSED):
                peak = fact(record, "peak memory", arm, **case)[0]
                found[f"{name}.{arm}.peak"] = exactly(peak, "bytes")
        for word, length in (("shortest", shortest), ("longest", longest)):
            at_length = f"{start}.{dtype}.L{length}."
            found |= {
                f"{start}.{dtype}.{word}.{name.removeprefix(at_length)}": value
                for name, value in found.items()
                if name.startswith(at_length)
            }
    gains = [
        found[f"{start}.{dtype}.fused.speedup"].estimate.value for dtype in record["spec"]["dtypes"]
    ]
    found[f"{start}.dtype_spread"] = exactly(max(gains) / min(gains), "ratio")
    found |= _block_values(record, samples)
    found |= _check_values(record)
    return found


def _format_values(
    record: Record, samples: Samples, dtype: str, copy_rates: pd.Series
) -> dict[str, Value]:
    """Return the values of one number format at the lab's shape."""
    name = f"{prefix(record)}.{dtype}"
    case = {"dtype": dtype, "shape": LAB}
    batch, heads, length, dimension = record["spec"]["shape"]
    tensor = batch * heads * length * dimension * ITEM_BYTES[dtype]
    scores = batch * heads * length * length * ITEM_BYTES[dtype]
    traffic = {NAIVE: 4 * tensor + SCORE_PASSES * scores, FUSED: 4 * tensor}
    operations = 4 * batch * heads * length * length * dimension
    found = {f"{name}.noise_floor": exactly(samples.floor(NAIVE, **case), "share")}
    for arm in arms(record, dtype):
        found[f"{name}.{slug(arm)}.steady"] = samples.time(arm, **case)
        if arm != NAIVE:
            found[f"{name}.{slug(arm)}.speedup"] = samples.speedup(NAIVE, arm, **case)
        for peak in fact(record, "peak memory", arm, **case):
            found[f"{name}.{slug(arm)}.peak"] = exactly(peak, "bytes")
    for arm, moved in traffic.items():
        rates = moved / samples.medians(arm, **case)
        found[f"{name}.{arm}.bytes"] = exactly(moved, "bytes")
        found[f"{name}.{arm}.rate"] = samples.location(rates, "bytes/s")
        # Every process timed the copy, some of the later ones not this case.
        shares = rates / copy_rates[rates.index]
        found[f"{name}.{arm}.share_of_copy"] = samples.of_ratios(shares, "share")
    for arm in (FUSED, PRODUCTS):
        rates = operations / samples.medians(arm, **case)
        found[f"{name}.{slug(arm)}.operations"] = samples.location(rates, "flop/s")
    found[f"{name}.products.share"] = samples.share(PRODUCTS, NAIVE, **case)
    if MATH in arms(record, dtype):
        found[f"{name}.fusing.speedup"] = samples.speedup(MATH, FUSED, **case)
    over_compiler = samples.speedup(NOT_REWRITTEN, FUSED, **case)
    found[f"{name}.algorithm.speedup"] = over_compiler
    rewritten = fact(record, "attention rewrites", COMPILED, **case)
    found[f"{name}.rewrites"] = exactly(min(rewritten), "count")
    return found


def _block_values(record: Record, samples: Samples) -> dict[str, Value]:
    """Return the means over blocks of n calls, and how the gain grows with n."""
    blocks = rows(record, "samples", quantity="block")
    if blocks.empty:
        return {}
    found, gains = {}, dict[int, pd.Series]()
    for dtype, count in sorted(set(zip(blocks["dtype"], blocks["count"], strict=True))):
        name = f"{prefix(record)}.{dtype}.n{int(count)}"
        times = {
            arm: samples.series("block", arm, dtype=dtype, count=count).map(itemgetter(0))
            for arm in (NAIVE, FUSED)
        }
        for arm, seconds in times.items():
            found[f"{name}.{arm}"] = samples.location(seconds, "s")
        gains[int(count)] = times[NAIVE] / times[FUSED]
        found[f"{name}.speedup"] = samples.of_ratios(gains[int(count)])
    few, many = min(gains), max(gains)
    name = f"{prefix(record)}.amortisation"
    found[f"{name}.speedup"] = samples.of_ratios(gains[many] / gains[few])
    for word, count in (("few", few), ("many", many)):
        found[f"{name}.{word}"] = exactly(count, "count")
        found[f"{name}.{word}.speedup"] = samples.of_ratios(gains[count])
    return found


def _check_values(record: Record) -> dict[str, Value]:
    """Return how many wrong implementations each of the two checks lets pass."""
    frame = rows(record, "checks")
    wrong = frame[frame["arm"] != FUSED]
    name = f"{prefix(record)}.checks"
    found = {f"{name}.wrong": exactly(wrong[wrong["reference"] == LAB_CHECK].shape[0], "count")}
    for reference, short in ((LAB_CHECK, "lab_passed"), (REAL_CHECK, "real_passed")):
        passed = wrong[wrong["reference"] == reference]["passed"].sum()
        found[f"{name}.{short}"] = exactly(passed, "count")
    return found


@ANALYSIS.table("attention_time")
def time_table(record: Record) -> pd.DataFrame:
    """Return one row per format and arm at the lab's shape: time, speed-up over naive, memory."""
    samples, found = Samples(record), values(record)
    table = []
    for dtype in record["spec"]["dtypes"]:
        floor = found[f"{prefix(record)}.{dtype}.noise_floor"].estimate.value
        for arm in arms(record, dtype):
            name = f"{prefix(record)}.{dtype}.{slug(arm)}"
            row = {"device": record["device"], "dtype": dtype, "arm": arm}
            row |= columns(seconds=found[f"{name}.steady"])
            if f"{name}.speedup" in found:
                row |= gained(found[f"{name}.speedup"], floor)
            if f"{name}.peak" in found:
                row["peak_bytes"] = found[f"{name}.peak"].estimate.value
            row["flags"] = samples.flags(arm, dtype=dtype, shape=LAB)
            table.append(row)
    return pd.DataFrame(table)


@ANALYSIS.table("attention_sweep")
def sweep_table(record: Record) -> pd.DataFrame:
    """Return one row per format, length and arm of the sweep: time, peak memory, speed-up."""
    samples, found = Samples(record), values(record)
    table = []
    for dtype in record["spec"]["dtypes"]:
        for length in record["spec"]["lengths"]:
            case = {"dtype": dtype, "length": length, "shape": SWEEP}
            speedup = found[f"{prefix(record)}.{dtype}.L{length}.speedup"]
            for arm in (NAIVE, FUSED):
                row = {"device": record["device"], "dtype": dtype, "length": length, "arm": arm}
                row |= columns(seconds=samples.time(arm, **case))
                row |= {"peak_bytes": fact(record, "peak memory", arm, **case)[0]}
                table.append(row | columns(speedup=speedup))
    return pd.DataFrame(table)


@ANALYSIS.table("attention_profile")
def profile_table(record: Record) -> pd.DataFrame:
    """Return one row per profiled operator worth a line, the largest of each arm first."""
    frame = rows(record, "profiles").assign(device=record["device"])
    frame = frame[frame["share"] >= WORTH_A_LINE].sort_values(
        ["dtype", "arm", "share"], ascending=[True, False, False]
    )
    return frame[["device", "dtype", "arm", "operator", "calls", "seconds", "share"]]


@ANALYSIS.table("attention_blocks")
def block_table(record: Record) -> pd.DataFrame:
    """Return one row per format and n: both means over a block of n calls, and their ratio."""
    found = values(record)
    table = []
    for dtype in record["spec"]["dtypes"]:
        for count in record["spec"]["counts"]:
            name = f"{prefix(record)}.{dtype}.n{count}"
            if f"{name}.speedup" in found:
                row = {"device": record["device"], "dtype": dtype, "n": count}
                row |= {arm: found[f"{name}.{arm}"].estimate.value for arm in (NAIVE, FUSED)}
                table.append(row | columns(speedup=found[f"{name}.speedup"]))
    return pd.DataFrame(table, columns=None if table else ["device", "dtype", "n"])


@ANALYSIS.table("attention_checks")
def check_table(record: Record) -> pd.DataFrame:
    """Return one row per implementation: whether it passes the lab's check and the real one."""
    frame = rows(record, "checks")
    frame = frame[frame["reference"].isin([LAB_CHECK, REAL_CHECK])]
    table = []
    for arm, checks in frame.groupby("arm", sort=False):
        verdicts = checks.set_index("reference")["passed"]
        errors = checks.set_index("reference")["error"]
        table.append(
            {
                "device": record["device"],
                "implementation": arm,
                "lab_check": "passes" if verdicts[LAB_CHECK] else "fails",
                "real_check": "passes" if verdicts[REAL_CHECK] else "fails",
                "error": errors[REAL_CHECK],
            }
        )
    return pd.DataFrame(table)

"""Values and tables of attention: time, memory and bounds, by number format and sequence length."""

from itertools import product

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import Samples, columns, fact, gained, processes, rows
from labs.analysis.statistics import verdict
from labs.analysis.values import Tree, Values
from labs.experiments.fusion.attention import names
from labs.experiments.fusion.attention.names import COMPARED, FUSED, LAB, LAB_DTYPE, NAIVE
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
    timed = rows(record, "samples", quantity="steady", dtype=dtype, shape=LAB)
    return [arm for arm in timed["arm"].unique() if arm != aa_arm(NAIVE)]


@ANALYSIS.values
def values_at_lab(record: Record) -> Tree:
    samples = Samples(record)
    copy_rates = fact(record, "bytes moved", "copy")[0] / samples.medians("copy")
    return {
        "processes": processes(record),
        "copy": {"rate": samples.location(copy_rates, "bytes/s")},
        "rewrites": counted(min(fact(record, "attention rewrites", names.COMPILED))),
        **{dtype: _at_lab(record, dtype, copy_rates) for dtype in record["spec"]["dtypes"]},
    }


def _at_lab(record: Record, dtype: str, copy_rates: pd.Series) -> Tree:
    """Return the values of one number format at the lab's shape."""
    case = {"dtype": dtype, "shape": LAB}
    samples = Samples(record, **case)
    batch, heads, length, dimension = record["spec"]["shape"]
    tensor = batch * heads * length * dimension * ITEM_BYTES[dtype]
    scores = batch * heads * length * length * ITEM_BYTES[dtype]
    operations = 4 * batch * heads * length * length * dimension
    by_arm: dict[str, dict[str, Quantity]] = {}
    for arm in arms(record, dtype):
        by_arm[arm] = {"steady": samples.time(arm)}
        if arm != NAIVE:
            by_arm[arm]["speedup"] = samples.speedup(NAIVE, arm)
        for peak in fact(record, "peak memory", arm, **case):
            by_arm[arm]["peak"] = counted(peak, "bytes")
    for arm, moved in ((NAIVE, 4 * tensor + SCORE_PASSES * scores), (FUSED, 4 * tensor)):
        rates = moved / samples.medians(arm)
        # Every process timed the copy, some of the later ones not this case.
        shares = rates / copy_rates[rates.index]
        by_arm[arm] |= {
            "bytes": counted(moved, "bytes"),
            "rate": samples.location(rates, "bytes/s"),
            "share_of_copy": samples.of_ratios(shares, "share"),
        }
    for arm in (FUSED, names.PRODUCTS):
        rates = operations / samples.medians(arm)
        by_arm[arm]["operations"] = samples.location(rates, "flop/s")
    return {
        **by_arm,
        "noise_floor": counted(samples.floor(NAIVE), "share"),
        "products": {"share": samples.share(names.PRODUCTS, NAIVE)},
        "algorithm": {"speedup": samples.speedup(names.NOT_REWRITTEN, FUSED)},
        "fusing": {"speedup": samples.speedup(names.MATH, FUSED)} if names.MATH in by_arm else {},
    }


@ANALYSIS.values
def formats_compared(record: Record) -> Tree:
    """Return how far what fusing gains differs between number formats, and how many verdicts do."""
    timed = [Samples(record, dtype=dtype, shape=LAB) for dtype in record["spec"]["dtypes"]]
    speedups = [one.speedup(NAIVE, FUSED) for one in timed]
    found = [verdict(gain, one.floor(NAIVE)) for gain, one in zip(speedups, timed, strict=True)]
    ratios = sorted(
        (one.ratios(NAIVE, FUSED) for one in timed), key=lambda by_process: by_process.median()
    )
    # Some later processes left formats out.
    spread = (ratios[-1] / ratios[0]).dropna()
    return {
        "dtype_spread": timed[0].of_ratios(spread),
        "verdicts": {
            "": counted(len(set(found) - {"undecided"})),
            "open": counted(found.count("undecided")),
        },
    }


@ANALYSIS.values
def sweep_values(record: Record) -> Tree:
    """Return what fusing gains at each length of the sweep, and the memory of both arms."""
    spec = record["spec"]
    ends = {"shortest": spec["lengths"][0], "longest": spec["lengths"][-1]}
    by_name = {f"L{length}": length for length in spec["lengths"]} | ends
    return {name: counted(length) for name, length in ends.items()} | {
        dtype: {name: _at_length(record, dtype, n) for name, n in by_name.items()}
        for dtype in spec["dtypes"]
    }


def _at_length(record: Record, dtype: str, length: int) -> Tree:
    case = {"dtype": dtype, "length": length, "shape": names.SWEEP}
    samples = Samples(record, **case)
    peaks = {arm: fact(record, "peak memory", arm, **case)[0] for arm in COMPARED}
    return {
        "speedup": samples.speedup(NAIVE, FUSED),
        "noise_floor": counted(samples.floor(NAIVE), "share"),
    } | {arm: {"peak": counted(peak, "bytes")} for arm, peak in peaks.items()}


@ANALYSIS.values
def block_values(record: Record) -> Tree:
    """Return the means over blocks of n calls, and how the speed-up grows with n."""
    samples, counts = Samples(record, dtype=LAB_DTYPE), record["spec"]["counts"]
    if LAB_DTYPE not in record["spec"]["dtypes"]:
        return {}
    few, many = counts[0], counts[-1]
    times = {n: {arm: samples.first("block", arm, count=n) for arm in COMPARED} for n in counts}
    blocks = {n: samples.compared(**both) for n, both in times.items()}
    gains = {n: both[NAIVE] / both[FUSED] for n, both in times.items()}
    return {
        LAB_DTYPE: {f"n{n}": block for n, block in blocks.items()},
        "amortisation": {
            "speedup": samples.of_ratios(gains[many] / gains[few]),
            "few": {"": counted(few), "speedup": blocks[few]["speedup"]},
            "many": {"": counted(many), "speedup": blocks[many]["speedup"]},
        },
    }


def _checks(record: Record) -> list[pd.DataFrame]:
    """Return what the lab's check and the real one say of each implementation."""
    references = names.LAB_CHECK, names.REAL_CHECK
    return [rows(record, "checks", reference=check).set_index("arm") for check in references]


@ANALYSIS.values
def check_values(record: Record) -> Tree:
    """Return how many wrong implementations each of the two checks lets pass."""
    lab, real = (check["passed"].drop(FUSED) for check in _checks(record))
    passed = {"lab_passed": counted(lab.sum()), "real_passed": counted(real.sum())}
    return {"checks": {"wrong": counted(len(lab)), **passed}}


@ANALYSIS.table_of_values("attention_time")
def time_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format and arm at the lab's shape: time, speed-up over naive, memory."""
    table = []
    for dtype in record["spec"]["dtypes"]:
        samples, floor = Samples(record, dtype=dtype, shape=LAB), values[dtype, "noise_floor"].value
        for arm in arms(record, dtype):
            row = {"device": record["device"], "dtype": dtype, "arm": arm}
            row |= columns(seconds=values[dtype, arm, "steady"])
            if arm != NAIVE:
                row |= gained(values[dtype, arm, "speedup"], floor)
            if (dtype, arm, "peak") in values:
                row["peak_bytes"] = values[dtype, arm, "peak"].value
            table.append(row | {"flags": samples.flags(arm)})
    return pd.DataFrame(table)


@ANALYSIS.table_of_values("attention_sweep")
def sweep_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format, length and arm of the sweep: time, peak memory, speed-up."""
    table = []
    for dtype, length, arm in product(
        record["spec"]["dtypes"], record["spec"]["lengths"], COMPARED
    ):
        case = {"dtype": dtype, "length": length}
        time = Samples(record, **case, shape=names.SWEEP).time(arm)
        row = {"device": record["device"], **case, "arm": arm, **columns(seconds=time)}
        row["peak_bytes"] = fact(record, "peak memory", arm, **case, shape=names.SWEEP)[0]
        table.append(row | columns(speedup=values[dtype, f"L{length}", "speedup"]))
    return pd.DataFrame(table)


@ANALYSIS.table("attention_profile")
def profile_table(record: Record) -> pd.DataFrame:
    """Return one row per profiled operator worth a line, the largest of each arm first."""
    profile = rows(record, "profiles").assign(device=record["device"])
    profile = profile[profile["share"] >= WORTH_A_LINE].sort_values(
        ["dtype", "arm", "share"], ascending=[True, False, False]
    )
    return profile[["device", "dtype", "arm", "operator", "calls", "seconds", "share"]]


@ANALYSIS.table_of_values("attention_blocks")
def block_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per n: both means over a block of n calls, and their ratio."""
    table = []
    for count in record["spec"]["counts"] if LAB_DTYPE in record["spec"]["dtypes"] else ():
        block = values.below(LAB_DTYPE, f"n{count}")
        row = {"device": record["device"], "dtype": LAB_DTYPE, "n": count}
        row |= {arm: block[arm].value for arm in COMPARED}
        table.append(row | columns(speedup=block["speedup"]))
    return pd.DataFrame(table, columns=None if table else ["device", "dtype", "n"])


@ANALYSIS.table("attention_checks")
def check_table(record: Record) -> pd.DataFrame:
    """Return one row per implementation: whether it passes the lab's check and the real one."""
    lab, real = _checks(record)
    return pd.DataFrame(
        {
            "device": record["device"],
            "implementation": real.index,
            "lab_check": lab["passed"].map(VERDICTS),
            "real_check": real["passed"].map(VERDICTS),
            "error": real["error"],
        }
    )

"""Values and tables of the decoding kernels: the rate of each, compared with that of a copy."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import Samples, Value, columns, exactly, fact
from labs.experiments.mxint8.names import CUTE, NAIVE, VECTORISED
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_kernels")
prefix = ANALYSIS.prefix
ANALYSIS.table("mxint8_kernels_clocks")(clock_table)

LAB_SIZE = 32


def kernels(record: Record) -> list[str]:
    """Return the kernels that were timed."""
    return list(dict.fromkeys(row["arm"] for row in record["checks"]))


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number that the report may quote, at the worst and at the lab's group size."""
    samples, start = Samples(record), prefix(record)
    sizes = record["spec"]["group_sizes"]
    found = {
        f"{start}.elements": exactly(record["spec"]["elements"], "count"),
        f"{start}.copy.rate": samples.location(_copy_rates(record, samples), "bytes/s"),
    }
    for kernel in kernels(record):
        shares = {size: _share(record, samples, kernel, size) for size in sizes}
        worst = min(shares, key=lambda size: shares[size].estimate.value)
        lab = LAB_SIZE if LAB_SIZE in sizes else worst
        found[f"{start}.{kernel}.worst"] = shares[worst]
        found[f"{start}.{kernel}.worst.group_size"] = exactly(worst, "count")
        found[f"{start}.{kernel}.lab"] = shares[lab]
        rates = _rates(record, samples, kernel, lab)
        found[f"{start}.{kernel}.lab.rate"] = samples.location(rates, "bytes/s")
        floor = samples.floor(kernels(record)[0], group_size=lab)
        found[f"{start}.noise_floor"] = exactly(floor, "share")
    compared = CUTE if CUTE in kernels(record) else kernels(record)[0]
    found[f"{start}.{compared}.over_naive"] = samples.speedup(NAIVE, compared, group_size=lab)
    if {CUTE, VECTORISED} <= set(kernels(record)):
        gain = samples.speedup(CUTE, VECTORISED, group_size=lab)
        found[f"{start}.vectorised.over_cute"] = gain
    return found


def _copy_rates(record: Record, samples: Samples) -> pd.Series:
    moved: float = fact(record, "bytes moved", "copy")[0]
    return moved / samples.medians("copy")


def _rates(record: Record, samples: Samples, kernel: str, size: int) -> pd.Series:
    moved: float = fact(record, "bytes moved", kernel, group_size=size)[0]
    return moved / samples.medians(kernel, group_size=size)


def _share(record: Record, samples: Samples, kernel: str, size: int) -> Value:
    """Return a kernel's rate over the copy's, paired by process."""
    rates = _rates(record, samples, kernel, size)
    return samples.of_ratios(rates / _copy_rates(record, samples), "share")


@ANALYSIS.table("mxint8_kernels_rates")
def rate_table(record: Record) -> pd.DataFrame:
    """Return one row per group size and kernel: time, rate, and its share of a copy's rate."""
    samples, table = Samples(record), []
    for size in record["spec"]["group_sizes"]:
        for kernel in kernels(record):
            row = {"device": record["device"], "group_size": size, "kernel": kernel}
            row |= columns(
                seconds=samples.time(kernel, group_size=size),
                rate=samples.location(_rates(record, samples, kernel, size), "bytes/s"),
                share=_share(record, samples, kernel, size),
            )
            table.append(row)
    return pd.DataFrame(table)

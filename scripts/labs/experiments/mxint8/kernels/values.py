"""Values and tables of the decoding kernels: the rate of each, compared with that of a copy."""

from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import Samples, columns, fact, prefixed
from labs.experiments.mxint8.names import CUTE, NAIVE, VECTORISED
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_kernels", per_device=True)
prefix = ANALYSIS.prefix
ANALYSIS.table("mxint8_kernels_clocks")(clock_table)

LAB_SIZE = 32


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    """Return every number that the report may quote, at the worst and at the lab's group size."""
    samples, kernels = Samples(record), _kernels(record)
    sizes = record["spec"]["group_sizes"]
    result = {
        "elements": counted(record["spec"]["elements"], "count"),
        "copy.rate": samples.location(_rates(record, samples, "copy"), "bytes/s"),
    }
    for kernel in kernels:
        shares = {size: _share(record, samples, kernel, size) for size in sizes}
        worst = min(shares, key=lambda size: shares[size].value)
        lab = LAB_SIZE if LAB_SIZE in sizes else worst
        result[f"{kernel}.worst"] = shares[worst]
        result[f"{kernel}.worst.group_size"] = counted(worst, "count")
        result[f"{kernel}.lab"] = shares[lab]
        rates = _rates(record, samples, kernel, group_size=lab)
        result[f"{kernel}.lab.rate"] = samples.location(rates, "bytes/s")
    result["noise_floor"] = counted(samples.floor(kernels[0], group_size=lab), "share")
    compared = CUTE if CUTE in kernels else kernels[0]
    result[f"{compared}.over_naive"] = samples.speedup(NAIVE, compared, group_size=lab)
    if {CUTE, VECTORISED} <= set(kernels):
        result["vectorised.over_cute"] = samples.speedup(CUTE, VECTORISED, group_size=lab)
    return prefixed(prefix(record), result)


def _kernels(record: Record) -> list[str]:
    """Return the kernels that were checked and timed, the baseline first."""
    return list(dict.fromkeys(row["arm"] for row in record["checks"]))


def _rates(record: Record, samples: Samples, arm: str, **case: Any) -> pd.Series:
    """Return each process's bytes per second."""
    moved: float = fact(record, "bytes moved", arm, **case)[0]
    return moved / samples.medians(arm, **case)


def _share(record: Record, samples: Samples, kernel: str, size: int) -> Quantity:
    """Return a kernel's rate over the copy's, paired by process."""
    rates = _rates(record, samples, kernel, group_size=size)
    return samples.of_ratios(rates / _rates(record, samples, "copy"), "share")


@ANALYSIS.table("mxint8_kernels_rates")
def rate_table(record: Record) -> pd.DataFrame:
    """Return one row per group size and kernel: time, rate, and its share of a copy's rate."""
    samples, table = Samples(record), []
    for size in record["spec"]["group_sizes"]:
        for kernel in _kernels(record):
            rates = _rates(record, samples, kernel, group_size=size)
            estimates = columns(
                seconds=samples.time(kernel, group_size=size),
                rate=samples.location(rates, "bytes/s"),
                share=_share(record, samples, kernel, size),
            )
            case = {"device": record["device"], "group_size": size, "kernel": kernel}
            table.append(case | estimates)
    return pd.DataFrame(table)

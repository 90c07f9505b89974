"""Values and tables of the decoding kernels: the rate of each, compared with that of a copy."""

from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import Samples, columns, fact
from labs.analysis.values import Tree
from labs.experiments.mxint8.names import CUTE, NAIVE, lab_size
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_kernels", per_device=True)
ANALYSIS.table("mxint8_kernels_clocks")(clock_table)

RIVALS = {"over_naive": NAIVE, "over_cute": CUTE}


@ANALYSIS.values
def values(record: Record) -> Tree:
    samples, kernels = Samples(record), _kernels(record)
    sizes: list[int] = record["spec"]["group_sizes"]
    at_lab = {"group_size": lab_size(sizes)}

    def of_kernel(kernel: str) -> Tree:
        """Return its share of a copy's rate at the worst group size, and its gain over rivals."""
        shares = {size: _share(record, samples, kernel, size) for size in sizes}
        worst = min(shares, key=lambda size: shares[size].value)
        gains = {
            name: samples.speedup(rival, kernel, **at_lab)
            for name, rival in RIVALS.items()
            if rival in kernels and rival != kernel
        }
        return {"worst": {"": shares[worst], "group_size": counted(worst)}, **gains}

    return {
        "elements": counted(record["spec"]["elements"]),
        "copy": {"rate": samples.location(_rates(record, samples, "copy"), "bytes/s")},
        "noise_floor": counted(samples.floor(kernels[0], **at_lab), "share"),
        **{kernel: of_kernel(kernel) for kernel in kernels if kernel != NAIVE},
    }


def _kernels(record: Record) -> list[str]:
    """Return the kernels that were checked and timed, the baseline first."""
    return list(dict.fromkeys(row["arm"] for row in record["checks"]))


def _rates(record: Record, samples: Samples, arm: str, **case: Any) -> pd.Series:
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

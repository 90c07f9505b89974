"""What the records of question 3 say: formulas, linear layers, kernels, memory and partition."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from labs.analysis.clocks import clock_table
from labs.analysis.mxint8 import accuracy, energy, formulas, kernels, linear, memory, partition
from labs.records import Record

VALUES = {
    "mxint8_accuracy": [accuracy.values],
    "mxint8_formulas": [formulas.values],
    "mxint8_kernels": [kernels.values],
    "mxint8_linear": [linear.values, energy.values],
    "mxint8_memory": [memory.values],
    "mxint8_partition": [partition.values],
}
TABLES: dict[str, tuple[str, Callable[[Record], pd.DataFrame]]] = {
    "mxint8_decoded": ("mxint8_formulas", formulas.decoded_table),
    "mxint8_twins": ("mxint8_formulas", formulas.twin_table),
    "mxint8_wrong": ("mxint8_formulas", formulas.wrong_table),
    "mxint8_causes": ("mxint8_formulas", formulas.cause_table),
    "mxint8_linear_time": ("mxint8_linear", linear.time_table),
    "mxint8_linear_counts": ("mxint8_linear", linear.count_table),
    "mxint8_linear_energy": ("mxint8_linear", energy.energy_table),
    "mxint8_linear_clocks": ("mxint8_linear", clock_table),
    "mxint8_memory_account": ("mxint8_memory", memory.account_table),
    "mxint8_memory_waterfall": ("mxint8_memory", memory.waterfall_table),
    "mxint8_accuracy": ("mxint8_accuracy", accuracy.accuracy_table),
    "mxint8_kernel_rates": ("mxint8_kernels", kernels.rate_table),
    "mxint8_kernel_clocks": ("mxint8_kernels", clock_table),
    "mxint8_partition_owners": ("mxint8_partition", partition.owner_table),
    "mxint8_partition_tiles": ("mxint8_partition", partition.tile_table),
    "mxint8_partition_transactions": ("mxint8_partition", partition.transaction_table),
}

"""All tables of a run: what the report quotes, draws and prints, as data frames by file name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from labs.analysis import (
    attention,
    base,
    compilation,
    compression_speed,
    formats,
    graph_tables,
    graphs,
    linear_relu,
    loops,
    lora,
    mxint8,
    pruning,
    quantization,
    ranges,
    reviews,
)
from labs.analysis.clocks import clock_table
from labs.records import MEASURED, Record

VALUES = {
    "data": [reviews.values],
    "base": [base.values],
    "loops": [loops.values],
    "lora": [lora.values],
    "compilation": [compilation.values],
    "fusion": [attention.values, linear_relu.values],
    **mxint8.VALUES,
    "graphs": [graphs.values],
    "quantization": [quantization.values],
    "pruning": [pruning.values],
    "ranges": [ranges.values],
    "formats": [formats.values],
    "compression_speed": [compression_speed.values],
}
TABLES: dict[str, tuple[str, Callable[[Record], pd.DataFrame]]] = {
    "reviews_origin": ("data", reviews.origin_table),
    "reviews_splits": ("data", reviews.split_table),
    "reviews_lengths": ("data", reviews.length_table),
    "base_epochs": ("base", base.epoch_table),
    "loops_time": ("loops", loops.time_table),
    "lora_arms": ("lora", lora.arm_table),
    "lora_seeds": ("lora", lora.seed_table),
    "compilation_steady": ("compilation", compilation.steady_table),
    "compilation_iterations": ("compilation", compilation.iteration_table),
    "compilation_first_call": ("compilation", compilation.first_call_table),
    "compilation_counts": ("compilation", compilation.count_table),
    "compilation_clocks": ("compilation", clock_table),
    "attention_time": ("fusion", attention.time_table),
    "attention_sweep": ("fusion", attention.sweep_table),
    "attention_profile": ("fusion", attention.profile_table),
    "attention_blocks": ("fusion", attention.block_table),
    "attention_checks": ("fusion", attention.check_table),
    "linear_relu_time": ("fusion", linear_relu.time_table),
    "fusion_clocks": ("fusion", clock_table),
    **mxint8.TABLES,
    "quantization_points": ("quantization", quantization.point_table),
    "quantization_seeds": ("quantization", quantization.seed_table),
    "quantization_chosen": ("quantization", quantization.chosen_table),
    "pruning_points": ("pruning", pruning.point_table),
    "pruning_seeds": ("pruning", pruning.seed_table),
    "pruning_chosen": ("pruning", pruning.chosen_table),
    "ranges_quantiles": ("ranges", ranges.quantile_table),
    "ranges_bits": ("ranges", ranges.layer_table),
    "formats": ("formats", formats.point_table),
    "compression_steps": ("compression_speed", compression_speed.step_table),
    "compression_inference": ("compression_speed", compression_speed.inference_table),
    **{name: ("graphs", make) for name, make in graph_tables.TABLES.items()},
}
MEASURED_BY = {
    "quantization": ("quantize_model", "quantize_widths"),
    "pruning": ("prune_model",),
}
"""The rules that measure where a record is only gathered from what they wrote."""

MACHINE = (
    "host",
    "system",
    "cores",
    "usable_cores",
    "threads",
    "vector_extensions",
    "governor",
    "memory_bytes",
    "compiler",
    "python",
    "allocation",
    "changes",
)
"""What a record's environment says beside the processor, the packages and the GPU."""


def tables(records: Mapping[str, Record], preset: str) -> dict[str, pd.DataFrame]:
    """Return every table by name; ``records`` are keyed by their paths from the root.

    A table that no record feeds is empty, with no columns: the report says why in its claims.
    """
    measured = {path: record for path, record in records.items() if record["status"] == MEASURED}
    found = {
        "values": _values(measured),
        "machine": _machine(list(measured.values())),
        "settings": _settings(measured),
        "jobs": _jobs(records, preset),
    }
    for name, (experiment, make) in TABLES.items():
        parts = [make(record) for record in measured.values() if record["experiment"] == experiment]
        found[name] = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    return found


def _values(measured: Mapping[str, Record]) -> pd.DataFrame:
    """Return one row a value that the text may quote: name, value, low, high, unit, evidence."""
    rows = [
        (name, value.estimate.value, value.estimate.low, value.estimate.high, value.unit, path)
        for path, record in measured.items()
        for values in VALUES[record["experiment"]]
        for name, value in values(record).items()
    ]
    return pd.DataFrame(rows, columns=["name", "value", "low", "high", "unit", "evidence"])


def _machine(measured: list[Record]) -> pd.DataFrame:
    """Return what the records say of their machine; where they differ, every answer is shown.

    The first three rows are the report's title: machine, measured (the last moment of all records)
    and commit.
    """
    environments = [record["environment"] for record in measured]

    def answers(*keys: str) -> str:
        found = []
        for environment in environments:
            for key in keys:
                environment = environment.get(key, {})
            found.append(str(environment or "absent"))
        return "; ".join(dict.fromkeys(found))

    gpus = dict.fromkeys(
        environment["gpu"]["name"] for environment in environments if "gpu" in environment
    )
    cores = max(environment["usable_cores"] for environment in environments)
    rows = [
        ("machine", ", ".join([f"{answers('cpu')}, {cores} cores", *gpus])),
        ("measured", max(record["finished"] for record in measured)),
        ("commit", answers("commit")),
    ]
    rows += [(key, answers(key)) for key in MACHINE]
    packages = dict.fromkeys(name for found in environments for name in found["packages"])
    rows += [(name, answers("packages", name)) for name in packages]
    if gpus:
        facts = dict.fromkeys(key for found in environments for key in found.get("gpu", ()))
        rows += [(f"GPU {key}", answers("gpu", key)) for key in facts]
    loads = [
        load[when]["load_1min"]
        for record in measured
        for load in record["loads"]
        for when in ("before", "after")
    ]
    rows.append(("highest load average around a process", f"{max(loads):.2f}"))
    return pd.DataFrame(rows, columns=["key", "value"]).drop_duplicates("key")


def _settings(measured: Mapping[str, Record]) -> pd.DataFrame:
    """Return what each experiment was asked to run, one row a record."""
    rows = []
    for record in measured.values():
        spec = {
            key: value for key, value in record["spec"].items() if key not in ("device", "model")
        }
        words = [f"{key.replace('_', ' ')} {_plain(value)}" for key, value in spec.items()]
        name = dict.fromkeys(record[key] for key in ("experiment", "subject", "device"))
        rows.append((", ".join(name).replace("_", " "), "; ".join(words)))
    return pd.DataFrame(rows, columns=["key", "value"])


def _jobs(records: Mapping[str, Record], preset: str) -> pd.DataFrame:
    """Return how to measure each record anew, and its status."""
    rows = []
    for path, record in records.items():
        rules = MEASURED_BY.get(record["experiment"])
        anew = f"{path} --forcerun {' '.join(rules)}" if rules else f"--force {path}"
        command = f"snakemake --cores 4 --config preset={preset} {anew}"
        rows.append((path, command, record["status"]))
    return pd.DataFrame(rows, columns=["record", "command", "status"])


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)

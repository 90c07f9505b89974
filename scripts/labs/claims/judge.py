"""All claims of a set of records."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from labs.analysis import published
from labs.analysis.frame import processes
from labs.analysis.timing import needed
from labs.claims.claim import Claim, Rule
from labs.claims.conditions import held
from labs.experiments.base_model import claims as base_model
from labs.experiments.compilation.lab import claims as compilation_lab
from labs.experiments.compilation.modes import claims as compilation_modes
from labs.experiments.compression.formats import claims as formats
from labs.experiments.compression.pruning import claims as pruning
from labs.experiments.compression.quantization import claims as quantization
from labs.experiments.compression.ranges import claims as ranges
from labs.experiments.compression.speed import claims as speed
from labs.experiments.fusion.attention import claims as attention
from labs.experiments.fusion.linear_relu import claims as linear_relu
from labs.experiments.graphs import claims as graphs
from labs.experiments.loops import claims as loops
from labs.experiments.lora import claims as lora
from labs.experiments.mxint8.accuracy import claims as accuracy
from labs.experiments.mxint8.formulas import claims as formulas
from labs.experiments.mxint8.kernels import claims as kernels
from labs.experiments.mxint8.linear import claims as linear
from labs.experiments.mxint8.memory import claims as memory
from labs.experiments.mxint8.partition import claims as partition
from labs.experiments.precision.cost import claims as cost
from labs.experiments.precision.everything import claims as everything
from labs.experiments.precision.formats import claims as precision_formats
from labs.experiments.precision.pairs import claims as pairs
from labs.experiments.reviews import claims as reviews
from labs.experiments.search.architectures import claims as architectures
from labs.experiments.search.compression import claims as compression
from labs.experiments.search.epochs import claims as epochs
from labs.experiments.search.lab_space import claims as lab_space
from labs.experiments.search.samplers import claims as samplers
from labs.records.reading import RecordError, read, using
from labs.records.record import MEASURED, NOT_MEASURED, Record

RULES: dict[str, list[Callable[[Record], list[Rule]]]] = {
    "reviews": [reviews.rules],
    "base_model": [base_model.rules],
    "loops": [loops.rules],
    "lora": [lora.rules],
    "compilation": [compilation_lab.rules],
    "compilation_modes": [compilation_modes.rules],
    "fusion": [attention.rules, linear_relu.rules],
    "mxint8_accuracy": [accuracy.rules],
    "mxint8_formulas": [formulas.rules],
    "mxint8_kernels": [kernels.rules],
    "mxint8_linear": [linear.rules],
    "mxint8_memory": [memory.rules],
    "mxint8_partition": [partition.rules],
    "graphs": [graphs.rules],
    "quantization": [quantization.rules],
    "pruning": [pruning.rules],
    "ranges": [ranges.rules],
    "formats": [formats.rules],
    "compression_speed": [speed.rules],
    "precision": [pairs.rules, precision_formats.rules, everything.rules, cost.rules],
    "search": [
        architectures.rules,
        samplers.rules,
        lab_space.rules,
        epochs.rules,
        compression.rules,
    ],
}
"""What is asserted, by experiment: functions that return how each claim on a record is judged."""


def judge(path: Path, root: Path, machine: str) -> list[dict[str, Any]]:
    """Return the claims that one record decides, as objects of claims.json.

    ``evidence`` is the path from ``root``, also where folders on the way are links.  Raises
    RecordError for a bad record, or one of an experiment that no claims are about.
    """
    record = read(path)
    if record["experiment"] not in RULES:
        raise RecordError(f"{path}: no claims are about the experiment {record['experiment']}")
    evidence = Path(os.path.relpath(path, root)).as_posix()
    with using(path):
        rows = [claim.as_row(machine, evidence) | _others(claim) for claim in claims_of(record)]
        # Numbers in a record may be so large that what is computed from them is none.
        json.dumps(rows, allow_nan=False)
    return rows


def _others(claim: Claim) -> dict[str, Any]:
    """Return the published statements that a claim contradicts, and those made at other sizes."""
    statements = {name: published.conditions(name) for name in claim.speaks_against}
    contradicts, other_sizes = held(claim.conditions, statements)
    return {"contradicts": contradicts, "other_sizes": other_sizes}


def claims_of(record: Record) -> list[Claim]:
    """Return a claim for each rule; a record of an absent device gives its reason instead."""
    rules = [rule for make in RULES[record["experiment"]] for rule in make(record)]
    if record["status"] == MEASURED:
        return [_with_reason(rule(), _lacking(record)) for rule in rules]
    # A draft's further lines are how logs end.
    reason = record["status"].removeprefix(NOT_MEASURED).split("\n")[0]
    return [rule.statement.not_measured(reason) for rule in rules]


def _with_reason(claim: Claim, lacking: str) -> Claim:
    """Return a claim about times that is undecided for no reason of its own with what it lacks."""
    undecided = claim.verdict == "undecided" and claim.unit == "ratio"
    return replace(claim, reason=lacking) if undecided and not claim.reason else claim


def _lacking(record: Record) -> str:
    """Return that the budget ended before every ratio had its processes, or nothing."""
    run, asked = int(processes(record).estimate.value), needed(record)
    if asked is None or asked <= run:
        return ""
    return f"the budget ended after {run} processes; the job's widest spread asked for {asked}"

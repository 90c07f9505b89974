"""Every number format on the base model's linear layers, computed correctly and as MASE does."""

import copy
from typing import Any

import torch
from transformers import BertForSequenceClassification

from labs.experiments.compression import sizes
from labs.experiments.compression.bench import FILES, Bench, clean, inputs
from labs.experiments.compression.curves import Case, follow
from labs.formats.factory import make_quantizer
from labs.formats.names import ALL_ROWS, BLOCK, FORMATS, MASE, NEAREST
from labs.jobs.job import Job
from labs.models.layers import linears
from labs.models.quantized import average_bits, quantize_linears
from labs.records.observations import Observations

TWO_MODES = ("minifloat_denorm", "minifloat_ieee", "block_fp", "block_minifloat", "mxint8")
"""Formats that MASE computes differently."""


def cases() -> list[Case]:
    """Return every format in each of its modes."""
    nearest = [{"format": name, "mode": NEAREST} for name in FORMATS]
    return nearest + [{"format": name, "mode": MASE} for name in (*TWO_MODES, ALL_ROWS)]


def config_of(case: Case) -> dict[str, Any]:
    """Return the configuration of a case's quantizer."""
    if case["format"] == ALL_ROWS:
        return {"name": "block_fp", **FORMATS["block_fp"], "block_size": [BLOCK], "mode": MASE}
    return {"name": case["format"], **FORMATS[case["format"]], "mode": case["mode"]}


def observe(bench: Bench, base: BertForSequenceClassification) -> Observations:
    """Return each format's accuracy without training, and its effect on the weights."""

    def at_case(seen: Observations, case: Case) -> None:
        config = config_of(case)
        model = quantize_linears(copy.deepcopy(base), config)
        seen.fact("average bits", average_bits(model), "bits", "format", **case)
        quantize = make_quantizer(config).quantize
        weights = [layer.weight.detach() for layer in linears(base).values()]
        before = torch.cat([weight.flatten() for weight in weights])
        after = torch.cat([quantize(weight).flatten() for weight in weights])
        error = (after - before).norm() / before.norm()
        seen.fact("weight error", error.item(), "ratio", "format", **case)
        kept = after.count_nonzero().item() / before.count_nonzero().item()
        seen.fact("weights kept", kept, "share", "format", **case)
        bench.judge(seen, model, "format", case, whole=case["format"] == ALL_ROWS)

    seen, all_cases = Observations(bench.replicate), cases()
    identity = bench.identity([config_of(case) for case in all_cases], base)
    follow(seen, all_cases, at_case, bench.studies, identity)
    return seen


JOB = Job(
    "formats", observe, sizes.JUDGED, files=FILES, replicated=True, inputs=inputs, finish=clean
)

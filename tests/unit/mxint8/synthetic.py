"""Records of question 3 with known contents, as the measuring programs would write them."""

from __future__ import annotations

from typing import Any

import numpy as np

from labs.experiments.mxint8.costs import ARMS, Shape, bytes_moved, operations
from labs.records.answers import pack
from labs.records.names.mxint8 import READING
from tests.unit.synthetic import PROCESSES, Row, fact, record, sample

DECODED = ("exact", "out", "bias", "formula")


def formulas(wrong: int = 2, worse: float = 2.0, bias: float = 1.0) -> Row:
    """A formulas record: the number of pairs that are wrong for an unknown reason, the factor of
    MASE's scale on the error, and the bias at scale one.
    """
    facts = []
    for m in range(-128, 128):
        leading, sign = bool(abs(m) & 0x40), -1 if m < 0 else 1
        out = sign * (1 + (abs(m) & 0x3F) / 64)
        values = {
            "exact": m / 64,
            "out": out,
            "bias": sign * bias,
            "formula": out if leading else out - sign * bias,
        }
        for arm in DECODED:
            facts.append(fact(0, "decoded", values[arm], "ratio", arm, mantissa=m, leading=leading))
    causes = ["no implicit one in BF16", "magnitude of eight bits", "infinity instead of NaN"]
    causes += ["unexplained"] * wrong
    for exponent, cause in enumerate(causes):
        case = {"mantissa": -128, "exponent": exponent, "cause": cause}
        facts.append(fact(0, "wrong pair", "0.0", "text", "formula", **case))
    for arm, count in (("out", 300), ("formula", len(causes)), ("mxint_cuda", 0)):
        facts.append(fact(0, "pairs", 65536, "count", arm))
        facts.append(fact(0, "wrong pairs", count, "count", arm))
    for arm, changed in (("mxint_cuda", 0), ("through BF16", 80)):
        numbers = {"codes": 1000, "groups": 10, "other codes": changed}
        numbers |= {"off by one": changed, "other scales": 0}
        facts += [fact(0, name, number, "count", arm) for name, number in numbers.items()]
        facts.append(fact(0, "error", 0.008, "share", arm))
    for arm, saturated, error in (("floor", 0, 0.01), ("ceil", 10, 0.01 * worse)):
        facts.append(fact(0, "groups", 10, "count", arm))
        facts.append(fact(0, "saturated groups", saturated, "count", arm))
        facts.append(fact(0, "error", error, "share", arm))
        facts.append(fact(0, "error of the largest", saturated / 1280, "share", arm))
    for arm in ("float32", "bfloat16"):
        facts.append(fact(0, "power of two", 0.01, "share", arm))
    return record("mxint8_formulas", {}, facts=facts)


def linear(gains: dict[str, float] | None = None, seconds: float = 0.01) -> Row:
    """A record of linear layers: the speed-up of each arm over float32; reading takes an eighth."""
    gains = gains or {}
    samples, facts = [], []
    for process in range(PROCESSES):
        samples.append(sample(process, "steady", "copy", [0.01] * 2))
        facts.append(fact(process, "bytes moved", 10**8, "bytes", "copy"))
        for batch in (1, 32):
            shape = Shape(batch, 4096, 4096, 32)
            for arm in (*ARMS, "float32 again"):
                time = seconds / gains.get(arm, 1.0)
                samples.append(sample(process, "steady", arm, [time] * 2, batch=batch))
            samples.append(sample(process, "steady", READING, [seconds / 8] * 2, batch=batch))
            for arm in ARMS:
                facts.append(fact(process, "error", 0.01, "share", arm, batch=batch))
                for name, unit, counts in (
                    ("bytes moved", "bytes", bytes_moved(arm, shape)),
                    ("operations", "count", operations(arm, shape)),
                ):
                    for what, count in counts.items():
                        facts.append(fact(process, name, count, unit, arm, batch=batch, what=what))
    spec = {"shape": [4096, 4096], "batches": [1, 32], "group_size": 32}
    return record("mxint8_linear", spec, samples=samples, facts=facts)


def memory(weights: int = 32_000, embeddings: int = 4_000, loop: float = 1.0) -> Row:
    """A memory record of the lab's model: its parameters, and the peak of converting it in the
    lab's loop, as a share of the model with both copies of its weights.
    """
    kinds = {
        "quantized Linear weights": (weights, weights + weights // 32),
        "embeddings": (embeddings, 4 * embeddings),
        "Linear biases": (100, 400),
    }
    model: dict[str, Any] = {"model": "deberta-xlarge"}
    facts = []
    for kind, (count, after) in kinds.items():
        facts.append(fact(0, "parameters", count, "count", "float32", kind=kind, **model))
        for name in ("predicted bytes", "bytes"):
            facts.append(fact(0, name, 4 * count, "bytes", "float32", kind=kind, **model))
            facts.append(fact(0, name, after, "bytes", "mxint8", kind=kind, **model))
    before = 4 * sum(count for count, _ in kinds.values())
    both = before + kinds["quantized Linear weights"][1]
    for arm, extra in (("float32", 10), ("mxint8", 10), ("mxint8, decoded whole", 1000)):
        facts.append(fact(0, "peak of a call", extra, "bytes", arm, **model))
    facts.append(fact(0, "peak of conversion", before + 10, "bytes", "mxint8", **model))
    peak = both * loop
    facts.append(fact(0, "peak of conversion", peak, "bytes", "loop over named_modules", **model))
    for layer, place, count in (("a", "encoder", weights), ("b", "elsewhere", 0)):
        case = {**model, "layer": layer, "place": place}
        facts.append(fact(0, "linear weights", count, "count", "mxint8", **case))
    spec = {"models": ["deberta-xlarge"], "group_size": 32}
    return record("mxint8_memory", spec, facts=facts)


def kernels(share: float = 0.95, naive: float = 5.0) -> Row:
    """The decoding kernel: its rate as a share of a copy's, its gain over torch's operators."""
    samples, facts, checks = [], [], []
    for process in range(PROCESSES):
        samples.append(sample(process, "steady", "copy", [0.01] * 2))
        facts.append(fact(process, "bytes moved", 10**8, "bytes", "copy"))
        for size in (8, 32):
            for arm, times in (("mxint_cuda", 1), ("mxint_cuda again", 1), ("element-wise", naive)):
                seconds = [times * 0.01 / share] * 2
                samples.append(sample(process, "steady", arm, seconds, group_size=size))
                moved = fact(process, "bytes moved", 10**8, "bytes", arm, group_size=size)
                facts.append(moved)
    row = {"process": 0, "arm": "mxint_cuda", "reference": "float64", "case": {}}
    checks.append({**row, "error": 0.0, "tolerance": 0.1, "passed": True})
    spec = {"elements": 100, "group_sizes": [8, 32]}
    parts = {"samples": samples, "facts": facts, "checks": checks}
    return record("mxint8_kernels", spec, **parts)


def partition(rows: int = 4, columns: int = 8, down: bool = True) -> Row:
    """A partition record: the size of a tile, and whether threads run down its columns."""
    facts = []
    for example, elements, size in (
        ("whole groups", 3 * rows * columns, rows),
        ("ragged", 30, rows - 1),
        ("tall", 50, rows + 1),
    ):
        lines = ["block_m,block_k,thread,m,k,element,shared,inside"]
        groups = -(-elements // size)
        for block_m in range(-(-size // rows)):
            for block_k in range(-(-groups // columns)):
                for thread in range(rows * columns):
                    row, column = thread % rows, thread // rows
                    if not down:
                        row, column = thread // columns, thread % columns
                    m, k = block_m * rows + row, block_k * columns + column
                    element = k * size + m
                    inside = int(m < size and element < elements)
                    line = (block_m, block_k, thread, m, k, element, thread, inside)
                    lines.append(",".join(map(str, line)))
        case = {"example": example, "elements": elements, "group_size": size}
        facts.append(fact(0, "owners", "\n".join(lines), "text", "cute", **case))
    lines = ["kernel,array,instructions,sectors,bytes"]
    for kernel, instructions in (("scalar", 100), ("cute", 100), ("vectorised", 10)):
        lines.append(f"{kernel},mantissa,{instructions},32,1024")
        lines.append(f"{kernel},exponent,10,4,32")
        lines.append(f"{kernel},y,{instructions},64,2048")
    case = {"group_size": 32, "elements": 1024}
    facts.append(fact(0, "transactions", "\n".join(lines), "text", "all", **case))
    return record("mxint8_partition", {}, facts=facts)


def accuracy(changed: int = 0, reviews: int = 2000) -> Row:
    """An accuracy record: the number of reviews that only float32 classifies correctly."""
    right = np.ones(reviews, dtype=bool)
    right[: reviews // 5] = False
    facts = []
    for arm in ("float32", "MXINT8 weights", "MXINT8 weights and activations"):
        judged = right.copy()
        if arm != "float32":
            judged[reviews - changed :] = False
        facts.append(fact(0, "reviews", reviews, "count", arm))
        facts.append(fact(0, "correct", pack(judged), "text", arm))
    return record("mxint8_accuracy", {}, facts=facts)


def everything() -> dict[str, Row]:
    """One record per experiment, by path."""
    made = (formulas(), linear(), memory(), kernels(), partition(), accuracy())
    return {f"{row['experiment']}.json": row for row in made}

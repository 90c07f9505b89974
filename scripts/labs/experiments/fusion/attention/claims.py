"""Claims about fused attention: questions 2a (on the CPU) and 2b (on CUDA)."""

from labs.analysis.values import Values
from labs.claims.claim import Claim
from labs.claims.rules import Rules
from labs.claims.statement import Rule, Statement
from labs.experiments.fusion.attention.names import LAB_DTYPE
from labs.experiments.fusion.attention.values import ITEM_BYTES, prefix
from labs.records.record import Record

EXPERIMENT = "fusion"

QUESTIONS = {"cpu": "lab4-2a", "cuda": "lab4-2b"}
DTYPES = tuple(ITEM_BYTES)
"""The number formats that a preset may run."""

MOST, NEARLY = 0.5, 0.8


def rules(record: Record, values: Values) -> list[Rule]:
    device = record["device"]
    claim = Rules(record, values, prefix(record), QUESTIONS[device])
    dtypes = claim.spec_values("dtypes", DTYPES)

    def decides(statement: Statement) -> Claim:
        """Judge that verdicts differ; one that is open may be yet another."""
        different = claim.number("verdicts")
        alike = different == 1 and claim.number("verdicts.open") == 0
        return statement.decided(claim.value("dtype_spread"), different > 1, alike)

    at_lab = claim.at("fusion", "shape")
    where = {
        dtype: at_lab.at("fusion", dtypes=dtype).only_if(dtype in dtypes, dtype) for dtype in DTYPES
    }
    return [
        *(rule for dtype in DTYPES for rule in _format_rules(where[dtype], dtype, record)),
        claim.only_if(len(dtypes) > 1, "several formats").rule(
            "dtype-decides",
            "Whether fused attention is faster at the lab's shape depends on the number format.",
            decides,
        ),
        at_lab.rule(
            "compiler-rewrites",
            "torch.compile recognises the naive code and puts the fused operator in its place.",
            claim.counts_any("rewrites"),
            against=(f"A-attention-compiler-keeps-algorithm-{device}",),
        ),
        claim.rule(
            "lab-check-blind",
            "The lab's check, one element of tensors full of ones, passes wrong implementations.",
            claim.counts_any("checks.lab_passed"),
            against=("L-attention-equivalence-cpu",) if device == "cpu" else (),
        ),
        claim.rule(
            "real-check-sees",
            "Comparing whole outputs on random numbers rejects every one of them.",
            claim.counts_none("checks.real_passed"),
        ),
        where[LAB_DTYPE].rule(
            "amortises",
            "Fused attention is ahead of naive by more, the more calls are averaged over.",
            claim.faster("amortisation.speedup", f"{LAB_DTYPE}.noise_floor"),
            like=("D-attention-cuda-amortisation",) if device == "cuda" else (),
        ),
    ]


def _format_rules(at_lab: Rules, dtype: str, record: Record) -> list[Rule]:
    device, claim = record["device"], at_lab.with_prefix(dtype)
    when_long = claim.at("fusion", shape=_longest_shape(record)) if claim.measured else claim
    # Published without naming a number format, and so claimed of each of them.
    faster = (
        f"A-attention-always-faster-{device}",
        f"B-attention-{device}-faster",
        *(["C-attention-cpu-significant"] if device == "cpu" else []),
        f"L-attention-lossless-{device}",
    )
    return [
        claim.rule(
            "fused-faster",
            f"At the lab's shape, fused attention is faster than naive in {dtype}.",
            claim.faster("fused.speedup"),
            like=faster,
        ),
        claim.only_with("fusing.speedup", f"the operator unfused in {dtype}").rule(
            "fusing-faster",
            f"At the lab's shape, the fused operator is faster than when run unfused in {dtype}.",
            claim.faster("fusing.speedup"),
        ),
        when_long.rule(
            "fused-faster-when-long",
            f"At the longest sequence, fused attention is faster than naive in {dtype}.",
            when_long.faster("longest.speedup", "longest.noise_floor"),
            like=faster,
        ),
        when_long.rule(
            "less-memory",
            f"At the longest sequence, fused attention needs less memory in {dtype}.",
            lambda s: s.exceeds(when_long.ratio("longest.naive.peak", "longest.fused.peak"), 1),
            like=(f"A-attention-no-score-matrix-{device}",),
        ),
        claim.rule(
            "products-dominate",
            f"Naive attention spends most of its time in its matrix products in {dtype}.",
            claim.exceeds("products.share", MOST),
            against=(f"A-attention-bandwidth-bound-{device}",),
        ),
        claim.rule(
            "bandwidth-bound",
            f"Naive attention moves its bytes at nearly the rate of a plain copy in {dtype}.",
            claim.exceeds("naive.share_of_copy", NEARLY),
            like=(f"A-attention-bandwidth-bound-{device}",),
        ),
        claim.rule(
            "compiler-faster",
            "The naive code, compiled without putting in the fused operator, is faster than eager "
            f"in {dtype}.",
            claim.faster("compiled-naive-no-rewrite.speedup"),
        ),
        claim.rule(
            "algorithm-gains-more",
            f"Fused attention is faster than the naive code that is compiled alone in {dtype}.",
            claim.faster("algorithm.speedup"),
            like=(f"A-attention-gain-algorithm-{device}",),
        ),
    ]


def _longest_shape(record: Record) -> list[int]:
    """Return the shape at the longest sequence of the sweep."""
    spec = record["spec"]
    _, heads, _, dimension = spec["shape"]
    return [spec["sweep_batch"], heads, spec["lengths"][-1], dimension]

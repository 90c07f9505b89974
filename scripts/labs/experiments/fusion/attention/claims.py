"""Claims about fused attention: questions 2a (on the CPU) and 2b (on CUDA)."""

from collections.abc import Sequence

from labs.analysis.frame import exactly
from labs.analysis.statistics import verdict
from labs.claims.claim import Claim, Rule, Statement
from labs.claims.rules import Rules
from labs.experiments.fusion.attention.names import LAB_DTYPE, MATH
from labs.experiments.fusion.attention.values import ITEM_BYTES, arms, longest_shape, prefix, values
from labs.records.record import Record

EXPERIMENT = "fusion"

QUESTIONS = {"cpu": "lab4-2a", "cuda": "lab4-2b"}
DTYPES = tuple(ITEM_BYTES)
"""The number formats that a preset may run."""

MOST, NEARLY = 0.5, 0.8
FASTER = {
    "cpu": (
        "A-attention-always-faster-cpu",
        "B-attention-cpu-faster",
        "C-attention-cpu-significant",
        "L-attention-lossless-cpu",
    ),
    "cuda": (
        "A-attention-always-faster-cuda",
        "B-attention-cuda-faster",
        "L-attention-lossless-cuda",
    ),
}
"""What was published without naming a number format, and so is claimed of each of them."""


def rules(record: Record) -> list[Rule]:
    device = record["device"]
    claim = Rules(record, prefix(record), QUESTIONS[device], values)
    dtypes = claim.asked("dtypes", DTYPES)
    at_lab = claim.at("fusion", "shape")
    where = {
        dtype: at_lab.at("fusion", dtypes=dtype).where_run(dtype in dtypes, dtype)
        for dtype in DTYPES
    }

    def fewest_rewrites() -> float:
        return min(claim.number(f"{dtype}.rewrites") for dtype in dtypes)

    return [
        *(one for dtype in DTYPES for one in _of_format(where[dtype], dtype, record)),
        claim.rule(
            "dtype-decides",
            "Whether fused attention is faster at the lab's shape depends on the number format.",
            lambda s: _dtype_decides(s, claim, dtypes),
        ),
        at_lab.rule(
            "compiler-rewrites",
            "torch.compile recognises the naive code and puts the fused operator in its place.",
            lambda s: s.above(exactly(fewest_rewrites(), "count"), 0),
            against=(f"A-attention-compiler-keeps-algorithm-{device}",),
        ),
        claim.rule(
            "lab-check-blind",
            "The lab's check, one element of tensors full of ones, passes wrong implementations.",
            claim.some("checks.lab_passed"),
            against=("L-attention-equivalence-cpu",) if device == "cpu" else (),
        ),
        claim.rule(
            "real-check-sees",
            "Comparing whole outputs on random numbers rejects every one of them.",
            claim.none("checks.real_passed"),
        ),
        where[LAB_DTYPE].rule(
            "amortises",
            "Fused attention is ahead of naive by more, the more calls are averaged over.",
            where[LAB_DTYPE].faster("amortisation.speedup", f"{LAB_DTYPE}.noise_floor"),
            like=("D-attention-cuda-amortisation",) if device == "cuda" else (),
        ),
    ]


def _of_format(claim: Rules, dtype: str, record: Record) -> list[Rule]:
    device, of_format = record["device"], claim.part(dtype)
    when_long = of_format.at("fusion", shape=longest_shape(record)) if claim.measured else of_format
    has_math = not claim.measured or MATH in arms(record, dtype)
    return [
        of_format.rule(
            "fused-faster",
            f"At the lab's shape, fused attention is faster than naive in {dtype}.",
            of_format.faster("fused.speedup"),
            like=FASTER[device],
        ),
        of_format.where_run(has_math, f"the operator unfused in {dtype}").rule(
            "fusing-faster",
            f"At the lab's shape, the fused operator is faster than when run unfused in {dtype}.",
            of_format.faster("fusing.speedup"),
        ),
        when_long.rule(
            "fused-faster-when-long",
            f"At the longest sequence, fused attention is faster than naive in {dtype}.",
            when_long.faster("longest.speedup", "longest.noise_floor"),
            like=FASTER[device],
        ),
        when_long.rule(
            "less-memory",
            f"At the longest sequence, fused attention needs less memory in {dtype}.",
            lambda s: s.above(of_format.ratio("longest.naive.peak", "longest.fused.peak"), 1),
            like=(f"A-attention-no-score-matrix-{device}",),
        ),
        of_format.rule(
            "products-dominate",
            f"Naive attention spends most of its time in its matrix products in {dtype}.",
            of_format.above("products.share", MOST),
            against=(f"A-attention-bandwidth-bound-{device}",),
        ),
        of_format.rule(
            "bandwidth-bound",
            f"Naive attention moves its bytes at nearly the rate of a plain copy in {dtype}.",
            of_format.above("naive.share_of_copy", NEARLY),
            like=(f"A-attention-bandwidth-bound-{device}",),
        ),
        of_format.rule(
            "compiler-faster",
            "The naive code, compiled without putting in the fused operator, is faster than eager "
            f"in {dtype}.",
            of_format.faster("compiled-naive-no-rewrite.speedup"),
        ),
        of_format.rule(
            "algorithm-gains-more",
            f"Fused attention is faster than the naive code that is compiled alone in {dtype}.",
            of_format.faster("algorithm.speedup"),
            like=(f"A-attention-gain-algorithm-{device}",),
        ),
    ]


def _dtype_decides(statement: Statement, claim: Rules, dtypes: Sequence[str]) -> Claim:
    """Return the claim: confirmed by a format that gains beside one that loses or stays the same.

    Its estimate is the largest gain over the smallest; an undecided format leaves it undecided,
    unless the others already differ.
    """
    if len(dtypes) == 1:
        return statement.not_measured("this preset runs one format")
    verdicts = {
        verdict(
            claim.value(f"{dtype}.fused.speedup").estimate, claim.number(f"{dtype}.noise_floor")
        )
        for dtype in dtypes
    }
    return statement.decided(
        claim.value("dtype_spread"),
        confirmed=len(verdicts - {"undecided"}) > 1,
        refuted="undecided" not in verdicts,
    )

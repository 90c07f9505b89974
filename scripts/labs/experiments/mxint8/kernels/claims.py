"""Claims about the speed of the decoding kernels: question 3c."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.mxint8.kernels.values import ANALYSIS
from labs.records.record import Record

EXPERIMENT = "mxint8_kernels"

NEARLY = 0.9


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, ANALYSIS.prefix(record), "lab4-3c")
    on_gpu = record["device"] == "cuda"
    near = claim.rule(
        "near-copy",
        "At every group size, decoding moves its bytes at nine tenths of the rate of a plain copy "
        "or more.",
        claim.exceeds("vectorised.worst" if on_gpu else "mxint_cuda.worst", NEARLY),
    )
    over_naive = claim.rule(
        "faster-than-naive",
        "At the lab's group size, decoding by a kernel is faster than by torch's operators, "
        "element by element in float32.",
        claim.faster("cute.over_naive" if on_gpu else "mxint_cuda.over_naive"),
        like=("A-kernel-over-naive",),
    )
    faster = claim.rule(
        "vectorised-faster",
        "At the lab's group size, the vectorised kernel is faster than the lab's CuTe kernel.",
        claim.faster("vectorised.over_cute"),
    )
    return [near, over_naive, faster] if on_gpu else [near, over_naive]

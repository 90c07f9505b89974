"""Claims about the linear + ReLU fusion that the lab explains with: part of questions 2a and 2b."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.fusion.attention.claims import DTYPES, QUESTIONS
from labs.experiments.fusion.linear_relu.values import prefix
from labs.records.record import Record

EXPERIMENT = "fusion"

SMALL = 0.1


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, prefix(record), QUESTIONS[record["device"]])
    dtypes = claim.spec_values("linear_dtypes", DTYPES)
    return [rule for dtype in dtypes for rule in _format_rules(claim.with_prefix(dtype), dtype)]


def _format_rules(claim: Rules, dtype: str) -> list[Rule]:
    return [
        claim.rule(
            "compiled-faster",
            f"torch.compile makes linear + ReLU faster in {dtype}.",
            claim.faster("compiled.speedup"),
        ),
        claim.rule(
            "one-kernel",
            f"torch.compile turns linear + ReLU into a single kernel in {dtype}.",
            claim.equals("compiled.all_kernels", 1),
        ),
        claim.rule(
            "little-to-gain",
            f"ReLU takes less than a tenth of linear + ReLU in {dtype}: fusing gains little.",
            claim.at_most("relu_share", SMALL),
        ),
    ]

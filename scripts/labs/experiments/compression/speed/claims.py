"""Claims about the speed of compressed models: questions 1.1 and 1.2."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.compression.points import share
from labs.experiments.compression.speed.names import FAKE
from labs.records.record import Record

EXPERIMENT = "compression_speed"

QUANTIZATION, PRUNING = "lab1-1", "lab1-2"
AFFORDABLE = 1.25
"""What a fake-quantized training step may cost, over one in float32."""

HIDDEN, SPARSITIES = (128, 512), (0.5, 0.9)
"""The hidden sizes of BERT-tiny and of the largest model of Lab 2; the sparsities of the claims."""


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "compression_speed", QUANTIZATION)
    steps = [
        claim.only_if(hidden in claim.spec_values("hidden_sizes", HIDDEN)).rule(
            f"step{hidden}.affordable",
            f"A fake-quantized training step takes at most {AFFORDABLE} times as long as one in "
            f"float32, at hidden size {hidden}.",
            claim.at_most(f"step{hidden}.{FAKE}.slowdown", AFFORDABLE),
        )
        for hidden in HIDDEN
    ]
    return steps + [rule for sparsity in SPARSITIES for rule in _of_sparsity(claim, sparsity)]


def _of_sparsity(claim: Rules, sparsity: float) -> list[Rule]:
    pruned = claim.for_question(PRUNING).only_if(
        sparsity in claim.spec_values("sparsities", SPARSITIES)
    )
    part, words = share(sparsity), f"at sparsity {sparsity}"
    return [
        pruned.rule(
            f"zeros.{part}.faster",
            f"Zeros among the weights make the model faster, {words}.",
            pruned.faster(f"zeros.{part}.speedup"),
            against=("D-unstructured-no-speedup",),
        ),
        pruned.rule(
            f"zeros-skipped.{part}.faster",
            f"Weights stored without their zeros make the model faster, {words}.",
            pruned.faster(f"zeros-skipped.{part}.speedup"),
        ),
        pruned.rule(
            f"smaller.{part}.faster",
            f"Removing whole heads and neurons, up to that share, makes the model faster, {words}.",
            pruned.faster(f"smaller.{part}.speedup"),
            like=("D-structured-speedup",),
        ),
    ]

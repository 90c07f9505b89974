"""Claims about eval(), no_grad(), smaller batches and a compiler cache, on torch.compile."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.compilation.compiler_claims import (
    FASTER,
    IF_COMPILED_IN_LAB,
    QUESTIONS,
    compiler_rules,
    speedup_rules,
)
from labs.experiments.compilation.names import BERT_TINY, LAB, ONE, SMALL
from labs.records.record import Record

EXPERIMENT = "compilation_modes"

MODELS = {
    SMALL: "ResNet-18 on a smaller batch",
    ONE: "ResNet-18 on one image",
    BERT_TINY: "BERT-tiny",
}
HALF = 2.0


def rules(record: Record, values: Values) -> list[Rule]:
    device = record["device"]
    every = Rules(record, values, "compilation", QUESTIONS[device])
    faster = [name for name in FASTER if name not in IF_COMPILED_IN_LAB]
    rules = []
    for model, words in MODELS.items():
        claim = every.with_prefix(f"{model}.{device}")
        rules += [
            *speedup_rules(claim, words, *faster, published=False),
            claim.rule(
                "warm-cache-helps",
                "A compiler cache of an earlier process at least halves the first call of "
                f"{words}.",
                claim.exceeds("warm_cache.speedup", HALF),
            ),
        ]
    claim, words = every.with_prefix(f"{BERT_TINY}.{device}"), MODELS[BERT_TINY]
    in_lab = claim.only_if(LAB in every.spec_values("bert_tiny_modes", [LAB]), LAB)
    return [
        *rules,
        *speedup_rules(in_lab, words, *IF_COMPILED_IN_LAB, published=False),
        *compiler_rules(claim, in_lab, words, published=False),
    ]

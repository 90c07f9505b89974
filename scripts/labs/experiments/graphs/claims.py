"""Claims about the graphs of BERT-tiny: the questions of Lab 0 but for its fine-tuning."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.graphs.values import prefix
from labs.records.record import Record

EXPERIMENT = "graphs"

PASSES, ERASING, INPUTS, SHAPES = "lab0-1", "lab0-1-task", "lab0-2", "lab0-4"
DROPOUTS = 6
"""How many the lab counts."""


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, prefix(record), PASSES)
    return [
        *_of_passes(claim),
        *_of_erasing(claim.for_question(ERASING)),
        *_of_inputs(claim.for_question(INPUTS)),
        *_of_shapes(claim.for_question(SHAPES)),
    ]


def _of_passes(claim: Rules) -> list[Rule]:
    return [
        claim.rule(
            "export-computes-the-same",
            "The exported graph computes the logits of the model, to the last bit.",
            claim.counts_none("exported.error"),
        ),
        claim.rule(
            "symbolic-trace-fails",
            "torch.fx.symbolic_trace cannot trace the model.",
            claim.counts_any("symbolic_trace.error"),
        ),
        claim.rule(
            "own-tracer-gone",
            "transformers has no tracer of its own: transformers.utils.fx cannot be imported.",
            claim.counts_any("transformers-tracer.error"),
        ),
        claim.rule(
            "six-dropouts",
            f"The graph holds {DROPOUTS} dropout nodes.",
            claim.equals("ids.dropout-nodes", DROPOUTS),
            like=("D-graph-six-dropouts",),
        ),
        claim.rule(
            "none-left",
            "After the removal pass no dropout node is left.",
            claim.counts_none("removed.dropout-nodes"),
        ),
        claim.rule(
            "nothing-else-removed",
            "The removal pass erases the dropout nodes and changes no other.",
            claim.counts_none("exceptions.removal"),
        ),
        claim.rule(
            "removal-changes-no-output",
            "In eval mode no logit changes when the dropout nodes are removed.",
            claim.counts_none("dropouts-removed.differing"),
        ),
        claim.rule(
            "reload-exact",
            "The graph computes the same logits, to the last bit, after a file in between.",
            claim.counts_none("loaded-from-its-file.differing"),
        ),
        claim.rule(
            "removal-ends-randomness",
            "In train mode the graph draws no random numbers once its dropout nodes are removed.",
            claim.counts_none("train-mode-dropout-nodes-removed.differing"),
        ),
        claim.rule(
            "attention-hides-dropout",
            "In train mode attention drops weights inside its fused operator, where counting nodes "
            "sees nothing; with that off as well, the graph draws no random numbers.",
            claim.counts_none("exceptions.attention"),
        ),
    ]


def _of_erasing(claim: Rules) -> list[Rule]:
    return [
        claim.rule(
            "erasing-raises",
            "Erasing a dropout node without redirecting its uses raises an error.",
            claim.counts_any("erase.error"),
        ),
        claim.rule(
            "erasing-changes-nothing",
            "The graph is as it was after the error: the node is not deleted.",
            claim.equals("erase.nodes", "ids.nodes"),
            against=("C-graph-dangling",),
        ),
    ]


def _of_inputs(claim: Rules) -> list[Rule]:
    return [
        claim.rule(
            "mask-expansion-vanishes",
            "Without attention_mask no node that works on the mask is left.",
            claim.counts_none("left.nodes"),
        ),
        claim.rule(
            "ones-instead",
            "Without attention_mask the graph makes a mask of its own, out of constants, that "
            "hides no position.",
            claim.counts_none("exceptions.ones"),
            like=("D-graph-ones",),
        ),
        claim.rule(
            "eager-skips-mask",
            "The model itself, not exported, hands attention no mask when it is given none.",
            claim.counts_none("eager.attention-masks"),
        ),
        claim.rule(
            "mask-only-adds",
            "The graph without attention_mask lacks some nodes, and has none of its own.",
            claim.counts_none("exceptions.mask"),
        ),
        claim.rule(
            "ones-change-nothing",
            "A mask of ones changes no logit, in any bit, against no mask.",
            claim.counts_none("a-mask-of-ones.differing"),
        ),
        claim.rule(
            "padding-matters",
            "On sequences with padding, logits differ with the mask and without it.",
            claim.counts_any("a-mask-with-padding.differing"),
            like=("C-graph-mask",),
        ),
        claim.rule(
            "labels-add-the-loss",
            "labels add the loss to the graph, which equals cross_entropy of the logits in every "
            "bit, and change no other node.",
            claim.counts_none("exceptions.labels"),
            like=("C-graph-labels", "D-graph-labels"),
        ),
        claim.rule(
            "labels-change-no-logit",
            "labels change no logit.",
            claim.counts_none("logits-with-labels.differing"),
        ),
    ]


def _of_shapes(claim: Rules) -> list[Rule]:
    return [
        claim.rule(
            "shapes-right",
            "Every shape and type that the export inferred is that of a real run.",
            claim.counts_none("exceptions.shapes"),
        ),
        claim.rule(
            "every-operator-described",
            "Every operator of the graph has an inferred shape.",
            claim.equals("ids.shapes-inferred", "ids.operators"),
        ),
        claim.rule(
            "parameters-add-up",
            "The parameters that the nodes read add up to those of the model.",
            claim.equals("ids.parameters-read", "model.parameters"),
        ),
        claim.rule(
            "layers-alike",
            "All encoder layers run the same operators with the same shapes.",
            claim.counts_none("exceptions.layers"),
        ),
    ]

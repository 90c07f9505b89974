"""Claims about the graphs of BERT-tiny: the questions of Lab 0 but for its fine-tuning."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value
from labs.analysis.graphs.values import prefix, values
from labs.claims.claim import Rule, Statement
from labs.records.record import Record

PASSES, ERASING, INPUTS, SHAPES = "lab0-1", "lab0-1-task", "lab0-2", "lab0-4"
DROPOUTS = 6
"""How many the lab counts."""


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the graphs, and how each is judged."""
    device, start = record["device"], prefix(record)

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def number(name: str) -> float:
        return found()[f"{start}.{name}"].estimate.value

    def rule(
        question: str,
        short: str,
        words: str,
        name: str,
        true: Callable[[float], bool],
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
    ) -> Rule:
        statement = Statement(f"{start}.{short}", question, device, words, like, against)
        return Rule(
            statement, lambda s: s.holds(found()[f"{start}.{name}"], bool(true(number(name))))
        )

    def none(value: float) -> bool:
        return value == 0

    def some(value: float) -> bool:
        return value > 0

    return [
        rule(
            PASSES,
            "export-computes-the-same",
            "The exported graph computes the logits of the model, to the last bit.",
            "exported.error",
            none,
        ),
        rule(
            PASSES,
            "symbolic-trace-fails",
            "torch.fx.symbolic_trace cannot trace the model.",
            "symbolic_trace.error",
            some,
        ),
        rule(
            PASSES,
            "own-tracer-gone",
            "transformers has no tracer of its own: transformers.utils.fx cannot be imported.",
            "transformers-tracer.error",
            some,
        ),
        rule(
            PASSES,
            "six-dropouts",
            f"The graph holds {DROPOUTS} dropout nodes.",
            "ids.dropout-nodes",
            lambda n: n == DROPOUTS,
            like=("D-graph-six-dropouts",),
        ),
        rule(
            PASSES,
            "none-left",
            "After the removal pass no dropout node is left.",
            "removed.dropout-nodes",
            none,
        ),
        rule(
            PASSES,
            "nothing-else-removed",
            "The removal pass erases the dropout nodes and changes no other.",
            "removal.added",
            lambda n: n == number("ids.dropout-nodes") and number("removal.gone") == 0,
        ),
        rule(
            PASSES,
            "removal-changes-no-output",
            "In eval mode no logit changes when the dropout nodes are removed.",
            "dropouts-removed.differing",
            none,
        ),
        rule(
            PASSES,
            "reload-exact",
            "The graph computes the same logits, to the last bit, after a file in between.",
            "loaded-from-its-file.differing",
            none,
        ),
        rule(
            PASSES,
            "removal-ends-randomness",
            "In train mode the graph draws no random numbers once its dropout nodes are removed.",
            "train-mode-dropout-nodes-removed.differing",
            none,
        ),
        rule(
            PASSES,
            "attention-hides-dropout",
            "In train mode attention drops weights inside its fused operator, where counting nodes "
            "sees nothing; with that off as well, the graph draws no random numbers.",
            "training.dropouts-inside-attention",
            lambda n: n > 0 and number("train-mode-attention-s-dropout-off-too.differing") == 0,
        ),
        rule(
            ERASING,
            "erasing-raises",
            "Erasing a dropout node without redirecting its uses raises an error.",
            "erase.error",
            some,
        ),
        rule(
            ERASING,
            "erasing-changes-nothing",
            "The graph is as it was after the error: the node is not deleted.",
            "erase.nodes",
            lambda n: n == number("ids.nodes"),
            against=("C-graph-dangling",),
        ),
        rule(
            INPUTS,
            "mask-expansion-vanishes",
            "Without attention_mask no node that works on the mask is left.",
            "left.nodes",
            none,
        ),
        rule(
            INPUTS,
            "ones-instead",
            "Without attention_mask the graph makes a mask of its own, out of constants, that "
            "hides no position.",
            "exported.masked-positions",
            lambda n: (
                n == 0
                and number("exported.attention-masks") > 0
                and number("left.constant") == number("left.nodes")
            ),
            like=("D-graph-ones",),
        ),
        rule(
            INPUTS,
            "eager-skips-mask",
            "The model itself, not exported, hands attention no mask when it is given none.",
            "eager.attention-masks",
            none,
        ),
        rule(
            INPUTS,
            "mask-only-adds",
            "The graph without attention_mask lacks some nodes, and has none of its own.",
            "mask.gone",
            lambda n: n == 0 and number("mask.added") > 0,
        ),
        rule(
            INPUTS,
            "ones-change-nothing",
            "A mask of ones changes no logit, in any bit, against no mask.",
            "a-mask-of-ones.differing",
            none,
        ),
        rule(
            INPUTS,
            "padding-matters",
            "On sequences with padding, logits differ with the mask and without it.",
            "a-mask-with-padding.differing",
            some,
            like=("C-graph-mask",),
        ),
        rule(
            INPUTS,
            "labels-add-the-loss",
            "labels add the loss to the graph, which equals cross_entropy of the logits in every "
            "bit, and change no other node.",
            "loss.differing",
            lambda n: n == 0 and number("labels.gone") == 0 and number("labels.loss") > 0,
            like=("C-graph-labels", "D-graph-labels"),
        ),
        rule(
            INPUTS,
            "labels-change-no-logit",
            "labels change no logit.",
            "logits-with-labels.differing",
            none,
        ),
        rule(
            SHAPES,
            "shapes-right",
            "Every shape and type that the export inferred is that of a real run.",
            "ids.shapes-inferred-wrongly",
            lambda n: n == 0 and number("ids.shapes-inferred") > 0,
        ),
        rule(
            SHAPES,
            "every-operator-described",
            "Every operator of the graph has an inferred shape.",
            "ids.shapes-inferred",
            lambda n: n == number("ids.operators"),
        ),
        rule(
            SHAPES,
            "parameters-add-up",
            "The parameters that the nodes read add up to those of the model.",
            "ids.parameters-read",
            lambda n: n == number("model.parameters"),
        ),
        rule(
            SHAPES,
            "layers-alike",
            "All encoder layers run the same operators with the same shapes.",
            "layers.different",
            lambda n: n == 0 and number("layers.all") > 1,
        ),
    ]

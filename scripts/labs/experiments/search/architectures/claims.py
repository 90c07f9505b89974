"""Claims about the architectures that were searched, and the one that was chosen: question 2.1."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "search"
QUESTION = "lab2-1"


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "search", QUESTION)
    effects = claim.only_with("size_tau", "architectures of different accuracy")
    return [
        claim.rule(
            "winner-beats-default",
            "On the test split, the architecture that the search chose is more accurate than "
            "BERT-tiny.",
            claim.superior("winner.ahead"),
        ),
        effects.rule(
            "size-foretells",
            "The more parameters an architecture has, the more accurate it is, rather than less.",
            effects.exceeds("size_tau", 0),
        ),
        effects.rule(
            "early-loss-foretells",
            "The lower the loss of its training before a quarter of it is over, the more accurate "
            "an architecture is in the end, rather than less.",
            effects.exceeds("early_tau", 0),
        ),
        claim.rule(
            "reproducible",
            "Trained again, the best architecture judges every validation review as before.",
            claim.counts_none("winner.different"),
        ),
        claim.rule(
            "overhead",
            "Proposing trials takes less than a twentieth of what training and judging them does.",
            claim.at_most("overhead", 0.05),
        ),
        claim.rule(
            "lab-name-ignored",
            "The number of layers, under the name that the lab gives it, changes no model.",
            claim.counts_none("field.num_layers"),
        ),
        claim.rule(
            "field-name-works",
            "The number of layers, under the name that BertConfig has, changes the model.",
            claim.counts_any("field.num_hidden_layers"),
        ),
        claim.rule(
            "space-is-larger",
            "With the names that BertConfig has, the lab's space is larger than was published.",
            claim.exceeds("space.meant", "space.published"),
        ),
    ]

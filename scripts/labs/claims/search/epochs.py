"""Claims about the search's winner, trained for more epochs: question 2.1b."""

from __future__ import annotations

from labs.analysis.search.epochs import Epochs, values
from labs.claims.claim import Claim, Rule, Statement
from labs.claims.rules import Rules
from labs.records.record import Record

QUESTION = "lab2-1b"


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about more epochs, and how each is judged."""
    claim = Rules(record, "search", QUESTION, values).part("epochs")
    halves = claim.where_run(
        not claim.measured or Epochs(record).has_halves(), "an epoch of several batches"
    )

    def rises(statement: Statement) -> Claim:
        by_seed = [float(one.mean()) for one in Epochs(record).rises()]
        return statement.above(claim.value("rise"), 0, by_seed)

    def falls(statement: Statement) -> Claim:
        highest, last = Epochs(record).fall()
        by_seed = list(highest.mean(axis=1) - last.mean(axis=1))
        return statement.above(claim.value("fall"), 0, by_seed)

    def gains(statement: Statement) -> Claim:
        highest, first = Epochs(record).gain()
        by_seed = list(highest.mean(axis=1) - first.mean(axis=1))
        return statement.above(claim.value("gain"), 0, by_seed)

    def trained_rises(statement: Statement) -> Claim:
        first, second = Epochs(record).halves()
        by_seed = list(second.mean(axis=1) - first.mean(axis=1))
        return statement.above(claim.value("trained.rise"), 0, by_seed)

    return [
        claim.rule(
            "overfits",
            "Trained for more epochs, the winner's validation loss rises again.",
            rises,
            like=("C-more-epochs",),
        ),
        claim.rule(
            "accuracy-falls",
            "With more epochs, the winner's accuracy falls below what it has been.",
            falls,
            like=("C-more-epochs",),
        ),
        claim.rule(
            "accuracy-gains",
            "After the first epoch, the winner becomes more accurate still.",
            gains,
        ),
        claim.holds(
            "lowest-in-first",
            "With every training seed, the validation loss is lowest within the first epoch.",
            "lowest.last",
            lambda epochs: epochs <= 1,
        ),
        halves.rule(
            "training-loss-rises",
            "In the second half of the first epoch, the training loss is higher than in the first.",
            trained_rises,
        ),
    ]

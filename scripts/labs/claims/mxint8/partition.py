"""Claims about CuTe's partition of data and threads: question 3c."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value
from labs.analysis.mxint8.partition import PREFIX, values
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import Record

QUESTION = "lab4-3c"
MANY = 4
EXAMPLES = ("whole-groups", "ragged", "tall")


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the partition, and how each is judged."""

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"{PREFIX}.{name}"]

    def number(name: str) -> float:
        return value(name).estimate.value

    def rule(
        short: str,
        words: str,
        judge: Callable[[Statement], Claim],
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
    ) -> Rule:
        name = f"{PREFIX}.{short}"
        return Rule(Statement(name, QUESTION, record["device"], words, like, against), judge)

    return [
        rule(
            "each-once",
            "Every element of every example belongs to exactly one thread of one block.",
            lambda s: s.holds(
                value("ragged.owned"),
                all(
                    number(f"{example}.owned")
                    == number(f"{example}.owned_once")
                    == number(f"{example}.elements")
                    for example in EXAMPLES
                ),
            ),
        ),
        rule(
            "down-columns",
            "Threads run down a column of the tile before they go on to the next: thread t has "
            "row t mod BLK_M and column t div BLK_M.",
            lambda s: s.holds(value("down_columns"), number("down_columns") == number("threads")),
            against=("C-threads-of-tile",),
        ),
        rule(
            "warp-one-scale",
            "With groups of the lab's size, all threads of a warp need one and the same scale.",
            lambda s: s.holds(
                value("whole-groups.scales_of_a_warp"),
                number("whole-groups.scales_of_a_warp") == 1,
            ),
        ),
        rule(
            "shared-unshared",
            "No thread ever needs a mantissa that another thread has put into shared memory.",
            lambda s: s.holds(
                value("alone_in_shared"), number("alone_in_shared") == number("threads")
            ),
            against=("C-shared-memory",),
        ),
        rule(
            "no-waste",
            "At the lab's group size, all three kernels touch the sectors of mantissas and results "
            "that they have to, and none twice.",
            lambda s: s.holds(
                value("transactions.cute.waste"),
                all(
                    number(f"transactions.{kernel}.waste") == 0
                    for kernel in ("scalar", "cute", "vectorised")
                ),
            ),
        ),
        rule(
            "vector-fewer",
            "The vectorised kernel issues less than a quarter of the scalar one's memory "
            "instructions.",
            lambda s: s.above(value("transactions.fewer"), MANY),
        ),
    ]

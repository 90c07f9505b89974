"""Claims about CuTe's partition of data and threads: question 3c."""

from labs.analysis.values import Values, slug
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.mxint8.names import RAGGED, TALL, WHOLE_GROUPS
from labs.experiments.mxint8.partition.values import KERNELS, PREFIX
from labs.records.record import Record

EXPERIMENT = "mxint8_partition"

QUESTION = "lab4-3c"
MANY = 4


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, PREFIX, QUESTION)
    number = claim.number

    def each_once(example: str) -> bool:
        names = ("owned", "owned_once", "elements")
        return len({number(f"{slug(example)}.{name}") for name in names}) == 1

    return [
        claim.rule(
            "each-once",
            "Every element of every example belongs to exactly one thread of one block.",
            claim.holds(
                "ragged.owned",
                lambda _: all(each_once(example) for example in (WHOLE_GROUPS, RAGGED, TALL)),
            ),
        ),
        claim.rule(
            "down-columns",
            "Threads run down a column of the tile before they go on to the next: thread t has "
            "row t mod BLK_M and column t div BLK_M.",
            claim.equals("down_columns", "threads"),
            against=("C-threads-of-tile",),
        ),
        claim.rule(
            "warp-one-scale",
            "With groups of the lab's size, all threads of a warp need one and the same scale.",
            claim.equals("whole-groups.scales_of_a_warp", 1),
        ),
        claim.rule(
            "shared-unshared",
            "No thread ever needs a mantissa that another thread has put into shared memory.",
            claim.equals("alone_in_shared", "threads"),
            against=("C-shared-memory",),
        ),
        claim.rule(
            "no-waste",
            "At the lab's group size, all three kernels touch the sectors of mantissas and results "
            "that they have to, and none twice.",
            claim.holds(
                "transactions.cute.waste",
                lambda _: all(number(f"transactions.{kernel}.waste") == 0 for kernel in KERNELS),
            ),
        ),
        claim.rule(
            "vector-fewer",
            "The vectorised kernel issues less than a quarter of the scalar one's memory "
            "instructions.",
            claim.exceeds("transactions.fewer", MANY),
        ),
    ]

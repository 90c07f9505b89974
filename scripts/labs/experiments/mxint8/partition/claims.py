"""Claims about CuTe's partition of data and threads: question 3c."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "mxint8_partition"

MANY = 4


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, EXPERIMENT, "lab4-3c")
    return [
        claim.rule(
            "each-once",
            "Every element of every example belongs to exactly one thread of one block.",
            claim.counts_none("not_owned_once"),
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
            claim.counts_none("transactions.waste"),
        ),
        claim.rule(
            "vector-fewer",
            "The vectorised kernel issues less than a quarter of the scalar one's memory "
            "instructions.",
            claim.exceeds("transactions.fewer", MANY),
        ),
    ]

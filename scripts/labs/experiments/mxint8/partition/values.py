"""Values and tables of CuTe's partition: threads, their elements, and memory transactions."""

from io import StringIO

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted
from labs.analysis.values import Tree
from labs.experiments.mxint8.names import SCALAR, VECTORISED, lab_size
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_partition")

LANES = 32
"""Threads per warp."""

SECTOR_BYTES = 32
"""The smallest amount that a GPU's memory moves."""

EXAMPLE, BLOCK = ["example", "elements", "group_size"], ["block_m", "block_k"]
"""The columns that identify an example and, in it, a block."""


@ANALYSIS.table("mxint8_partition_owners")
def owner_table(record: Record) -> pd.DataFrame:
    """Return one row per thread of every example: its block, its element's coordinates (m, k) and
    place in global and in shared memory, and whether it lies inside, as the predicate says.
    """
    table = _printed(record, "owners")
    return table.assign(inside=table["inside"] == 1)


def _printed(record: Record, name: str) -> pd.DataFrame:
    """Return the CSV that cute_partition printed, with the keys of the cases as columns."""
    parts = [
        pd.read_csv(StringIO(row["value"])).assign(**row["case"])
        for row in record["facts"]
        if row["name"] == name
    ]
    return pd.concat(parts, ignore_index=True)


@ANALYSIS.table("mxint8_partition_transactions")
def transaction_table(record: Record) -> pd.DataFrame:
    """Return one row per group size and kernel: warp instructions, the sectors they touch, the
    sectors that hold scales, the fewest sectors that mantissas and results need, and the bytes of
    mantissas and results per instruction.
    """
    printed = _printed(record, "transactions")
    scales = printed["array"] == "exponent"
    data = printed[~scales].assign(least=-(-printed["bytes"] // SECTOR_BYTES))
    everything, data, of_scales = (
        part.groupby(["group_size", "elements", "kernel"], sort=False).sum(numeric_only=True)
        for part in (printed, data, printed[scales])
    )
    return (
        everything[["instructions", "sectors"]]
        .assign(
            scale_sectors=of_scales["sectors"],
            least=data["least"],
            bytes_an_instruction=data["bytes"] / data["instructions"],
        )
        .reset_index()
    )


@ANALYSIS.table("mxint8_partition_tiles")
def tile_table(record: Record) -> pd.DataFrame:
    """Return one row per block of every example: its tile, with exclusive ends, and how many of its
    threads have an element.
    """
    blocks = owner_table(record).groupby([*EXAMPLE, *BLOCK], sort=False)
    tiles = blocks.agg(
        m=("m", "min"),
        m_end=("m", "max"),
        k=("k", "min"),
        k_end=("k", "max"),
        threads=("thread", "size"),
        inside=("inside", "sum"),
    )
    return tiles.assign(m_end=tiles["m_end"] + 1, k_end=tiles["k_end"] + 1).reset_index()


@ANALYSIS.values
def values(record: Record) -> Tree:
    owners = owner_table(record)
    examples = owners.groupby("example")
    return {
        **_mapping(owners),
        "not_owned_once": counted(sum(_not_owned_once(threads) for _, threads in examples)),
        "transactions": _transactions(transaction_table(record)),
        **{str(example): _of_example(threads) for example, threads in examples},
    }


def _not_owned_once(threads: pd.DataFrame) -> int:
    """Return how many elements of an example do not belong to exactly one thread."""
    owned = threads[threads["inside"]]["element"].value_counts()
    return int((owned.reindex(range(threads["elements"].iloc[0]), fill_value=0) != 1).sum())


def _of_example(threads: pd.DataFrame) -> Tree:
    """Return the sizes of one example, and how many scales the threads of a warp need."""
    first = threads[(threads["block_m"] == 0) & (threads["block_k"] == 0)]
    owned = threads[threads["inside"]]
    warps = owned.assign(warp=owned["thread"] // LANES).groupby([*BLOCK, "warp"])
    counts = {
        "elements": threads["elements"].iloc[0],
        "group_size": threads["group_size"].iloc[0],
        "rows": first["m"].max() + 1,
        "columns": first["k"].max() + 1,
        "threads": len(first),
        "scales_of_a_warp": warps["k"].nunique().max(),
    }
    return all_counted("count", counts) | {"idle": counted(1 - len(owned) / len(threads), "share")}


def _mapping(owners: pd.DataFrame) -> dict[str, Quantity]:
    """Return, over all examples, for how many threads the mapping is as the report describes it."""
    tiles = owners.groupby(["example", *BLOCK])
    rows = tiles["m"].transform("max") - tiles["m"].transform("min") + 1
    row = owners["m"] - tiles["m"].transform("min")
    column = owners["k"] - tiles["k"].transform("min")
    down = (row == owners["thread"] % rows) & (column == owners["thread"] // rows)
    alone = ~owners.duplicated(["example", *BLOCK, "shared"], keep=False)
    counts = {"threads": len(owners), "down_columns": down.sum(), "alone_in_shared": alone.sum()}
    return all_counted("count", counts)


def _transactions(table: pd.DataFrame) -> Tree:
    """Return each kernel's sectors and the size of its requests, at the lab's group size."""
    size = lab_size(set(table["group_size"]))
    kernels = table[table["group_size"] == size].set_index("kernel")
    kernels["waste"] = kernels["sectors"] - kernels["scale_sectors"] - kernels["least"]
    instructions = kernels["instructions"]
    return {
        "group_size": counted(size),
        "elements": counted(table["elements"].iloc[0]),
        "waste": counted(kernels["waste"].sum()),
        "fewer": counted(instructions[SCALAR] / instructions[VECTORISED], "ratio"),
        **{
            str(kernel): {
                **{name: counted(row[name]) for name in ("scale_sectors", "least", "waste")},
                "bytes_an_instruction": counted(row["bytes_an_instruction"], "bytes"),
            }
            for kernel, row in kernels.iterrows()
        },
    }

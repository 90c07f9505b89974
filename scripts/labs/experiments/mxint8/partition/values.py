"""Values and tables of CuTe's partition: threads, their elements, and memory transactions."""

from io import StringIO

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted, prefixed
from labs.analysis.values import slug
from labs.experiments.mxint8.names import CUTE, SCALAR, VECTORISED
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_partition")

PREFIX = "mxint8_partition"
LANES = 32
"""Threads per warp."""

SECTOR_BYTES = 32
"""The smallest amount that a GPU's memory moves."""

KERNELS = (SCALAR, CUTE, VECTORISED)
LAB_SIZE = 32
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
    table = []
    keys = ["group_size", "elements", "kernel"]
    cases = _printed(record, "transactions").groupby(keys, sort=False)
    for (group_size, elements, kernel), counts in cases:
        scales = counts["array"] == "exponent"
        data = counts[~scales]
        table.append(
            {
                "group_size": group_size,
                "elements": elements,
                "kernel": kernel,
                "instructions": counts["instructions"].sum(),
                "sectors": counts["sectors"].sum(),
                "scale_sectors": counts[scales]["sectors"].sum(),
                "least": (-(-data["bytes"] // SECTOR_BYTES)).sum(),
                "bytes_an_instruction": data["bytes"].sum() / data["instructions"].sum(),
            }
        )
    return pd.DataFrame(table)


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


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    owners = owner_table(record)
    result = _mapping(owners) | prefixed("transactions", _transactions(record))
    for example, threads in owners.groupby("example", sort=False):
        result |= prefixed(slug(str(example)), _of_example(threads))
    return prefixed(PREFIX, result)


def _of_example(threads: pd.DataFrame) -> dict[str, Quantity]:
    """Return the sizes of one example, and what its threads own."""
    first = threads[(threads["block_m"] == 0) & (threads["block_k"] == 0)]
    owned = threads[threads["inside"]]
    warps = owned.assign(warp=owned["thread"] // LANES).groupby([*BLOCK, "warp"])
    counts = {
        "elements": threads["elements"].iloc[0],
        "group_size": threads["group_size"].iloc[0],
        "groups": owned["k"].max() + 1,
        "rows": first["m"].max() + 1,
        "columns": first["k"].max() + 1,
        "blocks": threads.groupby(BLOCK).ngroups,
        "threads": len(first),
        "owned_once": owned["element"].nunique(),
        "owned": len(owned),
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


def _transactions(record: Record) -> dict[str, Quantity]:
    """Return each kernel's instructions and sectors, at the lab's group size or the smallest."""
    table = transaction_table(record)
    sizes = set(table["group_size"])
    size = LAB_SIZE if LAB_SIZE in sizes else min(sizes)
    result = all_counted("count", {"group_size": size, "elements": table["elements"].iloc[0]})
    kernels = table[table["group_size"] == size].set_index("kernel")
    kernels["waste"] = kernels["sectors"] - kernels["scale_sectors"] - kernels["least"]
    for kernel, row in kernels.iterrows():
        for column in ("instructions", "sectors", "scale_sectors", "least", "waste"):
            result[f"{kernel}.{column}"] = counted(row[column], "count")
        size_of_one = counted(row["bytes_an_instruction"], "bytes")
        result[f"{kernel}.bytes_an_instruction"] = size_of_one
    fewer = kernels["instructions"][SCALAR] / kernels["instructions"][VECTORISED]
    return result | {"fewer": counted(fewer, "ratio")}

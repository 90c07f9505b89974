"""Values and tables of CuTe's partition: threads, their elements, and memory transactions."""

from io import StringIO

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, slug
from labs.experiments.mxint8.names import CUTE, SCALAR, VECTORISED
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_partition")

PREFIX = "mxint8_partition"
LANES = 32
"""Threads per warp."""

SECTOR_BYTES = 32
"""The smallest amount that a GPU's memory moves."""

KERNELS = (SCALAR, CUTE, VECTORISED)
SCALES = "exponent"
LAB_SIZE = 32


@ANALYSIS.table("mxint8_partition_owners")
def owner_table(record: Record) -> pd.DataFrame:
    """Return one row per thread of every example: its block, its element's coordinates (m, k) and
    place in global and in shared memory, and whether it lies inside, as the predicate says.
    """
    parts = []
    for row in record["facts"]:
        if row["name"] == "owners":
            part = pd.read_csv(StringIO(row["value"]))
            parts.append(part.assign(**row["case"]))
    table = pd.concat(parts, ignore_index=True)
    return table.assign(inside=table["inside"] == 1)


@ANALYSIS.table("mxint8_partition_transactions")
def transaction_table(record: Record) -> pd.DataFrame:
    """Return one row per group size and kernel: warp instructions, the sectors they touch, the
    sectors that hold scales, the fewest sectors that mantissas and results need, and the bytes of
    mantissas and results per instruction.
    """
    table = []
    for row in record["facts"]:
        if row["name"] != "transactions":
            continue
        counts = pd.read_csv(StringIO(row["value"]))
        for kernel in KERNELS:
            part = counts[counts["kernel"] == kernel]
            data, scales = part[part["array"] != SCALES], part[part["array"] == SCALES]
            columns = {
                "instructions": part["instructions"].sum(),
                "sectors": part["sectors"].sum(),
                "scale_sectors": scales["sectors"].sum(),
                "least": (-(-data["bytes"] // SECTOR_BYTES)).sum(),
                "bytes_an_instruction": data["bytes"].sum() / data["instructions"].sum(),
            }
            table.append({**row["case"], "kernel": kernel, **columns})
    return pd.DataFrame(table)


@ANALYSIS.table("mxint8_partition_tiles")
def tile_table(record: Record) -> pd.DataFrame:
    """Return one row per block of every example: its tile, with exclusive ends, and how many of its
    threads have an element.
    """
    groups = owner_table(record).groupby(
        ["example", "elements", "group_size", "block_m", "block_k"], sort=False
    )
    return groups.agg(
        m=("m", "min"),
        m_end=("m", lambda rows: rows.max() + 1),
        k=("k", "min"),
        k_end=("k", lambda columns: columns.max() + 1),
        threads=("thread", "size"),
        inside=("inside", "sum"),
    ).reset_index()


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    found = {}
    owners = owner_table(record)
    for example, threads in owners.groupby("example", sort=False):
        for name, value in _example_values(threads).items():
            found[f"{PREFIX}.{slug(str(example))}.{name}"] = value
    found |= {f"{PREFIX}.{name}": value for name, value in _mapping_values(owners).items()}
    found |= {f"{PREFIX}.{name}": value for name, value in _transaction_values(record).items()}
    return found


def _example_values(threads: pd.DataFrame) -> dict[str, Value]:
    """Return the sizes of one example, and what its threads own."""
    first = threads[(threads["block_m"] == 0) & (threads["block_k"] == 0)]
    owned = threads[threads["inside"]]
    warps = owned.assign(warp=owned["thread"] // LANES)
    scales = warps.groupby(["block_m", "block_k", "warp"])["k"].nunique()
    elements = int(threads["elements"].iloc[0])
    return {
        "elements": exactly(elements, "count"),
        "group_size": exactly(threads["group_size"].iloc[0], "count"),
        "groups": exactly(owned["k"].max() + 1, "count"),
        "rows": exactly(first["m"].max() + 1, "count"),
        "columns": exactly(first["k"].max() + 1, "count"),
        "blocks": exactly(threads.groupby(["block_m", "block_k"]).ngroups, "count"),
        "threads": exactly(len(first), "count"),
        "owned_once": exactly(owned["element"].nunique(), "count"),
        "owned": exactly(len(owned), "count"),
        "idle": exactly(1 - len(owned) / len(threads), "share"),
        "scales_of_a_warp": exactly(scales.max(), "count"),
    }


def _mapping_values(owners: pd.DataFrame) -> dict[str, Value]:
    """Return, over all examples, for how many threads the mapping is as the report describes it."""
    tiles = owners.groupby(["example", "block_m", "block_k"])
    rows = tiles["m"].transform(lambda m: m.max() - m.min() + 1)
    row = owners["m"] - tiles["m"].transform("min")
    column = owners["k"] - tiles["k"].transform("min")
    down = (row == owners["thread"] % rows) & (column == owners["thread"] // rows)
    alone = ~owners.duplicated(["example", "block_m", "block_k", "shared"], keep=False)
    return {
        "threads": exactly(len(owners), "count"),
        "down_columns": exactly(int(down.sum()), "count"),
        "alone_in_shared": exactly(int(alone.sum()), "count"),
    }


def _transaction_values(record: Record) -> dict[str, Value]:
    """Return each kernel's instructions and sectors, at the lab's group size or the smallest."""
    table = transaction_table(record)
    sizes = set(table["group_size"])
    size = LAB_SIZE if LAB_SIZE in sizes else min(sizes)
    found = {
        "transactions.group_size": exactly(size, "count"),
        "transactions.elements": exactly(table["elements"].iloc[0], "count"),
    }
    rows = table[table["group_size"] == size].set_index("kernel")
    for kernel, row in rows.iterrows():
        for column in ("instructions", "sectors", "scale_sectors", "least"):
            found[f"transactions.{kernel}.{column}"] = exactly(row[column], "count")
        size_of_one = exactly(row["bytes_an_instruction"], "bytes")
        found[f"transactions.{kernel}.bytes_an_instruction"] = size_of_one
        waste = row["sectors"] - row["scale_sectors"] - row["least"]
        found[f"transactions.{kernel}.waste"] = exactly(waste, "count")
    fewer = rows["instructions"][SCALAR] / rows["instructions"][VECTORISED]
    return found | {"transactions.fewer": exactly(fewer, "ratio")}

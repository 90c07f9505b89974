"""Figures of CuTe's partition: blocks' tiles, threads' elements, and memory transactions."""

from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from labs.experiments.mxint8.names import CUTE, RAGGED, SCALAR, TALL, VECTORISED, WHOLE_GROUPS
from labs.figures.figure import Drawing, Figures
from labs.figures.rows import name_rows
from labs.figures.style import COLOURS, HATCHES, WHOLE, WIDTH, rows_by

FIGURES = Figures()
TITLES = {
    WHOLE_GROUPS: "groups as high as a tile",
    RAGGED: "lower groups, the last cut short",
    TALL: "groups higher than a tile",
}
TINTS = (COLOURS[0], COLOURS[2], COLOURS[1], COLOURS[4])
OUTSIDE = "#ececec"
KERNELS = {SCALAR: COLOURS[7], CUTE: COLOURS[1], VECTORISED: COLOURS[0]}
KERNEL_NAMES = {SCALAR: "scalar", CUTE: "CuTe (the lab's)", VECTORISED: "vectorised"}
CORNER = 6
"""The number of rows and columns of a tile's corner that is drawn with numbers."""


@FIGURES.figure("mxint8_partition_tiles", "mxint8_partition_owners", "mxint8_partition_tiles")
def draw_tiles(owners: pd.DataFrame, tiles: pd.DataFrame) -> Drawing:
    """Draw each example's matrix with the tiles of its blocks, and their parts outside it."""
    examples = rows_by(tiles, "example")
    figure, row = plt.subplots(1, len(examples), figsize=(WIDTH, 2.0))
    words = []
    for (example, blocks), axes in zip(examples, row, strict=True):
        _elements(axes, owners[owners["example"] == example])
        for tile in blocks.to_dict("records"):
            m, m_end, k, k_end = (tile[name] for name in ("m", "m_end", "k", "k_end"))
            axes.add_patch(
                Rectangle((k, m), k_end - k, m_end - m, fill=False, edgecolor="black", lw=1.1)
            )
            block = f"({tile['block_m']}, {tile['block_k']})"
            axes.text(
                (k + k_end) / 2, (m + m_end) / 2, f"block\n{block}", ha="center", va="center",
                fontsize=6.5, bbox={"facecolor": "white", "alpha": 0.85, "lw": 0, "pad": 1},
            )  # fmt: skip
            words.append(
                f"{example}, block {block}: rows {m} to {m_end - 1}, columns {k} to {k_end - 1}, "
                f"{tile['inside']} of {tile['threads']} threads have an element."
            )
        first = blocks.iloc[0]
        axes.set_title(
            f"{TITLES[example]}\n{first['elements']} elements,\ngroups of {first['group_size']}",
            fontsize=6.8,
        )
        axes.set_xlabel("k: group")
        axes.grid(visible=False)
    row[0].set_ylabel("m: element of the group")
    return Drawing(figure, "Tiles of blocks. " + " ".join(words))


def _elements(axes: Axes, threads: pd.DataFrame) -> None:
    """Draw which coordinates of all tiles are elements, coloured by block."""
    shape = threads["m"].max() + 1, threads["k"].max() + 1
    picture = np.full((*shape, 3), to_rgb(OUTSIDE))
    blocks = threads.groupby(["block_m", "block_k"], sort=False)
    for number, (_, block) in enumerate(blocks):
        inside = block[block["inside"]]
        picture[inside["m"], inside["k"]] = _tint(number, 0.45)
    axes.imshow(picture, extent=(0, shape[1], shape[0], 0), aspect="auto", interpolation="nearest")


def _tint(number: int, strength: float) -> np.ndarray:
    return 1 - strength * (1 - np.array(TINTS[number % len(TINTS)]))


@FIGURES.figure("mxint8_partition_threads", "mxint8_partition_owners")
def draw_threads(owners: pd.DataFrame) -> Drawing:
    """Draw the ragged example's last tile: threads by column, and a corner with numbers."""
    ragged = owners[owners["example"] == RAGGED]
    tile = ragged[ragged["block_k"] == ragged["block_k"].max()]
    figure, (whole, corner) = plt.subplots(1, 2, figsize=(WHOLE, 2.6), width_ratios=(1, 1.25))
    rows, columns = tile["m"] - tile["m"].min(), tile["k"] - tile["k"].min()
    picture = np.full((rows.max() + 1, columns.max() + 1, 3), to_rgb(OUTSIDE))
    strength = np.where(tile["inside"], 0.55, 0.12)
    picture[rows, columns] = [_tint(c % 2, s) for c, s in zip(columns, strength, strict=True)]
    whole.imshow(picture, interpolation="nearest")
    edge = _edge(tile, rows, columns)
    whole.add_patch(
        Rectangle((edge[1] - 0.5, edge[0] - 0.5), CORNER, CORNER, fill=False, edgecolor="black")
    )
    whole.set(xlabel="column of the tile: one scale each", ylabel="row of the tile",
              title="threads run down the columns")  # fmt: skip
    whole.grid(visible=False)
    corner.imshow(picture, aspect="auto", interpolation="nearest", alpha=0.55)
    _number_corner(corner, tile.assign(row=rows, column=columns), edge)
    thread = tile.iloc[33]
    alt = (
        f"Block {tile['block_k'].max()} of the ragged example: {tile['inside'].sum()} of "
        f"{len(tile)} threads have an element. Thread {thread['thread']} has row {rows.iloc[33]} "
        f"and column {columns.iloc[33]}, element {thread['element']} in global memory and place "
        f"{thread['shared']} in shared memory. Threads of one column share a scale."
    )
    return Drawing(figure, alt)


def _edge(tile: pd.DataFrame, rows: pd.Series, columns: pd.Series) -> tuple[int, int]:
    """Return the first row and column of the corner around the end of the shorter last group."""
    last = columns[tile["inside"]].max()
    end = rows[tile["inside"] & (columns == last)].max()
    return int(end) - CORNER // 2 + 1, int(last) - CORNER // 2


def _number_corner(axes: Axes, tile: pd.DataFrame, edge: tuple[int, int]) -> None:
    """Show a corner of the tile: each cell with its thread and its places in both memories."""
    first_row, first_column = edge
    part = tile[
        tile["row"].between(first_row, first_row + CORNER - 1)
        & tile["column"].between(first_column, first_column + CORNER - 1)
    ]
    for cell in part.to_dict("records"):
        x, y, inside = cell["column"], cell["row"], cell["inside"]
        ink = "black" if inside else "#9a9a9a"
        words = f"g {cell['element']}, s {cell['shared']}" if inside else "–"
        centred = partial(axes.text, ha="center", va="center", color=ink)
        centred(x, y - 0.2, f"t {cell['thread']}", fontsize=6.3, weight="semibold")
        centred(x, y + 0.2, words, fontsize=5.8)
    axes.set(
        xlim=(first_column - 0.5, first_column + CORNER - 0.5),
        ylim=(first_row + CORNER - 0.5, first_row - 0.5),
        xlabel="column of the tile",
        title="thread t, global element g, shared place s",
    )
    axes.set_xticks(range(first_column, first_column + CORNER))
    axes.set_yticks(range(first_row, first_row + CORNER))
    axes.grid(visible=False)
    axes.tick_params(length=0)


@FIGURES.figure("mxint8_partition_transactions", "mxint8_partition_transactions")
def draw_transactions(transactions: pd.DataFrame) -> Drawing:
    """Draw every kernel's memory instructions and sectors, by group size."""
    sizes = sorted(transactions["group_size"].unique())
    figure, row = plt.subplots(1, 2, figsize=(WIDTH, 0.85 + 0.3 * len(sizes)), sharey=True)
    words = []
    quantities = {
        "instructions": "memory instructions of warps (10³)",
        "sectors": "sectors of 32 bytes touched (10³)",
    }
    for axes, (column, label) in zip(row, quantities.items(), strict=True):
        for number, (kernel, colour) in enumerate(KERNELS.items()):
            style = {"color": colour, "hatch": HATCHES[number], "label": KERNEL_NAMES[kernel]}
            part = transactions[transactions["kernel"] == kernel].set_index("group_size")
            counts = part[column].reindex(sizes) / 1e3
            places = [place + 0.27 * (number - 1) for place in range(len(sizes))]
            axes.barh(places, counts, height=0.25, lw=0, **style)
            words += [
                f"{kernel}, groups of {size}, {column}: {1e3 * count:.0f}."
                for size, count in counts.items()
            ]
        axes.set_xlabel(label)
        name_rows(axes, [f"groups of {size}" for size in sizes])
    least = transactions["least"].max() / 1e3
    row[1].axvline(least, color="black", lw=0.9, ls=(0, (3, 2)))
    row[1].text(least, -0.62, "least, without scales", ha="right", fontsize=7)
    figure.legend(*row[0].get_legend_handles_labels(), ncols=3, loc="outside upper center")
    return Drawing(figure, "Memory transactions. " + " ".join(words))

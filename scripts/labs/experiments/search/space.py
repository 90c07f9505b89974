"""Search spaces: each parameter with its choices, all of them texts; the lab's and the grid's."""

import math
from collections.abc import Sequence
from itertools import product

from labs.experiments.search import names
from labs.experiments.search.building import PLACES, replaceable
from labs.experiments.search.names import IDENTITY, LAYERS, LINEAR, SYMBOLS, Architecture
from labs.models.classifiers import bert_tiny
from labs.records.names.studies import Space
from labs.records.observations import Observations

LAB_FIELDS: Space = {
    LAYERS: ("2", "4", "8"),
    "num_attention_heads": ("2", "4", "8", "16"),
    "hidden_size": ("128", "192", "256", "384", "512"),
    "intermediate_size": ("512", "768", "1024", "1536", "2048"),
}
"""What the lab's tutorial chooses from, beside a layer or the identity for each square layer."""

LAB_LAYERS = "num_layers"
"""What the lab calls the number of layers; BertConfig does not know this name."""

EITHER = (LINEAR, IDENTITY)
POOLER = "pooler"
LAB: Space = {
    **LAB_FIELDS,
    **{
        f"{layer}.{kind}": EITHER
        for layer in range(int(LAB_FIELDS[LAYERS][-1]))
        for kind in PLACES
        if kind != POOLER
    },
    POOLER: EITHER,
}
"""The lab's whole space: each layer of the encoder has square layers of its own to choose for."""

CHOICES: Space = {
    # With neither, attention compares the tokens as they are: measured to end at chance.
    names.QUERY_KEY: (f"{LINEAR}+{LINEAR}", f"{IDENTITY}+{LINEAR}", f"{LINEAR}+{IDENTITY}"),
    names.VALUE: EITHER,
    names.OUTPUT: EITHER,
}


def grid(layers: Sequence[int], replaced: Sequence[str]) -> Space:
    """Return the space of so many layers in which these square layers may be the identity.

    Raises SystemExit when it has more architectures than a replay has symbols for.
    """
    space = {LAYERS: [str(number) for number in layers]}
    space |= {name: list(choices) for name, choices in CHOICES.items() if name in replaced}
    if size(space) > len(SYMBOLS):
        raise SystemExit(
            f"error: the grid has {size(space)} architectures; allowed: {len(SYMBOLS)} at most"
        )
    return space


def size(space: Space) -> int:
    """Return how many architectures a space holds."""
    return math.prod(map(len, space.values()))


def architectures(space: Space) -> list[Architecture]:
    """Return all architectures of a space; the first has the first choice of everything."""
    return [dict(zip(space, choices, strict=True)) for choices in product(*space.values())]


def present(architecture: Architecture) -> dict[str, str]:
    """Return an architecture of LAB without the choices for layers that it does not have."""
    layers = int(architecture[LAYERS])
    return {
        name: choice
        for name, choice in architecture.items()
        if "." not in name or int(name.split(".")[0]) < layers
    }


def observe(seen: Observations) -> None:
    """Keep how large the lab's space is, and what its name for the number of layers does."""
    for spelling, size in lab_sizes().items():
        seen.fact("architectures", size, "count", names.SPACE, spelling=spelling)
    choice = LAB_FIELDS[LAYERS][-1]
    for name in (LAYERS, LAB_LAYERS):
        changed = parameters_changed(name, choice)
        seen.fact("parameters changed", changed, "count", names.SPACE, field=name, choice=choice)


def lab_sizes() -> dict[str, int]:
    """Return how many architectures the lab's space has: as published, and as it was meant.

    Published, every model has 2 layers, whatever is chosen. Meant, each number of layers has
    square layers of its own to choose for. Those that are square only at some sizes are left out.
    """
    fields = size(LAB_FIELDS)
    layers = [int(choice) for choice in LAB_FIELDS[LAYERS]]
    square = [len(replaceable(bert_tiny(0, num_hidden_layers=number))) for number in layers]
    meant = sum(fields // len(layers) * 2**number for number in square)
    return {"published": fields * 2 ** square[0], "meant": meant}


def parameters_changed(field: str, choice: str) -> int:
    """Return by how many parameters BERT-tiny changes with a choice, given under this name."""
    return bert_tiny(0, **{field: int(choice)}).num_parameters() - bert_tiny(0).num_parameters()

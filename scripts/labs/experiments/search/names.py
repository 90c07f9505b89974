"""The words of the architecture search: parameters, choices, architectures, samplers, replays."""

import string
from collections.abc import Mapping, Sequence

from labs.records.names.studies import GRID, RANDOM, TPE

Architecture = Mapping[str, str]
"""The choice of each parameter; both are texts, as a study keeps them."""

LAYERS = "num_hidden_layers"
FIELDS = {
    LAYERS: "{} layers",
    "num_attention_heads": "{} heads",
    "hidden_size": "hidden size {}",
    "intermediate_size": "intermediate size {}",
}
"""The fields of BertConfig that a search may set, and what a choice of each is called."""

LINEAR, IDENTITY = "linear", "identity"
QUERY_KEY, VALUE, OUTPUT = "query+key", "value", "output"
REPLACED = (QUERY_KEY, VALUE, OUTPUT)
"""The square layers of the attention that the grid may replace."""

SAMPLERS = (GRID, RANDOM, TPE)
"""Those that question 2.1 compares."""

EMBEDDINGS = "embeddings"
"""How a model starts that has the word embeddings of a pretrained encoder; others are random."""

TRIAL, WINNER, DEFAULT, SPACE = "trial", "winner", "default", "space"
"""The arms of the record: trained for the study, chosen by it, BERT-tiny itself; and no model."""

COMPRESSED, RETRAINED, CONTROL = "compressed", "retrained", "control"
"""Arms of question 2.2: a trial's model compressed; then trained again; trained as long, but not
compressed."""

LAB_SPACE = "lab space"
"""The arm of searches on the lab's whole space."""

LAB_SAMPLERS = (RANDOM, TPE)
"""Those that search there: a grid of it could not be tried."""

OBJECTIVES = (TRIAL, COMPRESSED, RETRAINED)
"""The stages of a trial's model in their order; a search may be for the best after any of them."""

EPOCHS = "epochs"
"""The arm of question 2.1b: the winner, trained for more epochs."""

SYMBOLS = string.ascii_letters + string.digits
"""One for each architecture of the grid, by its number."""


def described(architecture: Architecture) -> str:
    """Return an architecture in words: "2 layers, no query, no value"."""
    words = [FIELDS[name].format(architecture[name]) for name in architecture if name in FIELDS]
    for name, choice in architecture.items():
        layers = zip(name.split("+"), choice.split("+"), strict=False)
        words += [f"no {layer}" for layer, kind in layers if kind == IDENTITY]
    return ", ".join(words)


def choices_of(description: str) -> dict[str, str]:
    """Return the choices that ``described`` put in words; what is not named is a linear layer."""
    layers, *replaced = description.split(", ")
    choices = {LAYERS: layers.split(" ")[0]}
    for name in REPLACED:
        absent = [f"no {layer}" for layer in name.split("+") if f"no {layer}" in replaced]
        choices[name] = ", ".join(absent) or LINEAR
    return choices


def written(orders: Sequence[Sequence[int]]) -> str:
    """Return replays, each the numbers of the architectures in the order tried, as one text."""
    return " ".join("".join(SYMBOLS[number] for number in order) for order in orders)


def read(text: str) -> list[list[int]]:
    """Return the replays that ``written`` turned into text."""
    return [[SYMBOLS.index(symbol) for symbol in order] for order in text.split()]


TABLES = (
    "search_architectures",
    "search_seeds",
    "search_noise",
    "search_rates",
    "search_winner",
    "search_objectives",
    "search_stages",
    "search_rankings",
    "search_compressed_winners",
    "search_epochs_training",
    "search_epochs_validation",
    "search_epochs_lowest",
    "search_effects",
    "search_lab_importance",
    "search_lab_space",
    "search_trials",
    "search_superiority",
)
FIGURES = (
    "search_objectives",
    "search_stages",
    "search_epochs",
    "search_lab_space",
    "search_samplers",
    "search_superiority",
    "search_architectures",
    "search_effects",
)

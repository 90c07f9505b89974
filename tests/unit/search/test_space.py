"""Every parameter of a space changes the model, and only what it names."""

import pytest
import torch
from torch import nn

from labs.experiments.search import space as spaces
from labs.experiments.search.building import build, replaceable
from labs.experiments.search.names import FIELDS, LAYERS, REPLACED, described, read, written

GRID = spaces.grid([2, 4], REPLACED)
LARGEST = {LAYERS: "8"}
OF_A_LAYER = [name for name in spaces.LAB if name not in FIELDS]
EVERY = {
    **spaces.LAB_FIELDS,
    **spaces.CHOICES,
    # Those of the other layers: test_each_layer_has_choices_of_its_own.
    **{name: spaces.LAB[name] for name in OF_A_LAYER if name.startswith(("7.", "pooler"))},
}
TOKENS = torch.tensor([[101, 2023, 2003, 102], [101, 3185, 102, 0]])


def described_by(model: nn.Module) -> str:
    """The model's modules and sizes as text, and what it answers."""
    model.eval()
    with torch.no_grad():
        logits = model(TOKENS, attention_mask=(TOKENS > 0).long()).logits
    return f"{model} {logits.tolist()}"


@pytest.mark.parametrize("parameter", EVERY)
def test_every_choice_of_a_parameter_makes_another_model(parameter: str) -> None:
    choices = EVERY[parameter]
    models = {described_by(build(LARGEST | {parameter: choice}, 0)) for choice in choices}
    assert len(models) == len(choices) > 1


def test_the_fields_are_those_that_the_configuration_knows() -> None:
    last = {name: choices[-1] for name, choices in spaces.LAB_FIELDS.items()}
    config = build(last, 0).config
    assert {name: str(getattr(config, name)) for name in FIELDS} == last
    assert spaces.parameters_changed(spaces.LAB_LAYERS, "8") == 0
    assert spaces.parameters_changed(LAYERS, "8") > 0


def test_only_layers_of_the_attention_and_the_pooler_may_be_the_identity() -> None:
    # As wide within as without, more layers are square.
    square = {LAYERS: "2", "hidden_size": "512", "intermediate_size": "512"}
    model = build(square, 0)
    assert len(replaceable(model)) == 2 * 4 + 1
    assert not [name for name in replaceable(model) if "intermediate" in name]
    for choice in ({"classifier": "identity"}, {"value": "none"}):
        with pytest.raises(ValueError, match="cannot be"):
            build(choice, 0)


def identities(architecture: dict[str, str]) -> list[str]:
    with torch.device("meta"):
        model = build(architecture, 0)
    return [name for name, one in model.named_modules() if isinstance(one, nn.Identity)]


def test_each_layer_has_choices_of_its_own() -> None:
    found = [identities(LARGEST | {name: "identity"}) for name in OF_A_LAYER]
    assert len({name for (name,) in found}) == len(OF_A_LAYER) == 8 * 4 + 1
    assert identities(LARGEST | {"1.value": "identity"}) == [
        "bert.encoder.layer.1.attention.self.value"
    ]


def test_the_identity_takes_the_place_in_all_layers() -> None:
    found = identities({LAYERS: "4", "query+key": "identity+linear"})
    assert found == [f"bert.encoder.layer.{n}.attention.self.query" for n in range(4)]


def test_what_belongs_to_a_layer_that_there_is_not_changes_nothing() -> None:
    first = {name: choices[0] for name, choices in spaces.LAB.items()}
    absent = first | {"2.query": "identity", "7.output": "identity"}
    assert described_by(build(absent, 0)) == described_by(build(first, 0))
    assert spaces.present(absent) == spaces.present(first)
    assert spaces.present(first | {LAYERS: "4"}).keys() - spaces.present(first).keys() == {
        f"{layer}.{kind}" for layer in (2, 3) for kind in ("query", "key", "value", "output")
    }


def test_architectures_of_the_lab_space_are_told_apart_by_their_words() -> None:
    first = {name: choices[0] for name, choices in spaces.LAB.items()}
    others = [first | {name: choices[1]} for name, choices in spaces.LAB.items()]
    words = {described(spaces.present(one)) for one in [first, *others]}
    assert len(words) == 1 + 4 + 2 * 4 + 1
    assert "2 layers, 2 heads, hidden size 128, intermediate size 512, no 1.key" in words


def test_the_grid_has_every_architecture_once_and_never_neither_query_nor_key() -> None:
    words = [described(one) for one in spaces.architectures(GRID)]
    assert len(words) == len(set(words)) == spaces.size(GRID) == 24
    assert words[0] == "2 layers"
    assert not [one for one in words if "no query" in one and "no key" in one]


def test_a_grid_that_is_too_large_is_refused_by_its_size() -> None:
    with pytest.raises(SystemExit, match="72 architectures; allowed: 62 at most"):
        spaces.grid([1, 2, 3, 4, 5, 6], REPLACED)


def test_the_lab_space_has_as_many_architectures_as_counted_by_hand() -> None:
    assert spaces.lab_sizes() == {"published": 153_600, "meant": 100 * (2**9 + 2**17 + 2**33)}


def test_replays_are_read_as_they_were_written() -> None:
    orders = [[0, 61, 25, 26], [3, 3, 3, 51]]
    assert read(written(orders)) == orders

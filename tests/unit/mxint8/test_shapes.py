"""The shapes of the lab's models, from which their memory follows."""

import pytest
from torch import nn

from labs.experiments.mxint8.shapes import SHAPES, build


@pytest.mark.parametrize(
    ("name", "parameters", "share"),
    [("deberta-xlarge", 758_859_782, 0.930), ("deberta-v3-small", 141_899_526, 0.303)],
)
def test_a_models_parameters_and_the_share_of_its_linear_weights(
    name: str, parameters: int, share: float
) -> None:
    model = build(name, "meta")
    linear = sum(m.weight.numel() for m in model.modules() if isinstance(m, nn.Linear))
    assert sum(parameter.numel() for parameter in model.parameters()) == parameters
    assert linear / parameters == pytest.approx(share, abs=5e-4)


def test_both_models_of_the_notebook_are_listed() -> None:
    assert list(SHAPES) == ["deberta-xlarge", "deberta-v3-small"]

"""Sizes that cannot fit are refused before anything starts, and what takes days is said."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from labs.experiments.fusion.attention import naive
from labs.measure.memory import peak_bytes
from labs.setup.config import ConfigError
from labs.setup.demands import check_demands, long, needs

CONFIG = Path(__file__).parents[2] / "config.yaml"
PRESETS = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["presets"]
LAPTOP = 8e9


def changed(place: tuple[str, ...], value: Any) -> dict[str, Any]:
    """The sizes of smoke with one setting changed."""
    sizes: dict[str, Any] = copy.deepcopy(PRESETS["smoke"])
    section = sizes
    for key in place[:-1]:
        section = section[key]
    section[place[-1]] = value
    return sizes


@pytest.mark.parametrize("preset", ["smoke", "quick"])
def test_what_is_shipped_fits_a_laptop_within_a_day(preset: str) -> None:
    check_demands(preset, PRESETS[preset], LAPTOP)
    assert long(PRESETS[preset], cores=1) == []


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("fusion", "shape"), [65536] * 4),
        (("fusion", "lengths"), [64, 65536]),
        (("fusion", "linear-shape"), [65536] * 3),
        (("mxint8", "linear", "shape"), [65536, 65536]),
        (("mxint8", "kernels", "elements"), 2**33),
        (("compression", "speed", "hidden-sizes"), [128, 65536]),
        (("base-model", "batch-size"), 65536),
    ],
    ids=str,
)
def test_a_size_that_cannot_fit_is_named_with_what_it_takes(
    place: tuple[str, ...], value: Any
) -> None:
    with pytest.raises(ConfigError) as caught:
        check_demands("smoke", changed(place, value), LAPTOP)
    text = str(caught.value)
    assert text.startswith(f"config: presets.smoke.{'.'.join(place)} is ")
    assert text.endswith("this machine has 8.0 GB: choose a smaller size")
    assert "\n" not in text


def test_attention_takes_as_much_as_is_said_and_little_more() -> None:
    shape = (2, 8, 256, 64)
    said = next(one for one in needs(changed(("fusion", "shape"), shape)) if "shape" in one.path)
    inputs = [torch.randn(shape, dtype=torch.float64) for _ in range(3)]
    taken = peak_bytes(lambda: naive(*inputs), "cpu")
    assert said.bytes <= taken <= 2 * said.bytes


def test_rounds_that_take_days_are_said() -> None:
    sizes: Mapping[str, Any] = {**PRESETS["smoke"], "processes": 1000, "rounds": 10000}
    (said,) = long(sizes, cores=2)
    assert said.startswith("processes 1000 and rounds 10000: the timing jobs take at least")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("base-model", "epochs"), 2**30),
        (("lora", "seeds"), 2**30),
        (("compression", "epochs"), [2**30]),
        (("search", "seeds"), 2**30),
        (("precision", "trials"), 2**30),
    ],
    ids=str,
)
def test_trainings_that_take_days_are_said(place: tuple[str, ...], value: Any) -> None:
    (said,) = long(changed(place, value), cores=2)
    assert said.startswith(f"{place[0]}: its trainings take at least ")

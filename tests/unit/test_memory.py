"""A preset whose jobs take more memory than a machine has is refused before anything starts."""

import copy
from typing import Any

import pytest

from labs.setup.config import ConfigError
from labs.setup.memory import check_memory
from tests.shipped import SHIPPED

PRESETS = SHIPPED["presets"]
LAPTOP = 8e9


def needing(experiment: str, megabytes: int) -> dict[str, Any]:
    """The sizes of smoke, of which one experiment takes so much."""
    sizes: dict[str, Any] = copy.deepcopy(PRESETS["smoke"])
    sizes["memory"][experiment] = megabytes
    return sizes


@pytest.mark.parametrize("preset", ["smoke", "quick"])
def test_what_is_shipped_fits_a_laptop(preset: str) -> None:
    check_memory(preset, PRESETS[preset], LAPTOP)


@pytest.mark.parametrize("experiment", PRESETS["smoke"]["memory"].keys() - {"compilation"})
def test_an_experiment_that_takes_more_than_there_is_is_named(experiment: str) -> None:
    check_memory("smoke", needing(experiment, 8000), LAPTOP)
    with pytest.raises(ConfigError) as caught:
        check_memory("smoke", needing(experiment, 8001), LAPTOP)
    text = str(caught.value)
    assert text.startswith(f"config: presets.smoke.memory.{experiment} is 8001 MB, but ")
    assert "this machine has 8000 MB" in text
    assert "\n" not in text


def test_what_takes_as_much_as_there_is_or_does_not_run_is_not_refused() -> None:
    check_memory("smoke", needing("compilation", 10**6), LAPTOP)
    sizes = needing("lab-space", 10**6)
    sizes["search"]["lab-trials"] = 0
    check_memory("smoke", sizes, LAPTOP)

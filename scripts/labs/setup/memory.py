"""Whether a machine has the memory that the jobs of a preset take."""

from collections.abc import Mapping
from typing import Any

from labs.setup.config import ConfigError


def check_memory(preset: str, sizes: Mapping[str, Any], available: float) -> None:
    """Raise ConfigError for the experiment that takes the most, if it takes more than these bytes.

    ``sizes`` are those of the preset. Question 1a runs as many images as there is room for.
    """
    needs = {
        f"{name}.job-memory": section["job-memory"]
        for name, section in sizes.items()
        if isinstance(section, Mapping) and name != "compilation"
    }
    if sizes["search"]["lab-trials"]:
        needs["search.lab-memory"] = sizes["search"]["lab-memory"]
    name = max(needs, key=needs.__getitem__)
    if needs[name] * 10**6 > available:
        raise ConfigError(
            f"config: presets.{preset}.{name} is {needs[name]} MB, but this machine has "
            f"{available / 10**6:.0f} MB: choose another preset, or smaller sizes and their memory"
        )

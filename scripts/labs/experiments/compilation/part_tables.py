"""Tables that both records of torch.compile have: steady times, and first calls."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pandas as pd

from labs.analysis.analysis import Values
from labs.analysis.frame import columns, with_interval
from labs.analysis.values import slug
from labs.experiments.compilation.names import COLD, COMPILED, EAGER, MODES, WARM
from labs.experiments.compilation.part import COUNTS, STAGES, Part


def steady_table(parts: Sequence[Part], values: Values) -> pd.DataFrame:
    """Return one row per model, mode and arm: steady time with its interval, and flags."""
    table = []
    for part, mode, arm in product(parts, MODES, (EAGER, COMPILED)):
        if time := values.get(f"{part.prefix}.{slug(mode)}.{arm}.steady"):
            row = {**_head(part, mode), "arm": arm, **columns(seconds=time)}
            table.append(row | {"flags": part.samples.flags(arm, mode=mode)})
    return pd.DataFrame(table)


def first_call_table(parts: Sequence[Part]) -> pd.DataFrame:
    """Return one row per model, mode and cache state: the first call, its stages, and counts."""
    table = []
    for part, cache in product(parts, (COLD, WARM)):
        for mode in part.modes:
            seconds = part.first_calls(mode, cache)
            if seconds.empty:
                continue
            state = part.state(cache, mode)
            first = part.samples.location(seconds, "s")
            stages = {stage: float(part.facts(stage, mode, state).mean()) for stage in STAGES}
            row = {**_head(part, mode), "cache": state, **with_interval("seconds", first), **stages}
            row["rest"] = max(0.0, first.value - sum(stages.values()))
            row |= {name: max(part.facts(fact, mode, state)) for fact, name in COUNTS.items()}
            table.append(row)
    return pd.DataFrame(table)


def _head(part: Part, mode: str) -> dict[str, Any]:
    return {"model": part.label, "device": part.record["device"], "mode": mode}

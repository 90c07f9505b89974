"""Tables that both records of torch.compile have: steady times, and first calls."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pandas as pd

from labs.analysis.frame import with_interval
from labs.experiments.compilation.names import COLD, COMPILED, EAGER, MODES, WARM
from labs.experiments.compilation.part import COUNTS, STAGES, Part


def steady_table(parts: Sequence[Part]) -> pd.DataFrame:
    """Return one row per model, mode and arm: steady time with its interval, and flags."""
    table = []
    for part, mode, arm in product(parts, MODES, (EAGER, COMPILED)):
        if len(part.samples.steady(arm, mode=mode)):
            time = with_interval("seconds", part.samples.time(arm, mode=mode).estimate)
            warnings = part.samples.flags(arm, mode=mode)
            table.append({**_head(part, mode), "arm": arm, **time, "flags": warnings})
    return pd.DataFrame(table)


def first_call_table(parts: Sequence[Part]) -> pd.DataFrame:
    """Return one row per model, mode and cache state: the first call, its stages, and counts."""
    table = []
    for part, cache in product(parts, (COLD, WARM)):
        for mode in part.modes:
            state = part.state(cache, mode)
            seconds = part.first_calls(mode, cache)
            if seconds.empty:
                continue
            first = part.samples.location(seconds, "s").estimate
            row = {**_head(part, mode), "cache": state, **with_interval("seconds", first)}
            for stage in STAGES:
                row[stage] = float(part.facts(stage, mode, state).mean())
            row["rest"] = max(0.0, first.value - sum(row[stage] for stage in STAGES))
            for fact_name, short in COUNTS.items():
                row[short] = max(part.facts(fact_name, mode, state))
            table.append(row)
    return pd.DataFrame(table)


def _head(part: Part, mode: str) -> dict[str, Any]:
    return {"model": part.label, "device": part.record["device"], "mode": mode}

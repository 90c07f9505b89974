"""Values and tables of the training loops: time per review, padding, and accuracy."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, columns, fact, gained, prefixed
from labs.analysis.points import Points
from labs.analysis.statistics import within_run
from labs.analysis.values import Values
from labs.experiments.loops.names import OWN, TRAINER, TRAINER_GROUPED
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("loops")

ARMS = {"own": OWN, "trainer": TRAINER, "grouped": TRAINER_GROUPED}


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    samples, points = Samples(record), Points(record)
    values = {
        "processes": counted(len(samples.medians(OWN)), "count"),
        "rounds": counted(len(samples.steady(OWN).iloc[0]), "count"),
        "reviews": counted(fact(record, "reviews", OWN)[0], "count"),
        "batch_size": counted(record["spec"]["batch_size"], "count"),
        "noise_floor": counted(samples.floor(OWN), "share"),
        "speedup": samples.speedup(TRAINER, OWN),
        "itself.speedup": samples.speedup(TRAINER_GROUPED, OWN),
        "gain": points.gain({"arm": OWN}, {"arm": TRAINER}),
    }
    for name, arm in ARMS.items():
        positions = within_run(fact(record, "positions a token", arm), samples.first_stage)
        values[f"{name}.rate"] = samples.location(1 / samples.medians(arm), "count")
        values[f"{name}.accuracy"] = points.accuracy({"arm": arm})
        values[f"{name}.positions"] = counted(positions.value, "ratio")
    return prefixed("loops", values)


@ANALYSIS.old_table_of_values("loops_time")
def time_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per loop: reviews per second, speed-up over Trainer, padding, accuracy."""
    samples, rows = Samples(record), []
    floor = values["loops.noise_floor"].value
    for name, arm in ARMS.items():
        row = {"device": record["device"], "arm": arm}
        row |= columns(seconds=samples.time(arm), rate=values[f"loops.{name}.rate"])
        row["positions"] = values[f"loops.{name}.positions"].value
        row |= columns(accuracy=values[f"loops.{name}.accuracy"])
        if arm != TRAINER:
            row |= gained(samples.speedup(TRAINER, arm), floor)
        rows.append(row)
    return pd.DataFrame(rows)

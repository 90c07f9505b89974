"""Values and tables of the training loops: time per review, padding, and accuracy."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, Value, columns, exactly, fact, gained
from labs.analysis.points import Points
from labs.analysis.statistics import within_run
from labs.experiments.loops.names import OWN, TRAINER, TRAINER_GROUPED
from labs.records.record import Record

ANALYSIS = Analysis("loops")

ARMS = {"own": OWN, "trainer": TRAINER, "grouped": TRAINER_GROUPED}


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    samples, points = Samples(record), Points(record)
    found = {
        "loops.processes": exactly(len(samples.medians(OWN)), "count"),
        "loops.rounds": exactly(len(samples.steady(OWN).iloc[0]), "count"),
        "loops.reviews": exactly(fact(record, "reviews", OWN)[0], "count"),
        "loops.batch_size": exactly(record["spec"]["batch_size"], "count"),
        "loops.noise_floor": exactly(samples.floor(OWN), "share"),
        "loops.speedup": samples.speedup(TRAINER, OWN),
        "loops.itself.speedup": samples.speedup(TRAINER_GROUPED, OWN),
        "loops.gain": points.gain({"arm": OWN}, {"arm": TRAINER}),
    }
    for name, arm in ARMS.items():
        found[f"loops.{name}.rate"] = samples.location(1 / samples.medians(arm), "count")
        found[f"loops.{name}.accuracy"] = points.accuracy({"arm": arm})
        positions = within_run(fact(record, "positions a token", arm), samples.first_stage)
        found[f"loops.{name}.positions"] = exactly(positions.value, "ratio")
    return found


@ANALYSIS.table("loops_time")
def time_table(record: Record) -> pd.DataFrame:
    """Return one row per loop: reviews per second, speed-up over Trainer, padding, accuracy."""
    samples, found = Samples(record), values(record)
    floor = found["loops.noise_floor"].estimate.value
    rows = []
    for name, arm in ARMS.items():
        row = {"device": record["device"], "arm": arm}
        row |= columns(seconds=samples.time(arm), rate=found[f"loops.{name}.rate"])
        row["positions"] = found[f"loops.{name}.positions"].estimate.value
        row |= columns(accuracy=found[f"loops.{name}.accuracy"])
        if arm != TRAINER:
            row |= gained(samples.speedup(TRAINER, arm), floor)
        rows.append(row)
    return pd.DataFrame(rows)

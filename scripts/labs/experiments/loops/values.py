"""Values and tables of the training loops: time per review, padding, and accuracy."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, columns, fact, gained
from labs.analysis.points import Points
from labs.analysis.statistics import within_run
from labs.analysis.values import Tree, Values
from labs.experiments.loops.names import OWN, TRAINER, TRAINER_GROUPED
from labs.records.quantity import Estimate, counted
from labs.records.record import Record

ANALYSIS = Analysis("loops")

ARMS = {"own": OWN, "trainer": TRAINER, "grouped": TRAINER_GROUPED}


@ANALYSIS.values
def values(record: Record) -> Tree:
    samples, points = Samples(record), Points(record)

    def positions(arm: str) -> Estimate:
        return within_run(fact(record, "positions a token", arm), samples.first_stage)

    return {
        "processes": counted(len(samples.medians(OWN))),
        "rounds": counted(len(samples.steady(OWN).iloc[0])),
        "reviews": counted(fact(record, "reviews", OWN)[0]),
        "batch_size": counted(record["spec"]["batch_size"]),
        "noise_floor": counted(samples.floor(OWN), "share"),
        "speedup": samples.speedup(TRAINER, OWN),
        "itself": {"speedup": samples.speedup(TRAINER_GROUPED, OWN)},
        "gain": points.gain({"arm": OWN}, {"arm": TRAINER}),
        **{
            name: {
                "rate": samples.location(1 / samples.medians(arm), "count"),
                "positions": counted(positions(arm).value, "ratio"),
                "accuracy": points.accuracy({"arm": arm}),
            }
            for name, arm in ARMS.items()
        },
    }


@ANALYSIS.table_of_values("loops_time")
def time_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per loop: reviews per second, speed-up over Trainer, padding, accuracy."""
    samples, rows = Samples(record), []
    for name, arm in ARMS.items():
        row = {"device": record["device"], "arm": arm}
        row |= columns(seconds=samples.time(arm), rate=values[name, "rate"])
        row["positions"] = values[name, "positions"].value
        row |= columns(accuracy=values[name, "accuracy"])
        if arm != TRAINER:
            row |= gained(samples.speedup(TRAINER, arm), values["noise_floor"].value)
        rows.append(row)
    return pd.DataFrame(rows)

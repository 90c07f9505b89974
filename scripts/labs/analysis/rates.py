"""The learning rates that chains tried and chose, read from the record of any training."""

import pandas as pd

from labs.analysis.frame import fact, fact_by_process
from labs.analysis.points import Points
from labs.analysis.values import Tree
from labs.records.names.studies import CHOSEN_RATE, RATES
from labs.records.quantity import counted
from labs.records.record import Record


def rate_values(record: Record) -> Tree:
    """Return the least and the largest of the rates that the chains chose."""
    chosen = fact(record, CHOSEN_RATE, RATES)
    return {"rate": {"least": counted(min(chosen)), "most": counted(max(chosen))}}


def rate_table(record: Record) -> pd.DataFrame:
    """Return one row a chain and rate: its accuracy on validation, and whether it was chosen."""
    table = Points(record, split="validation", arm=RATES).replicates(["learning_rate"])
    chosen = table["replicate"].map(fact_by_process(record, CHOSEN_RATE, RATES))
    is_chosen = table["learning_rate"] == chosen
    table = table.assign(chosen=is_chosen.map({True: "yes", False: ""}), device=record["device"])
    return table.sort_values(["replicate", "learning_rate"], ignore_index=True)

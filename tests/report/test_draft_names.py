"""A draft knows what would come from a missing record: the names of values say it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from labs.analysis.tables import ANALYSES
from labs.claims.judge import RULES
from reporting.draft.plan import Plan
from reporting.draft.records import missing_of
from reporting.draft.states import History
from tests.unit import synthetic, synthetic_compression, synthetic_training
from tests.unit.mxint8 import synthetic as mxint8
from tests.unit.precision.synthetic import precision
from tests.unit.search.synthetic import search
from tests.unit.synthetic import Row

MEASURED = [
    synthetic.compilation(),
    synthetic.compilation_modes(),
    synthetic.fusion(),
    synthetic.graphs(),
    synthetic_compression.quantization(),
    synthetic_compression.pruning(),
    synthetic_compression.ranges(),
    synthetic_compression.formats(),
    synthetic_compression.compression_speed(),
    synthetic_training.data(),
    synthetic_training.base(),
    synthetic_training.loops(),
    synthetic_training.lora(),
    *mxint8.everything().values(),
    precision(),
    search(),
]
RULES_FOLDER = Path(__file__).parents[2] / "workflow" / "rules" / "experiments"
PER_DEVICE = {
    experiment
    for path in RULES_FOLDER.glob("*.smk")
    for experiment in re.findall(r'^measured_per_device\("(\w+)"\)', path.read_text(), re.MULTILINE)
}


@pytest.mark.parametrize("record", MEASURED, ids=lambda record: record["experiment"])
def test_every_value_of_a_record_is_known_to_come_from_it(tmp_path: Path, record: Row) -> None:
    places = [f"records/{record['experiment']}{end}" for end in (".json", "/cpu.json")]
    per_record, per_device = missing_of(places, Plan(""), History(tmp_path))
    values = {
        name
        for analysis in ANALYSES
        if analysis.experiment == record["experiment"]
        for make in analysis.values
        for name in make(record)
    }
    assert values
    assert {name for name in values if not per_record.says(name)} == set()
    if record["experiment"] in PER_DEVICE:
        assert {name for name in values if not per_device.says(name)} == set()


def test_every_experiment_is_among_them() -> None:
    assert {record["experiment"] for record in MEASURED} == set(RULES)
    assert PER_DEVICE and set(RULES) > PER_DEVICE

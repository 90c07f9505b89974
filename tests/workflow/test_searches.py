"""The trainings of a search's grid are split over as many jobs as a setting says."""

from __future__ import annotations

import pytest

from tests.workflow.checkout import Checkout


@pytest.mark.parametrize(("shards", "jobs"), [(1, 0), (3, 3)])
def test_shards_are_jobs_of_the_workflow(shards: int, jobs: int, fresh: Checkout) -> None:
    settings = fresh.temporary / "shards.yaml"
    settings.write_text(f"presets: {{smoke: {{search: {{shards: {shards}}}}}}}\n")
    record = "results/smoke/parts/search/0.json"
    planned = fresh.planned(record, "--configfile", str(settings))
    assert planned["search_architectures"] == 1
    assert planned.get("train_shard", 0) == jobs

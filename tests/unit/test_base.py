"""The base model's training: what its checkpoint depends on."""

from pathlib import Path

import pytest

from labs.data.reviews import load
from labs.experiments import base_model as base
from labs.models import classifiers
from labs.models.optimization import Plan
from labs.records.answers import unpack
from labs.records.observations import Observations
from tests import made_up


def test_a_checkpoint_with_accuracies_on_other_reviews_is_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tokens = made_up.tokens(tmp_path, 200)

    def observe(held_out: int) -> Observations:
        model = classifiers.bert_tiny(0, hidden_size=16, intermediate_size=32, vocab_size=64)
        plan, checkpoint = Plan(1, 1e-3), tmp_path / "checkpoint"
        return base.observe(model, tokens, 32, 64, held_out, plan, 0, 0, "cpu", checkpoint)

    observe(10)
    observe(10)
    assert "resumes" in capsys.readouterr().err
    observe(9)
    assert "is of another training" in capsys.readouterr().err


def test_the_mask_is_judged_on_the_padded_validation_reviews(tmp_path: Path) -> None:
    tokens = made_up.tokens(tmp_path, 200)
    model = classifiers.bert_tiny(0, hidden_size=16, intermediate_size=32, vocab_size=64)
    plan, checkpoint = Plan(1, 1e-3), tmp_path / "checkpoint"
    seen = base.observe(model, tokens, 32, 64, 20, plan, 0, 0, "cpu", checkpoint)
    answers = {
        row["arm"]: unpack(row["value"])
        for row in seen.facts
        if row["name"] == "correct" and row["case"]["split"] == "padded"
    }
    lengths = load(tokens, "validation", 32, 20).lengths
    padded = int((lengths < lengths.max()).sum())
    assert padded > 0
    assert {arm: len(right) for arm, right in answers.items()} == {
        "BERT-tiny": padded,
        "BERT-tiny, no mask": padded,
    }

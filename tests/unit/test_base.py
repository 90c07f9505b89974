"""The base model's training: what its checkpoint depends on."""

from pathlib import Path

import pytest

from labs.data.reviews import load
from labs.experiments.base_model import observe as base
from labs.models import classifiers
from labs.models.optimization import Plan
from labs.records.answers import unpack
from labs.records.observations import Observations
from tests import made_up


def observe(folder: Path, held_out: int) -> Observations:
    """What is observed of a small model that is trained on the tokens in a folder."""
    model = classifiers.bert_tiny(0, hidden_size=16, intermediate_size=32, vocab_size=64)
    tokens, checkpoint = folder / "tokens.parquet", folder / "checkpoint"
    return base.observe(model, tokens, 32, 64, held_out, Plan(1, 1e-3), 0, 0, "cpu", checkpoint)


def test_a_checkpoint_with_accuracies_on_other_reviews_is_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up.tokens(tmp_path, 200)
    observe(tmp_path, 10)
    observe(tmp_path, 10)
    assert "resumes" in capsys.readouterr().err
    observe(tmp_path, 9)
    assert "is of another training" in capsys.readouterr().err


def test_the_mask_is_judged_on_the_padded_validation_reviews(tmp_path: Path) -> None:
    tokens = made_up.tokens(tmp_path, 200)
    seen = observe(tmp_path, 20)
    judged = {
        row["arm"]: len(unpack(row["value"]))
        for row in seen.facts
        if row["name"] == "correct" and row["case"]["split"] == "padded"
    }
    lengths = load(tokens, "validation", 32, 20).lengths
    padded = int((lengths < lengths.max()).sum())
    assert padded > 0
    assert judged == {"BERT-tiny": padded, "BERT-tiny, no mask": padded}

"""Classifiers: BERT-tiny's size, files that keep weights, encoders cut to their first layers."""

from pathlib import Path

import pytest
import torch
from transformers import BertModel

from labs.models import classifiers
from tests import made_up


def test_bert_tiny_has_the_published_number_of_parameters() -> None:
    # 4,386,178 with a head of two labels: google/bert_uncased_L-2_H-128_A-2 has 4,385,920 without.
    assert classifiers.trainable_parameters(classifiers.bert_tiny(0)) == 4_385_920 + 258


def test_a_seed_decides_the_weights() -> None:
    first, again, other = (classifiers.bert_tiny(seed).classifier.weight for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_file_keeps_weights_and_shape(tmp_path: Path) -> None:
    model = classifiers.bert_tiny(0, hidden_size=16, vocab_size=64)
    classifiers.save(model, tmp_path / "model.safetensors")
    again = classifiers.load(tmp_path / "model.safetensors")
    assert again.config.hidden_size == 16
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name]), name


def test_a_pretrained_model_is_read_from_a_folder(tmp_path: Path) -> None:
    model = classifiers.bert_tiny(0, hidden_size=16, vocab_size=64)
    model.save_pretrained(tmp_path)
    again = classifiers.pretrained(str(tmp_path), seed=5)
    assert torch.equal(model.classifier.weight, again.classifier.weight)


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    model = classifiers.bert_tiny(0, hidden_size=16, vocab_size=64)
    model.config.save_pretrained(tmp_path)
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(SystemExit, match=r"it needs config\.json and model\.safetensors"):
        classifiers.pretrained(str(tmp_path), seed=0)


def test_a_missing_model_is_refused_with_an_alternative(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="model.source: scratch needs neither"):
        classifiers.pretrained(str(tmp_path / "none"), seed=0)


def test_the_first_layers_of_an_encoder_are_kept(tmp_path: Path) -> None:
    folder = made_up.encoder(tmp_path)
    whole = BertModel.from_pretrained(folder)
    cut = classifiers.on_encoder(folder, layers=1, seed=0)
    assert len(cut.encoder.encoder.layer) == 1
    name = "encoder.layer.0.output.dense.weight"
    kept, original = cut.encoder.get_parameter(name), whole.get_parameter(name)
    assert torch.equal(kept, original)


def test_padding_does_not_enter_the_mean(tmp_path: Path) -> None:
    model = classifiers.on_encoder(made_up.encoder(tmp_path), layers=2, seed=0).eval()
    tokens, mask = torch.tensor([[2, 9, 8, 3]]), torch.ones(1, 4, dtype=torch.long)
    padded = torch.nn.functional.pad(tokens, (0, 5))
    with torch.no_grad():
        alone = model(tokens, mask).logits
        in_a_batch = model(padded, torch.nn.functional.pad(mask, (0, 5))).logits
    assert torch.allclose(alone, in_a_batch, atol=1e-5)

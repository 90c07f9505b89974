"""Classifiers: sizes, files that keep weights, encoders cut to first layers or to their words."""

from pathlib import Path

import pytest
import torch
from transformers import BertModel

from labs.models import classifiers
from labs.models.words import on_words, start_from, word_embeddings
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


def test_words_are_turned_so_that_their_first_columns_hold_the_most(tmp_path: Path) -> None:
    made_up.encoder(tmp_path)
    words = word_embeddings(tmp_path)
    energies = words.square().sum(dim=0)
    assert (energies.diff() <= 1e-4 * energies[0]).all()
    model = classifiers.bert_tiny(0)
    original = model.bert.embeddings.word_embeddings.weight.detach().clone()
    start_from(model.bert, words)
    started = model.bert.embeddings.word_embeddings.weight.detach()
    assert torch.equal(started[:, : words.shape[1]], words)
    assert torch.equal(started[:, words.shape[1] :], original[:, words.shape[1] :])


def test_turning_keeps_all_distances_between_words(tmp_path: Path) -> None:
    encoder = made_up.encoder(tmp_path)
    words = word_embeddings(encoder)[:50].double()
    torch.manual_seed(0)
    original = BertModel.from_pretrained(encoder).embeddings.word_embeddings.weight[:50].double()
    assert torch.allclose(torch.cdist(words, words), torch.cdist(original, original), atol=1e-4)


def test_a_classifier_on_words_has_the_encoders_words_and_random_layers(tmp_path: Path) -> None:
    encoder = made_up.encoder(tmp_path)
    words = word_embeddings(encoder)
    one, other = (on_words(encoder, 1, seed).encoder for seed in (0, 1))
    assert one.config.num_hidden_layers == 1 and one.config.hidden_size == 128
    for model in (one, other):
        own = model.embeddings.word_embeddings.weight
        assert torch.equal(own[:, : words.shape[1]], words)
    query = "encoder.layer.0.attention.self.query.weight"
    assert not torch.equal(one.get_parameter(query), other.get_parameter(query))


def test_a_classifier_on_words_trains_all_its_parameters_and_draws_nothing(tmp_path: Path) -> None:
    model = on_words(made_up.encoder(tmp_path), 1, 0).train()
    tokens = torch.randint(5, 20, (2, 8))
    once, twice = (model(tokens, torch.ones_like(tokens)).logits for _ in range(2))
    assert torch.equal(once, twice), "dropout would make them differ"
    once.sum().backward()
    assert all(weight.grad is not None for weight in model.parameters())

"""Models that start from the word embeddings of a pretrained encoder."""

from pathlib import Path

import torch
from transformers import BertModel

from labs.models.classifiers import bert_tiny
from labs.models.words import on_words, start_from, word_embeddings
from tests import made_up


def test_words_are_turned_so_that_their_first_columns_hold_the_most(tmp_path: Path) -> None:
    made_up.encoder(tmp_path)
    words = word_embeddings(tmp_path)
    energies = words.square().sum(dim=0)
    assert (energies.diff() <= 1e-4 * energies[0]).all()
    model = bert_tiny(0)
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

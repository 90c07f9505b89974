"""Models that start from the word embeddings of a pretrained encoder, the rest at random."""

from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from transformers import BertModel

from labs.files import reading
from labs.models.classifiers import MeanPooled, bert_tiny

WEIGHTS = "model.safetensors"
WORDS_OF_ENCODER = "embeddings.word_embeddings.weight"


def word_embeddings(encoder: Path) -> torch.Tensor:
    """Return the word embeddings of a pretrained encoder, turned so that the first columns matter.

    They are the same vectors in the basis of their principal components (by singular value
    decomposition), largest first: the first n columns are their best approximation by n numbers.
    Each is a row of a (words, columns) tensor.
    """
    path = encoder / WEIGHTS
    with reading(path, SafetensorError), safe_open(path, framework="pt") as file:
        words = file.get_tensor(WORDS_OF_ENCODER).double()
    # The right singular vectors are the eigenvectors of a matrix that is small.
    _, directions = torch.linalg.eigh(words.T @ words)
    turned: torch.Tensor = words @ directions.flip(1)
    return turned.float()


def start_from(bert: BertModel, words: torch.Tensor) -> None:
    """Set a model's word embeddings to the first columns of ``word_embeddings``.

    Where the model is wider, the rest of its columns stay random.
    """
    weight = bert.embeddings.word_embeddings.weight
    columns = min(weight.shape[1], words.shape[1])
    with torch.no_grad():
        weight[:, :columns] = words[:, :columns]


def on_words(encoder: Path, layers: int, seed: int) -> MeanPooled:
    """Return a classifier of BERT-tiny's sizes that starts from the words of an encoder.

    It has no dropout, which takes a CPU much of a training step: where a training shows each
    review once, there is little to overfit.
    """
    without = {"hidden_dropout_prob": 0, "attention_probs_dropout_prob": 0}
    bert = bert_tiny(seed, num_hidden_layers=layers, **without).bert
    # The classifier reads the mean of all states; a pooler would only be counted as trained.
    bert.pooler = None
    start_from(bert, word_embeddings(encoder))
    return MeanPooled(bert)

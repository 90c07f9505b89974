"""Made-up inputs of programs that train: reviews, a vocabulary, an encoder and a small model."""

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import torch
from pyarrow import parquet
from transformers import BertConfig, BertModel

from labs.data import corpus
from labs.data.tokens import tokenize
from labs.models import classifiers

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
GOOD, BAD = ["fine", "grand", "moving"], ["dull", "poor", "tedious"]
FILLER = [f"{first}{second}" for first in "bcdfgk" for second in "aeiou"]


def reviews(number: int) -> list[corpus.Review]:
    """Reviews of 3 to 40 words, all different; one word of each reveals its label."""
    rng = random.Random(number)
    found = []
    for place in range(number):
        label = place % 2
        words = rng.choices(FILLER, k=rng.randint(2, 39))
        words.insert(rng.randrange(len(words)), rng.choice(GOOD if label else BAD))
        found.append(corpus.Review(" ".join([*words, f"w{place}"]), label))
    return found


def reviews_file(path: Path, found: list[corpus.Review]) -> Path:
    """Write reviews as a user would provide them: a Parquet file with text and label."""
    columns = {"text": [one.text for one in found], "label": [one.label for one in found]}
    parquet.write_table(pa.table(columns), path)
    return path


def vocabulary(path: Path) -> Path:
    """Write the word pieces of the reviews, one per line; words outside it become [UNK]."""
    path.write_text("\n".join([*SPECIAL, *GOOD, *BAD, *FILLER]) + "\n")
    return path


def tokens(folder: Path, number: int) -> Path:
    """Write ``number`` reviews, split and tokenized."""
    made = folder / "reviews.parquet"
    corpus.write(reviews(number), {"source": "made up", "licence": "none", "read": number}, made)
    tokenize(made, vocabulary(folder / "vocab.txt"), folder / "tokens.parquet")
    return folder / "tokens.parquet"


def encoder(folder: Path) -> Path:
    """Write a small random encoder in the files of the pretrained one."""
    torch.manual_seed(0)
    config = BertConfig(
        hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
    )
    BertModel(config).save_pretrained(folder)
    return folder


def bert() -> Any:
    """Return a BERT-tiny of few numbers, in eval mode."""
    sizes = {"hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 64, "vocab_size": 50}
    return classifiers.bert_tiny(0, **sizes).eval()


def batch() -> dict[str, torch.Tensor]:
    """Return three made-up reviews, one of them padded, as ``bert`` takes them."""
    tokens = torch.randint(1, 50, (3, 10), generator=torch.Generator().manual_seed(0))
    mask = torch.ones(3, 10, dtype=torch.long)
    mask[1, 6:] = 0
    return {"input_ids": tokens, "attention_mask": mask}

"""Tokens are those of BERT's tokenizer, and batches hold their reviews and nothing else."""

from pathlib import Path

import pytest
import torch
from pyarrow import parquet
from tokenizers import BertWordPieceTokenizer

from labs.data.reviews import load
from tests import made_up


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.tokens(tmp_path_factory.mktemp("reviews"), 300)


@pytest.mark.parametrize("split", ["train", "validation", "test"])
@pytest.mark.parametrize("max_length", [3, 16, 512])
def test_a_review_is_truncated_as_by_the_tokenizer(
    tokens: Path, split: str, max_length: int
) -> None:
    tokenizer = BertWordPieceTokenizer(str(tokens.parent / "vocab.txt"), lowercase=True)
    tokenizer.enable_truncation(max_length)
    rows = parquet.read_table(tokens.parent / "reviews.parquet").to_pylist()
    rows = [row for row in rows if row["split"] == split]
    found = load(tokens, split, max_length)
    assert len(found) == len(rows) > 0
    for place, row in enumerate(rows):
        length = int(found.lengths[place])
        assert found.tokens[place, :length].tolist() == tokenizer.encode(row["text"]).ids
        assert not found.tokens[place, length:].any()
        assert found.labels[place] == row["label"]


def test_a_smaller_subset_is_a_part_of_a_larger_one(tokens: Path) -> None:
    small, large = (load(tokens, "train", 64, limit) for limit in (10, 30))
    assert torch.equal(large.labels[:10], small.labels)
    assert torch.equal(large.lengths[:10], small.lengths)


def test_a_seed_decides_the_subset(tokens: Path) -> None:
    first, again, other = (load(tokens, "train", 64, 30, seed).lengths for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_limit_beyond_the_split_has_no_effect(tokens: Path) -> None:
    assert len(load(tokens, "train", 64, 10_000)) == len(load(tokens, "train", 64))


def test_a_batch_is_as_long_as_its_longest_review_and_masks_the_padding(tokens: Path) -> None:
    reviews = load(tokens, "train", 64)
    indices = torch.tensor([5, 2, 9])
    batch = reviews.batch(indices, "cpu")
    assert batch.tokens.shape == (3, int(reviews.lengths[indices].max()))
    assert torch.equal(batch.mask.sum(dim=1), reviews.lengths[indices])
    assert torch.equal(batch.tokens * batch.mask, batch.tokens)
    assert torch.equal(batch.labels, reviews.labels[indices])

"""Reviews are kept once, split, tokenized and batched; a file that is damaged is named."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from tokenizers import BertWordPieceTokenizer

from labs.data import corpus
from labs.data.corpus import Review, split_of, without_duplicates
from labs.data.reviews import load
from labs.models import classifiers
from tests import made_up


def test_a_repeated_text_is_kept_once_where_it_first_occurs() -> None:
    reviews = [Review("a", 1), Review("b", 0), Review("a", 1), Review("A", 1)]
    assert without_duplicates(reviews) == [Review("a", 1), Review("b", 0), Review("A", 1)]


def test_a_text_that_is_labelled_both_ways_is_left_out() -> None:
    assert without_duplicates([Review("a", 1), Review("b", 0), Review("a", 0)]) == [Review("b", 0)]


def test_a_text_that_is_trained_on_leaves_a_published_test_split() -> None:
    reviews = [Review("a", 1), Review("a", 1, held_out=True), Review("b", 1, held_out=True)]
    assert without_duplicates(reviews) == [Review("a", 1), Review("b", 1, held_out=True)]


def test_another_label_is_refused() -> None:
    with pytest.raises(SystemExit, match="label is 2; allowed: 0 and 1"):
        without_duplicates([Review("a", 2)])


@given(words=st.lists(st.from_regex(r"[a-z]+", fullmatch=True), min_size=1))
def test_near_copies_share_a_split(words: list[str]) -> None:
    plain, other = " ".join(words), "<br />" + ", ".join(words).upper() + " !"
    assert split_of(Review(plain, 0)) == split_of(Review(other, 1))


def test_a_split_has_its_share() -> None:
    splits = [split_of(review) for review in made_up.reviews(4000)]
    for split, share in (("train", 0.8), ("validation", 0.1), ("test", 0.1)):
        assert splits.count(split) / 4000 == pytest.approx(share, abs=0.02)


def test_splits_do_not_change_between_versions() -> None:
    splits = {"A film.": "train", "Another film.": "test", "Film 12": "validation"}
    assert {text: split_of(Review(text, 0)) for text in splits} == splits


def test_a_review_of_a_published_test_split_stays_there() -> None:
    assert {split_of(Review(str(number), 0, held_out=True)) for number in range(50)} == {"test"}


def test_reviews_read_back_with_their_origin(tmp_path: Path) -> None:
    path, reviews = tmp_path / "reviews.parquet", made_up.reviews(100)
    corpus.write(reviews, {"source": "here", "read": 101}, path)
    table = parquet.read_table(path).to_pylist()
    assert [Review(row["text"], row["label"]) for row in table] == reviews
    assert {row["split"] for row in table} == set(corpus.SPLITS)
    assert corpus.origin_of(path) == {"source": "here", "read": 101}


def test_too_few_reviews_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2 reviews leave the"):
        corpus.write(made_up.reviews(2), {}, tmp_path / "reviews.parquet")
    assert not list(tmp_path.iterdir())


def test_a_file_of_reviews_is_read(tmp_path: Path) -> None:
    reviews = made_up.reviews(10)
    assert corpus.of_file(made_up.reviews_file(tmp_path / "mine.parquet", reviews)) == reviews


@pytest.mark.parametrize("content", [None, b"", b"text,label\na,1\n"])
def test_an_unreadable_file_says_what_is_expected(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SystemExit, match=r"mine\.parquet .*the columns text and label"):
        corpus.of_file(path)


def test_a_data_set_in_the_hubs_layout_is_read_from_a_folder(tmp_path: Path) -> None:
    train, test = made_up.reviews(10), made_up.reviews(12)[10:]
    made_up.reviews_file(tmp_path / "train.parquet", train)
    made_up.reviews_file(tmp_path / "test.parquet", test)
    found = corpus.of_hub(str(tmp_path))
    assert found == train + [Review(one.text, one.label, held_out=True) for one in test]


def test_an_unavailable_data_set_is_refused_with_an_alternative(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="data.source: package needs neither"):
        corpus.of_hub(str(tmp_path / "none"))


@pytest.mark.parametrize("split", ["train", "validation", "test"])
@pytest.mark.parametrize("max_length", [3, 16, 512])
def test_a_review_is_cut_as_by_the_tokenizer(tokens: Path, split: str, max_length: int) -> None:
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


def test_a_smaller_subset_is_a_part_of_a_larger_one_up_to_the_split(tokens: Path) -> None:
    small, large = (load(tokens, "train", 64, limit) for limit in (10, 30))
    assert torch.equal(large.labels[:10], small.labels)
    assert torch.equal(large.lengths[:10], small.lengths)
    assert len(load(tokens, "train", 64, 10_000)) == len(load(tokens, "train", 64))


def test_a_seed_decides_the_subset(tokens: Path) -> None:
    first, again, other = (load(tokens, "train", 64, 30, seed).lengths for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_batch_is_as_long_as_its_longest_review_and_masks_the_padding(tokens: Path) -> None:
    reviews = load(tokens, "train", 64)
    indices = torch.tensor([5, 2, 9])
    batch = reviews.batch(indices, "cpu")
    assert batch.tokens.shape == (3, int(reviews.lengths[indices].max()))
    assert torch.equal(batch.mask.sum(dim=1), reviews.lengths[indices])
    assert torch.equal(batch.tokens * batch.mask, batch.tokens)
    assert torch.equal(batch.labels, reviews.labels[indices])


READERS: dict[str, Callable[[Path], Any]] = {
    "tokens.parquet": lambda path: load(path, "train", 16),
    "reviews.parquet": corpus.origin_of,
    "model.safetensors": classifiers.load,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("whole")
    made_up.tokens(found, 50)
    model = classifiers.bert_tiny(1, hidden_size=16, num_hidden_layers=1, num_attention_heads=2)
    classifiers.save(model, found / "model.safetensors")
    return found


@pytest.mark.parametrize("name", READERS)
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(part=st.floats(0, 0.999))
def test_a_file_that_is_cut_is_named(whole: Path, name: str, part: float, tmp_path: Path) -> None:
    content = (whole / name).read_bytes()
    READERS[name](whole / name)
    (tmp_path / name).write_bytes(content[: int(part * len(content))])
    with pytest.raises(SystemExit, match=f"^error: {tmp_path / name} is damaged .*; delete it"):
        READERS[name](tmp_path / name)


@pytest.mark.parametrize("name", READERS)
def test_a_file_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=f"^error: {tmp_path / name} "):
        READERS[name](tmp_path / name)

"""Each review is kept once, and near copies share a split."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from labs.data import corpus
from labs.data.corpus import Review, split_of, without_duplicates
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


def test_a_split_depends_on_the_words_alone_and_has_its_share() -> None:
    splits = [split_of(review) for review in made_up.reviews(4000)]
    assert splits == [split_of(review) for review in made_up.reviews(4000)]
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
def test_an_unreadable_file_is_refused_with_what_is_expected(
    content: bytes | None, tmp_path: Path
) -> None:
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

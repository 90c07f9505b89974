"""Names of values are built from the parts of a tree, and found again by the same parts."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from labs.analysis.values import Values, joined, named
from labs.records.quantity import Quantity, counted

WORDS = st.text("ab1 +./", min_size=1, max_size=4).filter(lambda word: joined(word).strip(".-"))


def test_a_name_is_the_path_through_the_tree() -> None:
    tree = {"processes": counted(6), "float16": {"fused": {"speedup": counted(2, "ratio")}}}
    assert dict(named(tree, "attention", "cpu")) == {
        "attention.cpu.processes": counted(6),
        "attention.cpu.float16.fused.speedup": counted(2, "ratio"),
    }


def test_a_value_may_have_others_below_it() -> None:
    tree = {"w8": {"": counted(1), "loss": counted(2)}}
    assert dict(named(tree)) == {"w8": counted(1), "w8.loss": counted(2)}


def test_what_separates_words_in_a_part_becomes_a_dash() -> None:
    assert joined("eval+no_grad", "rate 0.001", 5) == "eval-no_grad.rate-0-001.5"


def branches(depth: int) -> st.SearchStrategy[Any]:
    quantities = st.floats(allow_nan=False, allow_infinity=False).map(counted)
    inner = quantities if depth == 0 else st.one_of(quantities, branches(depth - 1))
    return st.dictionaries(WORDS, inner, min_size=1, max_size=3)


def leaves(tree: Any, *path: str) -> list[tuple[tuple[str, ...], Quantity]]:
    if isinstance(tree, Quantity):
        return [(path, tree)]
    return [leaf for part, branch in tree.items() for leaf in leaves(branch, *path, part)]


@given(tree=branches(2), prefix=WORDS)
def test_every_value_is_found_by_its_parts_behind_the_prefix(tree: Any, prefix: str) -> None:
    pairs = list(named(tree, prefix))
    by_name = dict(pairs)
    values = Values(by_name).below(prefix)
    for path, quantity in leaves(tree):
        assert path in values
        # Two paths of words that differ in their dashes alone have one name.
        assert len(pairs) > len(by_name) or values[path] == quantity
        first, *rest = path
        assert not rest or values.below(first)[tuple(rest)] == values[path]

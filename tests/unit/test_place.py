"""A folder whose path would break a job in the middle of a run is refused before it begins."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.setup.config import ConfigError
from labs.setup.place import check_place

ODD = "a b", "$(touch here)", "`id`", 'say "it"', "it's", "a:b", "{a}", "a;b", "a&b", "a\\b", "a\nb"


@pytest.mark.parametrize("name", ODD)
def test_an_odd_path_is_refused_in_one_line_that_shows_the_character(name: str) -> None:
    with pytest.raises(ConfigError) as refused:
        check_place(Path("/home/me", name, "labs"))
    assert "\n" not in str(refused.value)
    assert "move it to a path of" in str(refused.value)


@given(name=st.from_regex(re.compile(r"[\w.+=@%!#~^-]+"), fullmatch=True))
def test_a_plain_path_is_allowed(name: str) -> None:
    check_place(Path("/home", name))

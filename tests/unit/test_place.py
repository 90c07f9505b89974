"""A folder whose path would break a job in the middle of a run is refused before it begins."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.setup.config import ConfigError
from labs.setup.place import check_clock, check_place

ODD = "a b", "$(touch here)", "`id`", 'say "it"', "it's", "a:b", "{a}", "a;b", "a&b", "a\\b", "a\nb"


@pytest.mark.parametrize("name", ODD)
def test_an_odd_path_is_refused_in_one_line_that_shows_the_character(name: str) -> None:
    with pytest.raises(ConfigError) as refused:
        check_place(Path("/home/me", name, "labs"))
    assert "\n" not in str(refused.value)
    assert "move it to a path of" in str(refused.value)


def test_a_folder_in_which_nothing_can_run_is_refused(tmp_path: Path) -> None:
    mount, apart = f"mount -t tmpfs -o noexec none {tmp_path}", ["unshare", "--mount", "sh", "-c"]
    if subprocess.run([*apart, mount], capture_output=True).returncode:
        pytest.skip("only root mounts")
    check = "from labs.setup.place import *; check_place(Path('..'), 'here', 'go to')"
    words = [*apart, f'{mount} && mkdir {tmp_path}/a && cd {tmp_path}/a && "$0" -c "{check}"']
    path = str(Path("scripts").resolve())
    done = subprocess.run(
        [*words, sys.executable], env={"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.stderr.startswith("here, .., is on a file system that is mounted noexec")
    assert done.stderr.endswith("; go to a folder on another\n")


def test_a_file_of_the_future_is_named_with_what_makes_it_of_now(tmp_path: Path) -> None:
    late = tmp_path / "late" / "table.csv"
    late.parent.mkdir()
    late.touch()
    check_clock([str(tmp_path)])
    os.utime(late, (time.time() + 3600,) * 2)
    with pytest.raises(
        ConfigError, match="late/table.csv was changed at .*: set the clock, or"
    ) as said:
        check_clock([str(tmp_path)])
    subprocess.run(str(said.value).partition(" or run: ")[2], shell=True, check=True)
    check_clock([str(tmp_path), str(late)])


@given(name=st.from_regex(re.compile(r"[\w.+=@%!#~^-]+"), fullmatch=True))
def test_a_plain_path_is_allowed(name: str) -> None:
    check_place(Path("/home", name))

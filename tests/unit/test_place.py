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
    apart = ["unshare", "--mount"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode:
        pytest.skip("a mount of its own needs root")
    check = "from labs.setup.place import *; check_place(Path('mounted'), 'here', 'go to')"
    (tmp_path / "mounted").mkdir()
    done = subprocess.run(
        [
            *apart,
            "sh",
            "-c",
            f'mount -t tmpfs -o noexec t mounted && "{sys.executable}" -c "{check}"',
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path("scripts").resolve())},
        capture_output=True,
        text=True,
    )
    assert "here, mounted, is on a file system that is mounted noexec" in done.stderr
    assert "; go to a folder on another" in done.stderr and len(done.stderr.splitlines()) == 1


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

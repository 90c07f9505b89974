"""A program's sources are the modules beside it that it imports, and nothing else."""

import os
from pathlib import Path

import pytest

from labs.setup.sources import code_of, digest


@pytest.fixture(autouse=True)
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of scripts with a package, in the working directory."""
    code_of.cache_clear()
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "scripts" / "tool"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "near.py").write_text("from . import deep\n")
    (package / "deep.py").write_text("import json, numpy\n")
    (package / "late.py").write_text("")
    (package / "other.py").write_text("")
    return tmp_path / "scripts"


def test_imports_of_modules_beside_it_are_followed_wherever_they_stand(scripts: Path) -> None:
    late = "def main():\n    from tool import late\n"
    elsewhere = "import torch, json, argparse\nimport nowhere\n"
    (scripts / "job.py").write_text(f"from tool.near import something\n{elsewhere}{late}")
    tool = (f"scripts/tool/{name}.py" for name in ("__init__", "deep", "late", "near"))
    assert code_of("scripts/job.py") == ["scripts/job.py", *tool]


def test_a_program_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="none.py"):
        code_of("scripts/none.py")


def test_a_digest_is_of_names_and_contents_alone(scripts: Path) -> None:
    file = scripts / "a.txt"
    file.write_text("one")
    first = digest("scripts/a.txt")
    os.utime(file, (0, 0))
    digest.cache_clear()
    assert digest("scripts/a.txt") == first
    file.write_text("two")
    digest.cache_clear()
    assert digest("scripts/a.txt") != first
    (scripts / "b.txt").write_text("one")
    assert digest("scripts/b.txt") != first

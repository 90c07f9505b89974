"""Every rule sees the code that it runs, and no module goes unseen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from labs.setup.sources import code_of
from tests.workflow.checkout import ROOT

RULES = sorted((ROOT / "workflow" / "rules").glob("*.smk"))
# What only the Snakefile itself imports.
OF_THE_SNAKEFILE = {
    f"scripts/labs/{name}.py" for name in ("__init__", "config", "devices", "sources")
}


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    code_of.cache_clear()
    monkeypatch.chdir(ROOT)


def test_a_rule_names_the_code_of_the_program_that_it_runs() -> None:
    text = "\n".join(path.read_text() for path in RULES)
    named = re.findall(r'code_of\("(scripts/\w+\.py)"\)', text)
    run = re.findall(r"python (scripts/\w+\.py)", text)
    assert named == run != []


def test_every_module_belongs_to_a_program() -> None:
    programs = [str(path) for path in Path("scripts").glob("*.py")]
    seen = {file for program in programs for file in code_of(program)} | OF_THE_SNAKEFILE
    modules = {str(path) for path in Path("scripts").rglob("*.py")}
    assert modules - seen == set()


def test_measuring_depends_on_no_code_that_reports() -> None:
    for program in Path("scripts").glob("measure_*.py"):
        assert not [file for file in code_of(str(program)) if "scripts/reporting/" in file]

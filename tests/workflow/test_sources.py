"""Every rule has the code that it runs as input, and every module is used."""

from __future__ import annotations

import os
import re
from modulefinder import ModuleFinder
from pathlib import Path

import pytest

from labs.setup.sources import code_of
from tests.workflow.checkout import ROOT

RULES = sorted((ROOT / "workflow" / "rules").rglob("*.smk"))


def of_the_snakefile(folder: Path) -> set[str]:
    """The modules that the Snakefile and the rules import, directly or not."""
    text = "\n".join(path.read_text() for path in [ROOT / "Snakefile", *RULES])
    imports = folder / "imports.py"
    imports.write_text("\n".join(re.findall(r"^from labs\.[\w.]+ import .*", text, re.M)))
    finder = ModuleFinder(path=["scripts"])
    finder.run_script(str(imports))
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    return {os.path.relpath(file) for file in files if file}


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    code_of.cache_clear()
    monkeypatch.chdir(ROOT)


def test_every_rule_runs_a_program_whose_code_it_knows() -> None:
    text = "\n".join(path.read_text() for path in RULES)
    run = re.findall(r"\bpython (.*) \\\n", text)
    assert set(run) == {"scripts/run_unchanged.py {log:q} {params.program:q}"}


def test_every_module_belongs_to_a_program_or_to_the_snakefile(tmp_path: Path) -> None:
    programs = [str(path) for path in Path("scripts").glob("*.py")]
    seen = {file for program in programs for file in code_of(program)} | of_the_snakefile(tmp_path)
    # Snakemake imports it.
    seen |= set(code_of("scripts/snakemake_logger_plugin_labs/__init__.py"))
    modules = {str(path) for path in Path("scripts").rglob("*.py")}
    assert modules - seen == set()


@pytest.mark.parametrize("program", ["train_lora", "train_base_model", "train_winner"])
def test_training_does_not_depend_on_the_clock(program: str) -> None:
    """An edit of how times are taken would change its digest, and train for hours again."""
    code = code_of(f"scripts/{program}.py")
    assert "scripts/labs/models/training.py" in code
    assert "scripts/labs/measure/clock.py" not in code


def test_measuring_depends_on_no_code_that_reports_nor_on_all_settings() -> None:
    for program in Path("scripts").glob("measure_*.py"):
        code = code_of(str(program))
        assert not [file for file in code if "scripts/reporting/" in file]
        assert "scripts/labs/setup/settings.py" not in code

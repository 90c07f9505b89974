"""A program's sources are the modules beside it that it imports; rules have them as input."""

import os
import re
from functools import cache
from pathlib import Path

import pytest

from labs.setup.sources import code_of, digest, files_of, forget
from tests.shipped import ROOT


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of scripts with a package, in the working directory."""
    forget()
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
    forget()
    assert digest("scripts/a.txt") == first
    file.write_text("two")
    forget()
    assert digest("scripts/a.txt") != first
    (scripts / "b.txt").write_text("one")
    assert digest("scripts/b.txt") != first


EXPERIMENTS = "scripts/labs/experiments"
RULES = sorted((ROOT / "workflow" / "rules").rglob("*.smk"))

# The rules that train, quantize, prune or search.
SEARCHING = {"search_architectures", "evaluate_architecture", "train_winner", "search_lab_space"}
TRAINING = {"train_base_model", "train_lora", "quantize_model", "prune_model", "search_precisions"}
TRAINING |= SEARCHING
REPORTING = {"evaluate_records", "draw_figures", "render_html", "render_pdf"}

# Modules of labs, and the rules that run them, but for those that report.
USED: dict[str, set[str]] = {
    "experiments/compilation/lab/observe": {"measure_compilation"},
    "experiments/compilation/modes/observe": {"measure_compilation_modes"},
    "experiments/fusion/attention/observe": {"measure_fusion"},
    "experiments/fusion/sizes": {"measure_fusion"},
    "experiments/graphs/passes": {"trace_graphs"},
    "experiments/mxint8/costs": {"measure_mxint8_linear"},
    "experiments/compression/pruning/observe": {"prune_model"},
    "experiments/lora/speed/observe": {"measure_lora_speed"},
    "experiments/lora/training/observe": {"train_lora"},
    "models/pruned": {"prune_model", "measure_compression_speed", *SEARCHING},
    "studies/study": {"search_precisions", "search_architectures", "search_lab_space"},
    "analysis/statistics": set(),
    "analysis/accuracy": set(),
    "experiments/compression/pruning/values": set(),
    "experiments/compression/pruning/claims": set(),
    "experiments/fusion/attention/values": set(),
    "experiments/lora/claims": set(),
    "experiments/lora/figures": set(),
}
# Modules that time.
TIMING = [
    f"measure/{name}" for name in ("clock", "events", "throttling", "rounds", "processes", "worker")
]


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    monkeypatch.chdir(ROOT)


@cache
def code() -> dict[str, list[str]]:
    text = "".join(path.read_text() for path in RULES)
    modules: dict[str, list[str]] = {}
    for body in re.split(r"^(?:use )?rule ", text, flags=re.M)[1:]:
        # "name", or of a rule that has the rest of another: "other as name with"
        *other, name = body.partition(":")[0].removesuffix(" with").split(" as ")
        if named := re.search(r"program=(unchanged|experiment)\((.*?)\),\n", body, re.S):
            words = re.findall(r'"([^"]+)"', named[2].replace("{EXPERIMENTS}", EXPERIMENTS))
            observe = [f"{EXPERIMENTS}/{words[0]}/observe.py"]
            modules[name] = observe if named[1] == "experiment" else words
        elif other and other[0] in modules:
            modules[name] = modules[other[0]]
    return {rule: code_of(*given) for rule, given in modules.items()}


def users(module: str) -> set[str]:
    """The rules that run a module, but for those that report."""
    path = f"scripts/labs/{module}.py"
    assert Path(path).exists()
    return {rule for rule, files in code().items() if path in files} - REPORTING


def test_a_rule_names_the_code_of_the_program_that_it_runs() -> None:
    text = "\n".join(path.read_text() for path in RULES)
    run = re.findall(r"\bpython (.*) \\\n", text)
    assert set(run) == {"scripts/run_unchanged.py {log:q} {params.program:q}"}


@pytest.mark.parametrize("module", USED)
def test_a_module_belongs_to_the_rules_that_run_it(module: str) -> None:
    assert users(module) == USED[module]


@pytest.mark.parametrize("module", TIMING)
def test_what_times_belongs_to_no_rule_that_trains(module: str) -> None:
    """An edit of how times are taken would change its digest, and train for hours again."""
    assert code().keys() >= TRAINING
    assert "measure_fusion" in users(module)
    assert users(module) & TRAINING == set()


def test_every_module_belongs_to_a_program_or_to_the_snakefile(tmp_path: Path) -> None:
    kinds = ("sizes", "names", "observe", "values", "claims", "figures")
    found = [f"{EXPERIMENTS}/**/{kind}.py" for kind in kinds]
    text = "\n".join(path.read_text() for path in [ROOT / "Snakefile", *RULES])
    imports = tmp_path / "imports.py"
    imports.write_text("\n".join(re.findall(r"^from labs\.[\w.]+ import .*", text, re.M)))
    seen = {str(file) for file in files_of(imports, Path("scripts"))}
    # Snakemake imports its plugin.
    plugin = "scripts/snakemake_logger_plugin_labs/__init__.py"
    seen |= {*code_of("scripts/*.py", *found), *code_of(plugin)}
    modules = {str(path) for path in Path("scripts").rglob("*.py") if path.stat().st_size}
    assert modules - seen == set()


def test_measuring_depends_on_no_code_that_reports_nor_on_all_settings() -> None:
    for module in Path(EXPERIMENTS).rglob("observe.py"):
        code = code_of(str(module))
        assert not [file for file in code if re.search("reporting/|figures|claims|values.py", file)]
        assert "scripts/labs/setup/settings.py" not in code


def test_what_experiments_share_imports_none_of_them() -> None:
    experiments = Path(EXPERIMENTS)
    folders = {path for path in experiments.parent.iterdir() if path.is_dir()} - {experiments}
    # The weights that BERT-tiny is trained from are set beside the presets.
    modules = {path for folder in folders for path in folder.rglob("*.py")}
    modules -= {experiments.parent / "setup" / "settings.py"}
    assert [str(path) for path in modules if "from labs.experiments" in path.read_text()] == []

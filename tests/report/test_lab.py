"""What the lab ran stands beside what the presets and this run do."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from reporting.lab import AS_THE_LAB, Lab, LabRun, Size, shown
from reporting.reading import read_lab_sizes
from tests.report import quick
from tests.report.evidence import Inputs, claim, plain
from tests.report.test_draft import box_of
from tests.unit.test_settings import LEAVES

LAB_SIZES = quick.ROOT / "report" / "lab_sizes.yaml"
CONFIG = quick.ROOT / "config.yaml"
ENTRIES: dict[str, dict[str, Any]] = yaml.safe_load(LAB_SIZES.read_text(encoding="utf-8"))
ANSWERS = sorted((quick.ROOT / "report" / "templates" / "answers").glob("*.j2"))
QUESTIONS = yaml.safe_load((quick.ROOT / "report" / "questions.yaml").read_text(encoding="utf-8"))
CHECK = re.compile(r"as the lab|checked: .+|not checked: .+|exact: depends on no size")
OTHER_SIZES = "At the lab's sizes: not checked: other sizes."


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_an_entry_says_what_was_run_and_whether_it_was_checked(question: dict[str, Any]) -> None:
    entry = ENTRIES[question["id"]]
    assert list(entry) == ["lab", "sizes", "check"]
    assert entry["lab"].endswith(".")
    assert CHECK.fullmatch(entry["check"])
    assert not (entry["sizes"] and entry["check"].startswith("exact"))
    for name, value in entry["sizes"].items():
        setting = LEAVES.get(f"presets.quick.{name}") or LEAVES[name]
        assert [fault.text for fault in setting.faults(value, ())] == []


def test_what_is_called_as_the_lab_is_so_in_quick() -> None:
    runs = read_lab_sizes(LAB_SIZES, CONFIG, "quick").runs
    differing = [name for name, run in runs.items() if run.check == AS_THE_LAB and run.other]
    assert differing == []


def beside(html: str, question: str) -> str:
    """What stands at the end of an answer of its sizes and the lab's."""
    return box_of(html, question).partition("Beside the lab")[2].partition("Published")[0].strip()


def test_an_answer_ends_with_its_sizes_and_the_labs_and_says_what_was_checked() -> None:
    html = Inputs().render()
    assert beside(html, "lab4-1a") == (
        "Here (there): kernels.rate 0.001 (0.00005). As there: kernels.shape 32, 8; "
        "seed 42. At the lab's sizes: not checked: an hour."
    )
    assert beside(html, "lab4-1b").endswith("At the lab's sizes: not measured.")


@pytest.mark.parametrize(
    ("preset", "changed", "ends"),
    [
        ("quick", [], "As there: kernels.shape 32, 8. At the lab's sizes: as the lab."),
        ("quick", ["kernels.shape=[4, 8]"], f"kernels.shape 4, 8 (32, 8). {OTHER_SIZES}"),
        ("smoke", [], f"kernels.shape 2, 8 (32, 8). {OTHER_SIZES}"),
    ],
)
def test_what_is_as_the_lab_in_quick_may_differ(preset: str, changed: list[str], ends: str) -> None:
    claims = [claim(), claim(id="cuda-faster", question="lab4-1b", device="cuda")]
    says = '{{ say("cuda-faster") }}'
    inputs = Inputs(claims=claims, compile="", cuda=says, verdict=None, changed=changed)
    assert beside(inputs.render(preset), "lab4-1b").endswith(ends)


def test_a_check_prints_a_value_of_this_run() -> None:
    inputs = Inputs()
    inputs.lab_sizes["lab4-1a"]["check"] = "checked: {gain:point}"
    assert beside(inputs.render(), "lab4-1a").endswith("checked: 1.27×.")


def test_the_tables_hold_every_question_and_every_preset() -> None:
    text = plain(Inputs(changed=["kernels.rate=0.01"]).render())
    assert "1a Five calls.not checked: an hour" in text
    assert "1b The same.not measured" in text
    assert "3a Words.exact: depends on no size" in text
    assert "SettingQuestionsLab smoke quick full" in text
    assert "kernels.shape1a, 1b 32, 8 2, 8 32, 8 32, 8" in text
    assert "kernels.rate1a 0.00005 0.1 0.01 0.00005" in text, "quick has this run's value"


def test_a_long_list_is_told_by_its_ends() -> None:
    assert shown([0.1, 0.2, 0.3, 0.4]) == "0.1, 0.2, 0.3, 0.4"
    assert shown([1, 2, 3, 4, 8]) == "5 from 1 to 8"


def test_a_choice_of_several_may_hold_more_than_the_labs() -> None:
    runs = read_lab_sizes(LAB_SIZES, CONFIG, "quick").runs
    assert "fusion.dtypes" in [size.setting for size in runs["lab4-2a"].same]
    # A shape is no choice of several.
    smoke = read_lab_sizes(LAB_SIZES, CONFIG, "smoke").runs
    assert "fusion.shape" in [size.setting for size in smoke["lab4-2a"].other]


def test_a_setting_of_this_run_is_told_by_its_record() -> None:
    shape = '{{ setting("kernels", "cpu", "shape") }}'
    init = '{% if setting("search.init") == "random" %}At random.{% endif %}'
    html = Inputs(compile=shape, cuda=init, verdict=None).render()
    assert "32, 8" in box_of(html, "lab4-1a")
    assert "At random." in box_of(html, "lab4-1b")


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.name)
def test_an_answer_says_what_was_set_and_not_what_would_be(path: Path) -> None:
    assert "config.yaml" not in path.read_text(encoding="utf-8")


def test_a_size_that_did_not_fit_stands_as_it_was_run() -> None:
    size = Size("compilation.batch-size", 128, {"quick": 128}, 128)
    lab = Lab(("quick",), {"lab4-1a": LabRun("It ran.", (size,), AS_THE_LAB)})
    record = {"compilation.cpu.batch-size": "64", "compilation.cpu.asked-batch-size": "128"}
    (found,) = lab.as_run(record).runs["lab4-1a"].other
    assert (found.lab, found.here) == (128, 64)
    assert lab.as_run(record | {"compilation.cpu.batch-size": "128"}) == lab

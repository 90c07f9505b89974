"""What the lab ran stands beside what the presets and this run do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.setup.section import Section, Setting
from labs.setup.settings import SETTINGS, SIZES
from reporting import ReportError
from reporting.lab import AS_THE_LAB, Lab, LabRun, Size, shown
from reporting.reading import read_lab_sizes
from tests.report import quick
from tests.report.evidence import ON_CUDA, Inputs, claim, plain
from tests.report.test_draft import box_of, drafted

LAB_SIZES = quick.ROOT / "report" / "lab_sizes.yaml"
CONFIG = quick.ROOT / "config.yaml"
ENTRIES: dict[str, dict[str, Any]] = yaml.safe_load(LAB_SIZES.read_text(encoding="utf-8"))
ANSWERS = sorted((quick.ROOT / "report" / "templates" / "answers").glob("*.j2"))
QUESTIONS = yaml.safe_load((quick.ROOT / "report" / "questions.yaml").read_text(encoding="utf-8"))
NAMED = [(question, name) for question, entry in ENTRIES.items() for name in entry["sizes"]]
CHECK = re.compile(r"as the lab|checked: .+|not checked: .+|exact: depends on no size")


def described(name: str) -> Setting | Section:
    """What settings.py says of a setting below a preset, or at the top."""
    first, *rest = name.split(".")
    found = SIZES.keys.get(first) or SETTINGS.keys[first]
    for part in rest:
        assert isinstance(found, Section), name
        found = found.keys[part]
    return found


def test_every_question_has_an_entry() -> None:
    assert list(ENTRIES) == [question["id"] for question in QUESTIONS]


@pytest.mark.parametrize("question", ENTRIES)
def test_an_entry_says_what_was_run_and_whether_it_was_checked(question: str) -> None:
    entry = ENTRIES[question]
    assert list(entry) == ["lab", "sizes", "check"]
    assert entry["lab"].endswith(".")
    assert CHECK.fullmatch(entry["check"])
    assert not (entry["sizes"] and entry["check"].startswith("exact"))


@pytest.mark.parametrize(("question", "name"), NAMED)
def test_the_labs_value_is_one_that_the_setting_may_have(question: str, name: str) -> None:
    setting = described(name)
    assert isinstance(setting, Setting)
    assert [fault.text for fault in setting.faults(ENTRIES[question]["sizes"][name], ())] == []


def test_what_is_called_as_the_lab_is_so_in_quick() -> None:
    runs = read_lab_sizes(LAB_SIZES, CONFIG, "quick").runs
    differing = [name for name, run in runs.items() if run.check == AS_THE_LAB and run.other]
    assert differing == []


def test_a_setting_that_does_not_exist_is_named(tmp_path: Path) -> None:
    inputs = Inputs()
    inputs.lab_sizes["lab4-1a"]["sizes"]["kernels.shpae"] = 1
    with pytest.raises(ReportError, match=r"lab_sizes\.yaml: lab4-1a: 'kernels.shpae'"):
        inputs.render(tmp_path)


def test_a_question_without_an_entry_is_named(tmp_path: Path) -> None:
    inputs = Inputs()
    del inputs.lab_sizes["lab4-3a"]
    with pytest.raises(ReportError, match="lab4-3a"):
        inputs.render(tmp_path)


def beside(html: str, question: str) -> str:
    """What stands at the end of an answer of its sizes and the lab's."""
    return box_of(html, question).partition("Beside the lab")[2].partition("Published")[0].strip()


def test_an_answer_ends_with_its_sizes_and_the_labs(tmp_path: Path) -> None:
    assert beside(Inputs().render(tmp_path), "lab4-1a") == (
        "Here (there): kernels.rate 0.001 (0.00005). As there: kernels.shape 32, 8; "
        "seed 42. At the lab's sizes: not checked: an hour."
    )


def test_an_answer_that_is_not_measured_has_checked_nothing(tmp_path: Path) -> None:
    ends = beside(Inputs().render(tmp_path), "lab4-1b")
    assert ends.endswith("At the lab's sizes: not measured.")


@pytest.mark.parametrize(
    ("preset", "changed", "ends"),
    [
        ("quick", [], "As there: kernels.shape 32, 8. At the lab's sizes: as the lab."),
        (
            "quick",
            ["kernels.shape=[4, 8]"],
            "kernels.shape 4, 8 (32, 8). At the lab's sizes: not checked: other sizes.",
        ),
        (
            "smoke",
            [],
            "kernels.shape 2, 8 (32, 8). At the lab's sizes: not checked: other sizes.",
        ),
    ],
)
def test_what_is_as_the_lab_in_quick_need_not_be_so_here(
    tmp_path: Path, preset: str, changed: list[str], ends: str
) -> None:
    claims = [claim(), claim(id="cuda-faster", question="lab4-1b", device="cuda")]
    answers = {"compile.html.j2": "", "cuda.html.j2": '{{ say("cuda-faster") }}'}
    inputs = Inputs(claims=claims, answers=answers, verdict=None, changed=changed)
    assert beside(inputs.render(tmp_path, preset), "lab4-1b").endswith(ends)


def test_a_check_prints_a_value_of_this_run(tmp_path: Path) -> None:
    inputs = Inputs()
    inputs.lab_sizes["lab4-1a"]["check"] = "checked: {gain:point}"
    assert beside(inputs.render(tmp_path), "lab4-1a").endswith("checked: 1.27×.")


def test_the_tables_hold_every_question_and_every_preset(tmp_path: Path) -> None:
    inputs = Inputs(changed=["kernels.rate=0.01"])
    text = plain(inputs.render(tmp_path))
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
    assert "fusion.shape" in [
        size.setting for size in read_lab_sizes(LAB_SIZES, CONFIG, "smoke").runs["lab4-2a"].other
    ]


def test_a_setting_of_this_run_is_told_by_its_record(tmp_path: Path) -> None:
    answers = {"compile.html.j2": '{{ setting("kernels", "cpu", "shape") }}'}
    answers["cuda.html.j2"] = '{% if setting("search.start") == "words" %}By words.{% endif %}'
    html = Inputs(answers=answers, verdict=None, claims=[claim(), ON_CUDA]).render(tmp_path)
    assert "32, 8" in box_of(html, "lab4-1a")
    assert "By words." in box_of(html, "lab4-1b")


def test_an_unknown_setting_is_named(tmp_path: Path) -> None:
    inputs = Inputs(answers={"compile.html.j2": '{{ setting("search.stort") }}'})
    with pytest.raises(ReportError, match="there is no setting 'search.stort'"):
        inputs.render(tmp_path)


def test_a_draft_says_which_setting_it_lacks(tmp_path: Path) -> None:
    answers = {"compile.html.j2": '{{ setting("kernels.shape") }}', "cuda.html.j2": ""}
    html = drafted(
        tmp_path,
        claims=[claim(id="other", question="lab4-3a", contradicts=[]), ON_CUDA],
        answers=answers,
        verdict=None,
    )
    assert "there is no setting &#39;kernels.shape&#39;" in box_of(html, "lab4-1a")


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

"""The two hand-written inputs of the report: the questions and the published statements."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from reporting.evidence import Question
from reporting.reading import read_published, read_questions

REPORT = Path(__file__).parents[2] / "report"
# Readers refuse what has no id of its own, or is about something that is not there.
QUESTIONS = read_questions(REPORT / "questions.yaml")
STATEMENTS = read_published(REPORT / "published.yaml", {question.id for question in QUESTIONS})
PUBLISHED: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (REPORT / "published.yaml").read_text("utf-8")
)
# Graphs are made on the CPU, and accuracies hold for any device. In questions 1 and 2 of Lab 4,
# part a is about the CPU and part b about CUDA; question 3 is about a GPU, and about a format.
DEVICES = {"lab0": {"cpu"}, "lab0-3": {"any"}, "lab1": {"any"}, "lab2": {"any"}, "lab3": {"any"}}
DEVICES |= {"lab4-1a": {"cpu"}, "lab4-1b": {"cuda"}, "lab4-2a": {"cpu"}, "lab4-2b": {"cuda"}}
DEVICES |= {"lab4": {"cuda", "any"}}


def test_all_questions_are_there() -> None:
    assert " ".join(question.id.removeprefix("lab") for question in QUESTIONS) == (
        "0-data 0-1 0-1-task 0-2 0-3 0-4 1-1 1-1b 1-1c 1-2 2-1 2-1b 2-2 3-1 3-2 3-2b 3-2c "
        "4-1a 4-1b 4-2a 4-2b 4-3a 4-3b 4-3c 4-3d"
    )


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_a_question_is_quoted_or_described_and_has_an_answer(question: Question) -> None:
    assert question.id.startswith(f"lab{question.lab}-")
    assert question.title and question.source
    assert bool(question.text) != bool(question.asks)
    assert question.text or question.lab != 4, "the sheet of Lab 4 is quoted"
    assert question.verdict
    assert (REPORT / "templates" / question.answer).is_file()


@pytest.mark.parametrize(
    "statement", PUBLISHED["statements"], ids=lambda statement: statement["id"]
)
def test_a_statement_says_what_it_is_of_and_where_measured(statement: dict[str, Any]) -> None:
    assert statement["id"].startswith(f"{statement['report']}-")
    required = {"id", "report", "question", "device", "quote", "says", "hardware"}
    assert required <= statement.keys() <= required | {"values", "doubt", "about", "conditions"}
    assert all(statement[key] for key in statement)
    question = statement["question"]
    assert statement["device"] in DEVICES.get(question, DEVICES[question.partition("-")[0]])
    for value in statement.get("values", []):
        assert value.keys() == {"name", "value", "unit"}
        assert value["unit"] in {"s", "ratio", "count", "share", "J", "µm²"}
        assert value["value"] > 0


def test_every_report_has_a_statement() -> None:
    reports = [report["id"] for report in PUBLISHED["reports"]]
    assert sorted(reports) == sorted({statement["report"] for statement in PUBLISHED["statements"]})


@pytest.mark.parametrize("row", PUBLISHED["compared"], ids=lambda row: row["here"])
def test_what_is_compared_was_published_as_a_number(row: dict[str, Any]) -> None:
    assert row["published"]
    for statement, name in row["published"].items():
        assert name in dict(STATEMENTS[statement].values)

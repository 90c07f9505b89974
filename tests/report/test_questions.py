"""The two hand-written inputs of the report: the questions and the published statements."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

REPORT = Path(__file__).parents[2] / "report"
QUESTIONS: list[dict[str, Any]] = yaml.safe_load((REPORT / "questions.yaml").read_text("utf-8"))
PUBLISHED: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (REPORT / "published.yaml").read_text("utf-8")
)

LAB4_QUESTIONS = [f"lab4-{number}" for number in ("1a", "1b", "2a", "2b", "3a", "3b", "3c", "3d")]
LAB0_GRAPHS = ["lab0-1", "lab0-1-task", "lab0-2", "lab0-4"]
LAB1 = ["lab1-1", "lab1-1b", "lab1-1c", "lab1-2"]
LAB0 = ["lab0-data", "lab0-1", "lab0-1-task", "lab0-2", "lab0-3", "lab0-4"]
LAB2 = ["lab2-1", "lab2-1b", "lab2-2"]
LAB3 = ["lab3-1", "lab3-2", "lab3-2b", "lab3-2c"]
ANSWERED = [*LAB0, *LAB1, *LAB2, *LAB3, *LAB4_QUESTIONS]
# Graphs are made on the CPU, and accuracies hold for any device. In questions 1 and 2 of Lab 4,
# part a is about the CPU and part b about CUDA; question 3 is about a GPU, and about a format.
DEVICES = dict.fromkeys(LAB0_GRAPHS, "cpu") | dict.fromkeys(["lab0-3", *LAB1, *LAB2, *LAB3], "any")
DEVICES |= {"lab4-1a": "cpu", "lab4-1b": "cuda", "lab4-2a": "cpu", "lab4-2b": "cuda"}
OF_QUESTION_3 = {"cuda", "any"}

every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["id"])
every_statement = pytest.mark.parametrize(
    "statement", PUBLISHED["statements"], ids=lambda s: s["id"]
)


def repeated_ids(entries: list[dict[str, Any]]) -> list[str]:
    return [name for name, times in Counter(entry["id"] for entry in entries).items() if times > 1]


def test_ids_are_unique() -> None:
    assert repeated_ids(QUESTIONS) == []
    assert repeated_ids(PUBLISHED["reports"]) == []
    assert repeated_ids(PUBLISHED["statements"]) == []


def test_every_lab_is_present() -> None:
    assert {question["lab"] for question in QUESTIONS} == {0, 1, 2, 3, 4}


def test_lab_4_is_complete_and_quoted() -> None:
    lab4 = [question for question in QUESTIONS if question["lab"] == 4]
    assert [question["id"] for question in lab4] == LAB4_QUESTIONS
    assert all(question["text"] for question in lab4)


def test_answered_questions() -> None:
    assert [question["id"] for question in QUESTIONS if question["answer"]] == ANSWERED


@every_question
def test_question_fields(question: dict[str, Any]) -> None:
    assert question["id"].startswith(f"lab{question['lab']}-")
    assert question["title"]
    assert question["source"]


@every_question
def test_question_is_either_quoted_or_described(question: dict[str, Any]) -> None:
    assert bool(question["text"]) != bool(question.get("asks"))


@every_question
def test_question_has_an_answer_or_says_what_it_needs(question: dict[str, Any]) -> None:
    if question["answer"] is None:
        assert question["needs"]
    else:
        assert "needs" not in question
        assert question["verdict"]
        assert (REPORT / "templates" / question["answer"]).is_file()


@every_statement
def test_statement_refers_to_a_question_and_a_report(statement: dict[str, Any]) -> None:
    assert statement["question"] in {question["id"] for question in QUESTIONS}
    assert statement["report"] in {report["id"] for report in PUBLISHED["reports"]}
    assert statement["id"].startswith(f"{statement['report']}-")


@every_statement
def test_statement_fields(statement: dict[str, Any]) -> None:
    required = {"id", "report", "question", "device", "quote", "says", "hardware"}
    assert required <= statement.keys() <= required | {"values", "doubt", "conditions"}
    assert all(statement[key] for key in statement)
    if statement["question"] in DEVICES:
        assert statement["device"] == DEVICES[statement["question"]]
    else:
        assert statement["device"] in OF_QUESTION_3
    for value in statement.get("values", []):
        assert value.keys() == {"name", "value", "unit"}
        assert value["unit"] in {"s", "ratio", "count", "share", "J", "µm²"}
        assert value["value"] > 0


def test_every_report_has_a_statement() -> None:
    assert {report["id"] for report in PUBLISHED["reports"]} == {
        statement["report"] for statement in PUBLISHED["statements"]
    }


@pytest.mark.parametrize("row", PUBLISHED["compared"], ids=lambda row: row["here"])
def test_what_is_compared_was_published_as_a_number(row: dict[str, Any]) -> None:
    values = {
        statement["id"]: [value["name"] for value in statement.get("values", [])]
        for statement in PUBLISHED["statements"]
    }
    assert row["published"]
    assert all(name in values[statement] for statement, name in row["published"].items())

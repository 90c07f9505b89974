"""Readers of the files that a report is written from.

Every reader checks what it reads, and raises `ReportError` with the file and the field, because
some of these files are edited by hand.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

import yaml

from labs.setup.config import at_preset
from reporting import ReportError
from reporting.evidence import (
    VERDICTS,
    Claim,
    Difference,
    Evidence,
    Figure,
    Question,
    Statement,
    Table,
)
from reporting.lab import Lab, LabRun, Size
from reporting.text import Quantity

T = TypeVar("T")


def load(
    tables: Path,
    figures: Iterable[Path],
    claims: Path,
    questions: Path,
    published: Path,
    lab: Lab,
) -> Evidence:
    """Read a report's inputs: a folder of CSV files, SVG files, claims.json, and two YAML files.

    `lab` is what `read_lab_sizes` returns.
    """
    csvs = {path.stem: read_table(path) for path in sorted(tables.glob("*.csv"))}
    asked = read_questions(questions)
    ids = {question.id for question in asked}
    statements = read_published(published, ids)
    for question in asked:
        if question.id not in lab.runs:
            raise ReportError(f"there is no entry for {question.id} among the lab's sizes")
    evidence = Evidence(
        values=read_values(tables / "values.csv", csvs["values"]),
        tables=csvs,
        figures={path.stem: read_figure(path) for path in figures},
        claims=read_claims(claims, ids, statements),
        questions=asked,
        statements=statements,
        lab=lab,
        machine={row["key"]: row["value"] for row in csvs["machine"].rows},
    )
    return replace(evidence, lab=lab.as_run(evidence.settings))


def read_table(path: Path) -> Table:
    """Read a CSV file with a header line."""
    with _naming(path), path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        columns = tuple(reader.fieldnames or ())
        rows = tuple(reader)
    for line, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise ReportError(f"{path}: line {line} does not have {len(columns)} columns")
    return Table(path.stem, columns, rows)


def read_values(path: Path, table: Table) -> dict[str, Quantity]:
    """Return the quantities of `values.csv` by name."""
    values: dict[str, Quantity] = {}
    for row in table.rows:
        name = row.get("name") or ""
        if not name or name in values:
            raise ReportError(f"{path}: the name {name!r} is empty or occurs twice")
        with _naming(path, name):
            low, high = (float(row[key]) if row[key] else None for key in ("low", "high"))
            values[name] = Quantity(float(row["value"] or "nan"), low, high, row["unit"])
    return values


def read_figure(path: Path) -> Figure:
    """Read an SVG file and the alternative text from the JSON file beside it."""
    sidecar = path.with_suffix(".json")
    with _naming(sidecar):
        alt = json.loads(sidecar.read_text(encoding="utf-8"))["alt"]
    if not isinstance(alt, str) or not alt.strip():
        raise ReportError(f"{sidecar}: 'alt' is empty: a figure needs alternative text")
    with _naming(path):
        return Figure(path.stem, path.read_bytes(), alt)


def read_questions(path: Path) -> tuple[Question, ...]:
    """Read `questions.yaml`: the questions, in the order of the report."""
    questions = _each(path, _yaml(path), lambda entry: Question(**entry))
    _unique(path, (question.id for question in questions))
    return questions


def read_published(path: Path, questions: set[str]) -> dict[str, Statement]:
    """Read `published.yaml`: what each published report states, by id."""
    document = _yaml(path)
    with _naming(path):
        reports = {report["id"]: report for report in document["reports"]}
        entries = document["statements"]

    def statement(entry: dict[str, Any]) -> Statement:
        values = tuple(
            (value["name"], Quantity(value["value"], unit=value["unit"]))
            for value in entry.get("values") or ()
        )
        label = reports[entry["report"]]["label"]
        return _build(Statement, {"doubt": None, **entry, "label": label, "values": values})

    statements = _each(path, entries, statement)
    _unique(path, (statement.id for statement in statements))
    for found in statements:
        if found.question not in questions:
            raise ReportError(f"{path}: {found.id}: there is no question {found.question!r}")
    return {statement.id: statement for statement in statements}


def read_claims(
    path: Path, questions: set[str], statements: Mapping[str, Statement]
) -> tuple[Claim, ...]:
    """Read `claims.json`, checking verdicts, questions and contradicted statements."""
    with _naming(path):
        entries = json.loads(path.read_text(encoding="utf-8"))

    def claim(entry: dict[str, Any]) -> Claim:
        if entry["verdict"] not in VERDICTS:
            raise ValueError(f"verdict {entry['verdict']!r} is not one of {', '.join(VERDICTS)}")
        if entry["question"] not in questions:
            raise ValueError(f"there is no question {entry['question']!r}")
        estimate = None
        if entry["estimate"] is not None:
            low, high = entry["interval"] or (None, None)
            estimate = Quantity(entry["estimate"], low, high, entry["unit"])
        contradicts = tuple(statements[name] for name in entry["contradicts"])
        others = tuple(
            Difference(
                statements[name].id,
                setting,
                _in_words(value),
                _in_words(entry["conditions"][setting]),
            )
            for name, there in entry["other_sizes"].items()
            for setting, value in there.items()
        )
        found = {"estimate": estimate, "contradicts": contradicts, "other_sizes": others}
        return _build(Claim, {**entry, **found})

    claims = _each(path, entries, claim)
    _unique(path, (claim.anchor for claim in claims))
    return claims


def _in_words(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def read_lab_sizes(path: Path, config: Path, preset: str, changed: Iterable[str] = ()) -> Lab:
    """Read `lab_sizes.yaml`: what the lab ran, by question, beside the presets of `config.yaml`.

    `changed` is what this run, of the preset, sets otherwise, as `labs.setup.config.changed` says.
    """
    settings = _yaml(config)
    presets = {name: at_preset(settings, name) for name in settings["presets"]}
    given = (setting.partition("=") for setting in changed)
    here = presets[preset] | {name: json.loads(value) for name, _, value in given}
    runs: dict[str, LabRun] = {}
    for question, entry in _yaml(path).items():
        with _naming(path, question):
            sizes = tuple(
                Size(name, lab, {one: presets[one][name] for one in presets}, here[name])
                for name, lab in entry["sizes"].items()
            )
            runs[question] = LabRun(entry["lab"], sizes, entry["check"])
    return Lab(tuple(presets), runs)


def _yaml(path: Path) -> Any:
    with _naming(path):
        return yaml.safe_load(path.read_text(encoding="utf-8"))


def _each(path: Path, entries: Any, build: Callable[[dict[str, Any]], T]) -> tuple[T, ...]:
    """Build every entry of a list, naming the one that fails by its id."""
    built = []
    with _naming(path):
        for entry in entries:
            with _naming(path, entry["id"]):
                built.append(build(entry))
    return tuple(built)


def _build(kind: Callable[..., T], entry: Mapping[str, Any]) -> T:
    """Make a data class from an entry, ignoring keys that are not fields."""
    return kind(**{name: entry[name] for name in signature(kind).parameters})


def _unique(path: Path, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ReportError(f"{path}: {name} occurs twice")
        seen.add(name)


@contextmanager
def _naming(path: Path, entry: str | None = None) -> Iterator[None]:
    """Turn any error while reading into a `ReportError` that names the file and the entry."""
    where = f"{path}: {entry}" if entry else str(path)
    try:
        yield
    except ReportError:
        raise
    except KeyError as error:
        raise ReportError(f"{where}: {error} is missing or unknown") from error
    except OSError as error:
        raise ReportError(f"{where}: {error.strerror}") from error
    except (ValueError, TypeError, csv.Error, yaml.YAMLError) as error:
        raise ReportError(f"{where}: {error}") from error

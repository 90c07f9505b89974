"""Readers of the files that a report is written from.

Every reader checks what it reads, and raises `ReportError` with the file and the field, because
some of these files are edited by hand.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from inspect import signature
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import yaml

from labs.claims.claim import Claim
from labs.records.quantity import Quantity
from labs.setup.config import at_preset, whole_presets
from reporting import ReportError
from reporting.evidence import Evidence, Figure, Question, Statement, Table
from reporting.lab import Lab, LabRun, Size

T = TypeVar("T")


def load(
    tables: Path,
    figures: Iterable[Path],
    claims: Path,
    questions: Sequence[Path],
    published: Path,
    lab: Lab,
) -> Evidence:
    """Read a report's inputs: a folder of CSV files, SVG files, claims.json, and YAML files.

    Of `questions`, the first file has those of the labs, of which `lab`, as `read_lab_sizes`
    returns it, has an entry each. Others have those of single experiments.
    """
    csvs = {path.stem: read_table(path) for path in sorted(tables.glob("*.csv"))}
    labs, *others = [read_questions(path) for path in questions]
    if lacking := ", ".join({question.id for question in labs} - lab.runs.keys()):
        raise ReportError(f"there is no entry for {lacking} among the lab's sizes")
    ordered = sorted([*labs, *chain(*others)], key=attrgetter("lab"))
    ids = {question.id for question in ordered}
    statements = read_published(published, ids)
    evidence = Evidence(
        values=read_values(tables / "values.csv", csvs["values"]),
        tables=csvs,
        figures={path.stem: read_figure(path) for path in figures},
        claims=read_claims(claims, ids, statements),
        questions=tuple(ordered),
        statements=statements,
        reports=read_reports(published),
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
    return Table(columns, rows)


def read_values(path: Path, table: Table) -> dict[str, Quantity]:
    """Return the quantities of `values.csv` by name; what is lost is a gain below zero."""
    values: dict[str, Quantity] = {}
    for row in table.rows:
        name = row.get("name") or ""
        if not name or name in values:
            raise ReportError(f"{path}: the name {name!r} is empty or occurs twice")
        with _naming(path, name):
            cells = [row[column] for column in ("value", "low", "high")]
            values[name] = Quantity.read(cells, row["unit"]).as_gain()
    return values


def read_figure(path: Path) -> Figure:
    """Read an SVG file and the alternative text from the JSON file beside it."""
    sidecar = path.with_suffix(".json")
    with _naming(sidecar):
        alt = json.loads(sidecar.read_text(encoding="utf-8"))["alt"]
        if not isinstance(alt, str) or not alt.strip():
            raise ValueError("'alt' is empty: a figure needs alternative text")
    with _naming(path):
        return Figure(path.read_bytes(), alt)


def read_questions(path: Path) -> tuple[Question, ...]:
    """Read questions, in the order of the report."""
    return _each(path, _yaml(path), lambda entry: Question(**entry))


def read_published(path: Path, questions: set[str]) -> dict[str, Statement]:
    """Read `published.yaml`: what each published report states, by id."""
    document = _yaml(path)
    with _naming(path):
        labels = {report["id"]: report["label"] for report in document["reports"]}
        entries = document["statements"]

    def statement(entry: dict[str, Any]) -> Statement:
        _check_question(entry, questions)
        values = tuple(
            (value["name"], Quantity(value["value"], unit=value["unit"]))
            for value in entry.get("values") or ()
        )
        label = labels[entry["report"]]
        return _build(
            Statement, {"doubt": None, "about": "", **entry, "label": label, "values": values}
        )

    return {statement.id: statement for statement in _each(path, entries, statement)}


def read_reports(path: Path) -> dict[str, str]:
    """Read `published.yaml`: the hardware of each published report, by its label."""
    with _naming(path):
        return {report["label"]: report["hardware"] for report in _yaml(path)["reports"]}


def read_claims(
    path: Path, questions: set[str], statements: Mapping[str, Statement]
) -> tuple[Claim, ...]:
    """Read `claims.json`, checking verdicts, questions and contradicted statements."""
    with _naming(path):
        entries = json.loads(path.read_text(encoding="utf-8"))

    def claim(entry: dict[str, Any]) -> Claim:
        _check_question(entry, questions)
        for name in (*entry["contradicts"], *entry["other_sizes"]):
            _ = statements[name]
        found = Claim.read(entry)
        _ = found.differences
        return replace(found, estimate=found.estimate and found.estimate.as_gain())

    return _each(path, entries, claim, key=attrgetter("anchor"))


def read_lab_sizes(path: Path, config: Path, preset: str, changed: Iterable[str] = ()) -> Lab:
    """Read `lab_sizes.yaml`: what the lab ran, by question, beside the presets of `config.yaml`.

    `changed` is what this run, of the preset, sets otherwise, as `labs.setup.config.changed` says.
    """
    settings = whole_presets(_yaml(config))
    presets = {name: at_preset(settings, name) for name in settings["presets"]}
    given = (setting.partition("=") for setting in changed)
    here = presets[preset] | {name: json.loads(value) for name, _, value in given}
    runs: dict[str, LabRun] = {}
    for question, entry in _yaml(path).items():
        with _naming(path, question):
            sizes = tuple(
                Size(name, lab, {preset: presets[preset][name] for preset in presets}, here[name])
                for name, lab in entry["sizes"].items()
            )
            runs[question] = LabRun(entry["lab"], sizes, entry["check"])
    return Lab(tuple(presets), runs)


def _yaml(path: Path) -> Any:
    with _naming(path):
        return yaml.safe_load(path.read_text(encoding="utf-8"))


def _check_question(entry: Mapping[str, Any], questions: set[str]) -> None:
    if entry["question"] not in questions:
        raise ValueError(f"there is no question {entry['question']!r}")


def _each(
    path: Path,
    entries: Any,
    build: Callable[[dict[str, Any]], T],
    key: Callable[[Any], str] = attrgetter("id"),
) -> tuple[T, ...]:
    """Build every entry of a list, whose keys differ; errors name the entry by its id."""
    built: dict[str, T] = {}
    with _naming(path):
        for entry in entries:
            with _naming(path, entry["id"]):
                item = build(entry)
                if built.setdefault(key(item), item) is not item:
                    raise ValueError("it occurs twice")
    return tuple(built.values())


def _build(kind: Callable[..., T], entry: Mapping[str, Any]) -> T:
    """Make a data class from an entry, ignoring keys that are not fields."""
    return kind(**{name: entry[name] for name in signature(kind).parameters})


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
    except (OSError, ValueError, TypeError, csv.Error, yaml.YAMLError) as error:
        raise ReportError(f"{where}: {getattr(error, 'strerror', error)}") from error

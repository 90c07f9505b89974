"""Reading records back, checked by ``workflow/schemas/record.schema.yaml``."""

import json
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from labs.records.record import Record

SCHEMA = Path(__file__).parents[3] / "workflow" / "schemas" / "record.schema.yaml"


class RecordError(ValueError):
    """A record that cannot be used; the message names the file and the field."""


def read(path: Path) -> Record:
    """Return a file's record; raise RecordError, naming file and field, if it is invalid."""
    try:
        text = path.read_text(encoding="utf-8")
        record: Record = json.loads(text, parse_constant=_refuse)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(
            f"{path}: is not JSON ({error}); delete it to measure it again"
        ) from error
    problem = jsonschema.exceptions.best_match(_validator().iter_errors(record))
    if problem is not None:
        field = ".".join(str(part) for part in problem.absolute_path) or "the record"
        raise RecordError(
            f"{path}: field {field}: {problem.message[:300]}; delete the file to measure it again"
        )
    return record


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


@contextmanager
def using(path: Path | str) -> Iterator[None]:
    """Name a record that passes the schema, and of which something needs more than it has.

    Raises RecordError, with the error behind it as its cause.
    """
    try:
        yield
    except RecordError:
        raise
    except Exception as error:
        what = " ".join([str(error), *getattr(error, "__notes__", ())])
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if "experiments" in frame.filename] or frames
        where = Path(own[-1].filename)
        raise RecordError(
            f"{path}: {where.parent.name}/{where.name}, line {own[-1].lineno}, cannot read it "
            f"({type(error).__name__}: {' '.join(what.split())[:200]}); if the code is right, "
            "delete the file to measure it again"
        ) from error


@cache
def _validator() -> Any:
    return jsonschema.Draft202012Validator(yaml.safe_load(SCHEMA.read_text()))

"""Reading records back, checked by ``workflow/schemas/record.schema.yaml``."""

from __future__ import annotations

import json
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
        record: Record = json.loads(path.read_text())
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
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


@cache
def _validator() -> Any:
    return jsonschema.Draft202012Validator(yaml.safe_load(SCHEMA.read_text()))

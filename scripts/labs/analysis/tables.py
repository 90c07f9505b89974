"""All tables of a run, which the report quotes, draws and prints, as data frames by file name."""

from collections.abc import Mapping
from dataclasses import astuple
from pathlib import PurePath

import pandas as pd

from labs.analysis import published
from labs.analysis.timing import timing_table
from labs.evaluation import Evaluated, analyses, prefixes
from labs.records.reading import using
from labs.records.record import MEASURED, NO_CLUSTER, NOT_RECORDED, NOT_REPORTED, OWN, Record
from labs.setup.spelled import spelled

MACHINE = (
    ("host",),
    ("system",),
    ("processor",),
    ("microcode", "caches"),
    ("clock_source", "governor", "hypervisor"),
    ("cores",),
    ("usable_cores", "cores_limited_by"),
    ("threads",),
    ("vector_extensions",),
    ("memory_bytes", "memory_limited_by"),
    ("compiler",),
    ("python",),
    ("node",),
    ("changes",),
)
"""Fields of a record's environment that the machine table shows as they are, by its rows."""


def tables(
    evaluated: Mapping[str, Evaluated], commands: Mapping[str, str]
) -> dict[str, pd.DataFrame]:
    """Return every table by name.

    What was ``evaluated``, and the ``commands`` that measure it again, are keyed by the records'
    paths.  A table without records has neither rows nor columns; the report's claims say why.
    Raises RecordError, which names the file, for a record that is incomplete.
    """
    measured = {
        path: found.record
        for path, found in evaluated.items()
        if found.record["status"] == MEASURED
    }
    values = value_table(evaluated)
    made: dict[str, list[pd.DataFrame]] = {
        name: [] for analysis in analyses() for name in analysis.table_names
    }
    for path, found in evaluated.items():
        with using(path):
            for name, table in found.tables.items():
                made[name].append(table)
    return {
        "values": values,
        "published": published.compared(values),
        "machine": _machine(list(measured.values())),
        "timing": timing_table(measured.values()),
        "settings": _settings(measured),
        "jobs": pd.DataFrame(
            {
                "record": path,
                "command": commands[path],
                "status": found.record["status"],
                "values": " ".join(prefixes(found.record)),
            }
            for path, found in evaluated.items()
        ),
        **{
            name: pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
            for name, parts in made.items()
        },
    }


def value_table(evaluated: Mapping[str, Evaluated]) -> pd.DataFrame:
    """Return one row per value that the report may quote; ``evidence`` is its record's path."""
    rows = [
        (name, *astuple(value), path)
        for path, found in evaluated.items()
        for name, value in found.values.items()
    ]
    columns = ["name", "value", "low", "high", "freedom", "unit", "evidence"]
    return pd.DataFrame(rows, columns=columns)


def _machine(measured: list[Record]) -> pd.DataFrame:
    """Return one row per fact about the machine; where records differ, every answer is shown.

    These are for the report's title: machine, started (when the first record was, or its first
    part), measured (when the last one was finished), commit, unlike, if processors of several kinds
    are known to have measured, and beside, if some experiments were timed where other jobs of a
    cluster may have run.
    """
    if not measured:
        none = [("machine", "none has measured yet"), ("measured", "nothing"), ("commit", "none")]
        return pd.DataFrame(none, columns=["key", "value"])
    environments = [record["environment"] for record in measured]

    def answers(*keys: str) -> str:
        found = []
        for environment in environments:
            for key in keys:
                environment = environment.get(key, {})
            # A record that is gathered from parts may have several answers already.
            found += str(environment or NOT_RECORDED).split("; ")
        return "; ".join(dict.fromkeys(found))

    gpus = dict.fromkeys(
        environment["gpu"]["name"] for environment in environments if "gpu" in environment
    )
    kind = answers("processor")
    kind = f"kind {kind}" if kind in (NOT_REPORTED, NOT_RECORDED) else kind
    cores = max(environment["usable_cores"] for environment in environments)
    rows = [
        ("machine", ", ".join([f"{answers('cpu')} ({kind})", f"{cores:g} cores", *gpus])),
        ("started", min(record["started"] for record in measured)),
        ("measured", max(record["finished"] for record in measured)),
        ("commit", answers("commit")),
    ]
    rows += [(", ".join(keys), ", ".join(map(answers, keys))) for keys in MACHINE]
    packages = dict.fromkeys(name for found in environments for name in found["packages"])
    rows += [(name, answers("packages", name)) for name in packages]
    if gpus:
        facts = dict.fromkeys(key for found in environments for key in found.get("gpu", ()))
        rows += [(f"GPU {key}", answers("gpu", key)) for key in facts]
    loads = [
        load[when]["load_1min"]
        for record in measured
        for load in record["loads"]
        for when in ("before", "after")
    ]
    rows.append(("highest load average around a process", f"{max(loads):.2f}"))
    submitted = {job for found in environments for job in found["allocation"].split("; ")}
    if jobs := submitted - {"none"}:
        rows.append(("SLURM jobs", str(len(jobs))))
    kinds = [one for one in answers("processor").split("; ") if one != NOT_RECORDED]
    if len(kinds) > 1:
        rows.append(("unlike", "; ".join(kinds)))
    timed = [record for record in measured if record["samples"]]
    # On a cluster such a job did not have all cores of its node, or cannot tell.
    shared = [
        one for one in timed if one["environment"].get("node", NO_CLUSTER) not in (OWN, NO_CLUSTER)
    ]
    if beside := [record["experiment"] for record in shared]:
        rows.append(("beside", ", ".join(dict.fromkeys(beside))))
    return pd.DataFrame(rows, columns=["key", "value"]).drop_duplicates("key")


def _settings(measured: Mapping[str, Record]) -> pd.DataFrame:
    """Return one row per setting of a record, by the record's name: search, or fusion.cpu."""
    rows = [
        (_name(path, record), key.replace("_", "-"), spelled(value))
        for path, record in measured.items()
        for key, value in record["spec"].items()
        if key not in ("device", "model")
    ]
    return pd.DataFrame(rows, columns=["record", "setting", "value"])


def _name(path: str, record: Record) -> str:
    """Return a record's name: that of its experiment, which has several where devices differ."""
    device = record["device"] if PurePath(path).stem == record["device"] else ""
    return ".".join(filter(None, (record["experiment"], device)))

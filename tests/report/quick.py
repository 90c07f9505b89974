"""A real run of quick, kept as its records: what the report's answers are read on.

It was made in one go, 2026-11-28, on two cores of an AMD EPYC of family 25, model 17 (Zen 4).

`PYTHONPATH=scripts python -m tests.report.quick results/quick/records` keeps another run.
"""

import subprocess
import sys
import zipfile
from pathlib import Path

from reporting.evidence import Evidence
from reporting.reading import load, read_lab_sizes

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("quick.zip")
RECORDS = Path("results/quick/records")


def keep(records: Path, kept: Path = KEPT) -> None:
    """Keep the records of a run, without times: equal runs make equal files."""
    with zipfile.ZipFile(kept, "w") as archive:
        for path in sorted(records.rglob("*.json")):
            entry = zipfile.ZipInfo(str(RECORDS / path.relative_to(records)))
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_LZMA)


def unpack(folder: Path, kept: Path = KEPT) -> list[Path]:
    """Return the paths of a kept run's records, unpacked below a folder."""
    with zipfile.ZipFile(kept) as archive:
        archive.extractall(folder)
    return sorted((folder / RECORDS).rglob("*.json"))


def tabulate(folder: Path) -> None:
    """Make the kept run's tables, figures and claims, with the programs that the workflow runs."""
    records = [str(path) for path in unpack(folder)]
    tables, figures = str(folder / "tables"), str(folder / "figures")
    for program, *arguments in (
        ["evaluate_records", "--records", *records, "--command", "make"]
        + ["--claims", str(folder / "claims.json"), "--tables", tables],
        ["draw_figures", "--tables", tables, "--devices", "cpu", "--output-dir", figures],
    ):
        subprocess.run([sys.executable, f"scripts/{program}.py", *arguments], cwd=ROOT, check=True)


def evidence(folder: Path) -> Evidence:
    return load(
        folder / "tables",
        sorted((folder / "figures").glob("*.svg")),
        folder / "claims.json",
        [ROOT / "report" / "questions.yaml"],
        ROOT / "report" / "published.yaml",
        read_lab_sizes(ROOT / "report" / "lab_sizes.yaml", ROOT / "config.yaml", "quick"),
    )


if __name__ == "__main__":
    keep(Path(sys.argv[1]))

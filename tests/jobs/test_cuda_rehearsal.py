"""This shows nothing about a GPU: programs run whole with --device cuda, on the CPU.

It finds wrong names, missing arguments, tensors left on the other device, records that the schema
refuses, and claims and templates that fail on records of CUDA: see rehearsal/sitecustomize.py.
"""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from labs.evaluation import evaluate
from labs.experiments.base_model import sizes as base_model
from labs.experiments.precision import names as precision
from labs.experiments.search import names as search
from labs.records.reading import read
from labs.setup.discovery import jobs
from tests import made_up
from tests.jobs.programs import ROOT, run
from tests.shipped import SHIPPED
from tests.unit import kept

MODEL = base_model.Model.section().meaning
REHEARSAL = Path(__file__).with_name("rehearsal")
RECORDS = Path("results/smoke/records")
PARTS = Path("results/smoke/parts")
SIZES: dict[str, Any] = {
    "max-length": 16,
    "base-model": {"reviews": 64, "held-out": 32},
    "lora": {"layers": 1},
    "compression": {"reviews": 32, "held-out": 32, "epochs": [1]},
    "search": {"max-length": 16, "reviews": 32, "held-out": 32, "sampler-seeds": 2},
    "precision": {"held-out": 32, "trial-reviews": 32, "reviews": 32},
    "compilation": {"batch-size": 2},
    "fusion": {
        "shape": [1, 2, 16, 8],
        "lengths": [16],
        "counts": [5],
        "linear-shape": [16, 16, 16],
    },
    "mxint8": {"kernels": {"elements": 2**16}},
}
"""Sizes smaller than those of smoke."""


def merged(whole: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """A preset, or a section, with other values of some keys."""
    return whole | {
        key: merged(whole[key], value) if isinstance(value, dict) else value
        for key, value in part.items()
    }


SMOKE = merged(SHIPPED["presets"]["smoke"], SIZES)


def words(values: dict[str, Any], prefix: str = "--") -> Iterator[str]:
    """Settings or files as arguments of a program."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from words(value, f"{prefix}{name}-")
        else:
            yield f"{prefix}{name}"
            yield from map(str, value if isinstance(value, list) else [value])


def replicate(number: int = 0, **more: str) -> dict[str, Any]:
    return {"replicate": number, **more}


# The programs, in an order in which each finds what it reads: the record, and arguments beside
# settings and files.
RUNS: list[tuple[str, Path, dict[str, Any]]] = [
    ("base_model", PARTS / "base_model/0.json", replicate(source="scratch", name="-")),
    ("compression/formats", PARTS / "formats/0.json", replicate()),
    ("compression/quantization", PARTS / "quantization/0.json", replicate()),
    ("compression/pruning", PARTS / "pruning/0.json", replicate()),
    ("compression/ranges", RECORDS / "ranges.json", {}),
    ("compression/speed", RECORDS / "compression_speed.json", {}),
    ("loops", RECORDS / "loops.json", {}),
    ("lora/training", PARTS / "lora/0.json", replicate()),
    ("lora/speed", PARTS / "lora/speed.json", {}),
    *(
        ("precision", PARTS / f"precision/{part}.0.json", replicate(part=part))
        for part in precision.PARTS
    ),
    ("search/architectures", PARTS / "search/0.json", replicate()),
    ("search/compression", PARTS / "search/test-0.json", replicate()),
    ("search/epochs", PARTS / "search/epochs-0.json", replicate()),
    *(
        ("search/lab_space", PARTS / f"search/lab-{sampler}-0.json", replicate(sampler=sampler))
        for sampler in search.LAB_SAMPLERS
    ),
    ("compilation/lab", RECORDS / "compilation/cuda.json", {}),
    ("compilation/modes", RECORDS / "compilation_modes/cuda.json", {}),
    ("fusion", RECORDS / "fusion/cuda.json", {}),
    ("mxint8/accuracy", PARTS / "mxint8_accuracy/0.json", replicate()),
    ("mxint8/formulas", RECORDS / "mxint8_formulas/cuda.json", {}),
    ("mxint8/kernels", RECORDS / "mxint8_kernels/cuda.json", {}),
    ("mxint8/linear", RECORDS / "mxint8_linear/cuda.json", {}),
    ("mxint8/memory", RECORDS / "mxint8_memory/cuda.json", {}),
]
NEVER_ON_CUDA = {"graphs", "reviews", "mxint8/partition"}


def arguments(program: str, record: Path, more: dict[str, Any], folder: Path) -> list[str]:
    """The words of a program's command, after the name of the program."""
    job = importlib.import_module(f"labs.experiments.{program.replace('/', '.')}.observe").JOB
    files = {
        "encoder": folder / "encoder",
        "model": folder / "model.safetensors",
        "parts": folder / PARTS / "search/0.json",
        "quantized": folder / "quantized.safetensors",
        "save-model": folder / "quantized.safetensors",
        "studies": folder / "studies",
        "tokens": folder / "tokens.parquet",
        "vocabulary": folder / "vocab.txt",
    }
    if program == "base_model":
        files["save-model"] = files["model"]
    settings = [section.values(SMOKE) for section in job.settings if section.meaning != MODEL]
    read = {name: path for name, path in files.items() if name in job.files}
    given = [*settings, read, more, {"device": "cuda", "threads": 1, "output": folder / record}]
    return [program, *(word for values in given for word in words(values))]


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which all programs have run."""
    folder = tmp_path_factory.mktemp("rehearsed")
    made_up.tokens(folder, 400)
    made_up.encoder(folder / "encoder")
    lines = [
        json.dumps([str(log_of(folder, record)), arguments(program, record, more, folder)])
        for program, record, more in RUNS
        if not program.startswith("mxint8/") or find_spec("mxint_cuda")
    ]
    done = subprocess.run(
        [sys.executable, REHEARSAL / "programs.py"],
        input="\n".join(lines),
        cwd=ROOT,
        env=rehearsing("MIG"),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def rehearsing(board: str) -> dict[str, str]:
    """The environment of a rehearsal on such a GPU."""
    paths = [str(REHEARSAL), str(ROOT / "scripts"), os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "REHEARSED_BOARD": board,
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
    }


def log_of(folder: Path, record: Path) -> Path:
    return folder / f"{record.parent.name}.{record.stem}.log"


def test_every_program_that_can_run_on_cuda_is_rehearsed() -> None:
    assert {program for program, *_ in RUNS} == {*jobs()} - NEVER_ON_CUDA


@pytest.mark.parametrize(
    ("program", "path"), [(program, record) for program, record, _ in RUNS], ids=str
)
def test_a_program_runs_whole_and_its_record_is_judged(
    program: str, path: Path, rehearsed: Path
) -> None:
    if program.startswith("mxint8/") and not find_spec("mxint_cuda"):
        pytest.skip("mxint_cuda is not built; make test-models builds it")
    assert (rehearsed / path).exists(), log_of(rehearsed, path).read_text()
    record = read(rehearsed / path)
    assert (record["status"], record["device"]) == ("measured", "cuda")
    assert record["environment"]["gpu"]["sm_clock_mhz"] == "not reported"
    if "records" in path.parts:
        assert evaluate(rehearsed / path)[1].claims


def test_a_report_is_rendered_with_records_of_cuda(rehearsed: Path, tmp_path: Path) -> None:
    """The others are a kept run's: those of the CPU, and what is counted."""
    for parts in (rehearsed / PARTS).iterdir():
        target = rehearsed / RECORDS / f"{parts.name}.json"
        run_here("gather_records.py", "--parts", *sorted(parts.iterdir()), "--output", target)
    records = tmp_path / "records"
    for name, text in kept.TEXTS.items():
        ours = rehearsed / RECORDS / f"{name}.json"
        path = records / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(ours.read_bytes() if ours.exists() else text)
    tables, figures, claims = tmp_path / "tables", tmp_path / "figures", tmp_path / "claims.json"
    own = ["--records", *sorted(records.rglob("*.json"))]
    run_here("evaluate_records.py", *own, "--claims", claims, "--tables", tables)
    both = ("--devices", "cpu", "cuda")
    run_here("draw_figures.py", "--tables", tables, *both, "--output-dir", figures)
    html = tmp_path / "report.html"
    run_here(
        "render_html.py",
        *("--tables", tables, "--claims", claims, "--preset", "smoke", "--output", html),
        *("--figures", *sorted(figures.glob("*.svg")), "--questions", "report/questions.yaml"),
        *("--published", "report/published.yaml", "--lab-sizes", "report/lab_sizes.yaml"),
        *("--config", "config.yaml", "--templates", "report/templates"),
        *("--style", "report/style", "--fonts", "report/fonts"),
    )
    assert "a rehearsed GPU" in html.read_text()


def run_here(program: str, *words: object) -> None:
    done = run(program, *words)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("board", "lacking"),
    [
        ("whole", set()),
        ("unified", {"memory_bytes"}),
        ("virtual", {"power_watts", "temperature_celsius"}),
        ("MIG", {"sm_clock_mhz", "memory_clock_mhz", "clock_events"}),
    ],
)
def test_what_a_board_does_not_report_is_not_reported(board: str, lacking: set[str]) -> None:
    ask = "import json; from labs.measure import gpu, throttling as t; t.throttled('cuda'); "
    command = [sys.executable, "-c", f"{ask}print(json.dumps(gpu.state()))"]
    done = subprocess.run(command, env=rehearsing(board), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    state = json.loads(done.stdout)
    assert {name for name, value in state.items() if value == "not reported"} == lacking

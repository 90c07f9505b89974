"""The training programs run on made-up reviews, and resume after being killed."""

import shlex
from pathlib import Path

import pytest

from labs.evaluation import evaluate
from labs.models import classifiers, fixed_point
from labs.records.reading import read
from tests import made_up
from tests.jobs.programs import evaluations, facts, finish, kill, start

BASE = shlex.split(
    "--source scratch --name - --max-length 32 --reviews all --held-out all --epochs 3 "
    "--batch-size 8 --learning-rate 0.002 --replicate 0 --device cpu --threads 1"
)
WAYS = shlex.split(
    "--init encoder --layers 1 --max-length 32 --batch-size 16 --rank 2 --alpha 4 "
    "--dropout 0.1 --sft-learning-rate 0.001 --lora-learning-rate 0.01 --device cpu --threads 1"
)
PRUNED = shlex.split(
    "--max-length 16 --held-out 40 --reviews 32 --learning-rates 0.001 --sparsities-trained 0.5 "
    "--replicate 0 --device cpu --threads 1"
)


def run(experiment: str, *words: object) -> str:
    """Run an experiment that must succeed; return its output."""
    return finish(start("run_experiment.py", experiment, *words))


def base(tokens: Path, folder: Path, least_accuracy: str = "0") -> list[object]:
    files = ["--save-model", folder / "model.safetensors", "--output", folder / "record.json"]
    return ["--tokens", tokens, *BASE, "--least-accuracy", least_accuracy, *files]


def lora(tokens: Path, folder: Path, replicate: int = 0) -> list[object]:
    files: list[object] = ["--encoder", made_up.encoder(folder / "encoder"), "--tokens", tokens]
    sizes = ["--reviews", "64", "--held-out", "32", "--replicate", str(replicate)]
    return [*files, *WAYS, *sizes, "--output", folder / f"{replicate}.json"]


@pytest.fixture(scope="module")
def lora_part(tokens: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of an uninterrupted training with SFT and LoRA."""
    folder = tmp_path_factory.mktemp("lora")
    run("lora/training", *lora(tokens, folder))
    return folder / "0.json"


def test_a_killed_base_model_resumes_and_ends_the_same(tokens: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run("base_model", *base(tokens, whole))
    process = start("run_experiment.py", "base_model", *base(tokens, killed))
    checkpoint = killed / "model.checkpoint"
    kill(process, checkpoint.exists)
    assert not (killed / "record.json").exists() and not (killed / "model.safetensors").exists()
    assert "resumes from its checkpoint" in run("base_model", *base(tokens, killed))
    weights = [(folder / "model.safetensors").read_bytes() for folder in (whole, killed)]
    assert weights[0] == weights[1]
    assert facts(whole / "record.json") == facts(killed / "record.json")
    assert evaluate(killed / "record.json")[1].claims
    assert {path.name for path in killed.iterdir()} == {"model.safetensors", "record.json"}
    assert classifiers.load(killed / "model.safetensors").config.hidden_size == 128


@pytest.mark.skipif("__import__('torch').cuda.is_available()", reason="there is a CUDA device")
def test_a_training_of_auto_runs_on_the_cpu_where_torch_cannot_use_the_gpu(
    tokens: Path, tmp_path: Path
) -> None:
    of_auto = ["--device", "cuda", "--without-cuda", "cpu", "--epochs", "1"]
    said = run("base_model", *base(tokens, tmp_path), *of_auto)
    assert "an NVIDIA GPU is there, but torch " in said and "; running on the CPU\n" in said
    assert read(tmp_path / "record.json")["device"] == "cpu"


def test_a_base_model_below_the_least_accuracy_is_refused(tokens: Path, tmp_path: Path) -> None:
    untaught = [*base(tokens, tmp_path, least_accuracy="1"), "--learning-rate", "1e-9"]
    process = start("run_experiment.py", "base_model", *untaught)
    said = process.communicate()[0]
    assert process.returncode == 1
    assert "below the 100% of base-model.least-accuracy in config.yaml" in said
    assert "Traceback" not in said
    assert not (tmp_path / "record.json").exists()


def test_sft_and_lora_leave_a_record_and_no_checkpoints(lora_part: Path) -> None:
    record = read(lora_part)
    assert {check["passed"] for check in record["checks"]} == {True}
    trained = {
        fact["arm"]: fact["value"]
        for fact in record["facts"]
        if fact["name"] == "trained parameters"
    }
    # One layer of hidden size 16: four square matrices, two of 16 by 32, and two normalisations.
    head = 2 * 16 + 2
    assert trained["SFT"] == 4 * (16 * 16 + 16) + 2 * 16 * 32 + 32 + 16 + 2 * 2 * 16 + head
    assert trained["LoRA"] == 2 * (4 * (16 + 16) + 2 * (16 + 32)) + head
    assert not list(lora_part.parent.glob("*.checkpoints"))


def test_killed_sft_and_lora_end_the_same(lora_part: Path, tokens: Path, tmp_path: Path) -> None:
    process = start("run_experiment.py", "lora/training", *lora(tokens, tmp_path))
    trained = tmp_path / "0.checkpoints" / "SFT, then LoRA.checkpoint"
    kill(process, trained.exists)
    said = run("lora/training", *lora(tokens, tmp_path))
    assert "[seed 42, SFT, then LoRA] resumes from its checkpoint" in said
    assert "is of another training" not in said
    whole, killed = read(lora_part), read(tmp_path / "0.json")
    assert killed["facts"] == whole["facts"]
    assert killed["checks"] == whole["checks"]


def pruned(tokens: Path, results: Path, preset: str, *untrained: str) -> Path:
    """The record of the pruning of a preset's models, which are the same in all."""
    models, record = results / preset / "models", results / preset / "parts" / "pruning.json"
    base, quantized = models / "base.safetensors", models / "quantized.safetensors"
    classifiers.save(classifiers.bert_tiny(0), base)
    fixed_point.save(classifiers.bert_tiny(0), "8:4", quantized)
    files = ["--tokens", tokens, "--model", base, "--quantized", quantized, "--output", record]
    files += ["--studies", results / "studies", "--sparsities-untrained", *untrained]
    run("compression/pruning", *files, *PRUNED)
    return record


def test_a_preset_makes_only_the_points_of_a_curve_that_no_other_has_made(
    tokens: Path, tmp_path: Path
) -> None:
    one = pruned(tokens, tmp_path, "one", "0.5")
    first = evaluations(tmp_path)
    other = pruned(tokens, tmp_path, "other", "0.5", "0.9")
    second = evaluations(tmp_path)
    assert first.items() < second.items(), "trained again"
    named = [read(record)["evaluations"] for record in (one, other)]
    assert named == [sorted(path.stem for path in made) for made in (first, second)]

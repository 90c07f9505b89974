"""Full fine-tuning (SFT) against LoRA, both from one start: question 0.3.

Every arm starts from the same classifier with frozen embeddings. SFT trains all the rest; LoRA
freezes it and trains the head and low-rank adapters beside each linear layer. The labs train LoRA
after SFT, so their LoRA accuracy is that of a second epoch; here a second epoch of SFT is trained
for comparison.
"""

import argparse
import copy
import shutil
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import nn

from labs.data.reviews import Batch, Reviews, load
from labs.experiments.lora import names, sizes
from labs.experiments.lora.adapters import as_mase_adapts, without_biases
from labs.experiments.lora.ways import Ways
from labs.jobs.arguments import arguments_for
from labs.jobs.job import Job
from labs.measure.correctness import compare
from labs.measure.memory import peak_bytes
from labs.models.classifiers import MeanPooled, trainable_parameters
from labs.models.evaluation import answers, predict
from labs.models.operators import operators
from labs.models.optimization import Plan, optimizer_of, update
from labs.models.training import seed_of, train
from labs.records.observations import Observations
from labs.setup.quantities import Limit

Model = TypeVar("Model", bound=nn.Module)


def observe(
    replicate: int,
    encoder: Path,
    tokens: Path,
    ways: Ways,
    reviews: Limit,
    held_out: Limit,
    seed: int,
    device: str,
    checkpoints: Path,
) -> Observations:
    """Train every arm with one seed; the test reviews are read only after all training.

    The numbers of reviews are those of the training split and of the test split.
    """
    seen = Observations(replicate)
    train_on = load(tokens, "train", ways.max_length, reviews, seed)
    seen.fact("reviews", len(train_on), "count", names.SFT, split="train")
    start = ways.start_model(encoder, seed)
    if replicate == 0:
        _observe_cost(seen, start, train_on, ways, seed, device)

    def trained(arm: str, model: Model, plan: Plan) -> Model:
        file, name = checkpoints / f"{arm}.checkpoint", f"seed {seed}, {arm}"
        train(model, train_on, plan, seed, device, file, depends_on=asdict(ways), name=name)
        return model

    tuned = trained(names.SFT, copy.deepcopy(start), ways.sft)
    adapted = trained(names.SFT_LORA, ways.adapted(tuned, seed), ways.lora)
    arms = {
        names.UNTRAINED: start,
        names.SFT: tuned,
        names.LORA: trained(names.LORA, ways.adapted(start, seed), ways.lora),
        names.SFT_LORA: adapted,
        names.SFT_SFT: trained(names.SFT_SFT, copy.deepcopy(tuned), ways.sft),
        names.NO_BIASES: without_biases(copy.deepcopy(tuned)),
        names.MASE: as_mase_adapts(copy.deepcopy(tuned), ways.rank, seed),
    }
    test = load(tokens, "test", ways.max_length, held_out)
    seen.fact("reviews", len(test), "count", names.SFT, split="test")
    for arm, model in arms.items():
        logits = predict(model, test, device)
        seen.fact("correct", answers(logits, test), "text", arm, split="test")
        if arm == names.SFT_LORA:
            unmerged = logits
    batch = test.batch(torch.arange(min(len(test), ways.batch_size)), device)
    computed = {names.SFT: operators(tuned, batch), names.UNMERGED: operators(adapted, batch)}
    merged = adapted.merge_and_unload()
    seen.check(names.MERGED, names.UNMERGED, compare(predict(merged, test, device), unmerged))
    computed[names.MERGED] = operators(merged, batch)
    for arm, calls in computed.items():
        seen.fact("operators", len(calls), "count", arm)
        seen.fact("same operators", int(calls == computed[names.SFT]), "count", arm)
    return seen


def _observe_cost(
    seen: Observations, start: MeanPooled, reviews: Reviews, ways: Ways, seed: int, device: str
) -> None:
    """Record what SFT and LoRA train, and the memory that they take beyond the model's."""
    longest = reviews.lengths.argsort(descending=True, stable=True)[: ways.batch_size]
    batch = reviews.batch(longest, device)
    for arm, plan in ((names.SFT, ways.sft), (names.LORA, ways.lora)):
        model = copy.deepcopy(start) if arm == names.SFT else ways.adapted(start, seed)
        model.to(device).train()
        added = [weight for name, weight in model.named_parameters() if "lora_B" in name]
        counts = {
            "trained parameters": trainable_parameters(model),
            "weights of B": sum(weight.numel() for weight in added),
            "weights of B not zero": sum(int(weight.count_nonzero()) for weight in added),
            "parameters": sum(weight.numel() for weight in model.parameters()),
        }
        for name, number in counts.items():
            seen.fact(name, number, "count", arm)
        peak = peak_bytes(partial(_update_twice, model, batch, plan), device)
        seen.fact("peak memory", peak, "bytes", arm)


def _update_twice(model: nn.Module, batch: Batch, plan: Plan) -> None:
    """Update a model; from the second time on, the optimizer has state."""
    optimizer = optimizer_of(model, plan)
    for _ in range(2):
        update(model, batch, optimizer, plan.clip)


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "ways": Ways(**arguments_for(arguments, Ways)),
        "seed": seed_of(arguments.seed, arguments.replicate),
        "checkpoints": arguments.output.with_suffix(".checkpoints"),
    }


JOB = Job(
    "lora",
    observe,
    sizes.TRAINING,
    files=("encoder", "tokens"),
    replicated=True,
    inputs=_inputs,
    finish=lambda arguments, inputs: shutil.rmtree(inputs["checkpoints"]),
)

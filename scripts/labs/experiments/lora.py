"""Full fine-tuning (SFT) against LoRA, both from one pretrained encoder: question 0.3.

Every arm starts from the same classifier with frozen embeddings. SFT trains all the rest; LoRA
freezes it and trains the head and low-rank adapters beside each linear layer. The labs train LoRA
after SFT, so their LoRA accuracy is that of a second epoch; here a second epoch of SFT is trained
for comparison.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import peft
import torch
from torch import nn

from labs.data.reviews import Batch, Reviews, load
from labs.measure.clock import Call
from labs.measure.correctness import compare
from labs.measure.memory import peak_bytes
from labs.models.classifiers import MeanPooled, on_encoder, trainable_parameters
from labs.models.evaluation import correct, predict
from labs.models.operators import operators
from labs.models.optimization import Plan, optimizer_of, update
from labs.models.training import train
from labs.records.answers import pack
from labs.records.names.lora import (
    LORA,
    MASE,
    MERGED,
    NO_BIASES,
    SFT,
    SFT_LORA,
    SFT_SFT,
    UNMERGED,
    UNTRAINED,
)
from labs.records.observations import Observations

MASE_ALPHA = 0.5
"""The default alpha of MASE's insertion pass, which does not read the labs' name for it."""


Model = TypeVar("Model", bound=nn.Module)


@dataclass(frozen=True)
class Adapters:
    """LoRA's rank, alpha (the adapters' outputs are scaled by alpha / rank) and dropout."""

    rank: int
    alpha: int
    dropout: float


@dataclass(frozen=True)
class Sizes:
    """Encoder layers, tokens per review, reviews for training and testing (None: all), plans."""

    layers: int
    max_length: int
    reviews: int | None
    held_out: int | None
    adapters: Adapters
    sft: Plan
    lora: Plan


def observe(
    replicate: int,
    encoder: Path,
    tokens: Path,
    sizes: Sizes,
    seed: int,
    device: str,
    checkpoints: Path,
) -> Observations:
    """Train every arm with one seed; the test reviews are read only after all training."""
    seen = Observations(replicate)
    reviews = load(tokens, "train", sizes.max_length, sizes.reviews, seed)
    seen.fact("reviews", len(reviews), "count", SFT, split="train")
    start = on_encoder(encoder, sizes.layers, seed)
    start.encoder.embeddings.requires_grad_(False)
    if replicate == 0:
        _observe_cost(seen, start, reviews, sizes, seed, device)

    def trained(arm: str, model: Model, plan: Plan) -> Model:
        file = checkpoints / f"{replicate}.{arm}.safetensors"
        (epoch,) = train(
            model,
            reviews,
            plan,
            seed,
            device,
            file,
            depends_on=asdict(sizes.adapters),
            name=f"seed {seed}, {arm}",
        )
        seen.sample("steady", arm, [epoch["seconds"] / len(reviews)], len(reviews))
        return model

    def adaptable(model: MeanPooled) -> peft.PeftModel:
        return with_adapters(copy.deepcopy(model), sizes.adapters, seed)

    tuned = trained(SFT, copy.deepcopy(start), sizes.sft)
    adapted = trained(SFT_LORA, adaptable(tuned), sizes.lora)
    arms = {
        UNTRAINED: start,
        SFT: tuned,
        LORA: trained(LORA, adaptable(start), sizes.lora),
        SFT_LORA: adapted,
        SFT_SFT: trained(SFT_SFT, copy.deepcopy(tuned), sizes.sft),
        NO_BIASES: without_biases(copy.deepcopy(tuned)),
        MASE: as_mase_adapts(copy.deepcopy(tuned), sizes.adapters.rank, seed),
    }
    test = load(tokens, "test", sizes.max_length, sizes.held_out)
    seen.fact("reviews", len(test), "count", SFT, split="test")
    for arm, model in arms.items():
        logits = predict(model, test, device)
        right = correct(logits, test)
        seen.fact("correct", pack(right.numpy()), "text", arm, split="test")
        if arm == SFT_LORA:
            unmerged = logits
    batch = test.batch(torch.arange(min(len(test), sizes.lora.batch_size)), device)
    computed = {SFT: operators(tuned, batch), UNMERGED: operators(adapted, batch)}
    whole = adapted.merge_and_unload()
    seen.check(MERGED, UNMERGED, compare(predict(whole, test, device), unmerged))
    computed[MERGED] = operators(whole, batch)
    for arm, found in computed.items():
        seen.fact("operators", len(found), "count", arm)
        seen.fact("same operators", int(found == computed[SFT]), "count", arm)
    return seen


def with_adapters(model: MeanPooled, adapters: Adapters, seed: int) -> peft.PeftModel:
    """Return the model with LoRA adapters beside every linear layer of its encoder.

    The adapters and the head are trained, all else is frozen. One matrix of each adapter starts at
    0, so its output does too; the seed decides the other matrix.
    """
    config = peft.LoraConfig(
        r=adapters.rank,
        lora_alpha=adapters.alpha,
        lora_dropout=adapters.dropout,
        target_modules=["query", "key", "value", "dense"],
        modules_to_save=["classifier"],
    )
    with _drawing_from(seed):
        adapted = peft.get_peft_model(model, config)
    assert isinstance(adapted, peft.PeftModel)
    return adapted


def without_biases(model: MeanPooled) -> MeanPooled:
    """Return the model with the biases of its linear layers set to 0."""
    for layer in model.modules():
        if isinstance(layer, nn.Linear) and layer.bias is not None:
            nn.init.zeros_(layer.bias)
    return model


def as_mase_adapts(model: MeanPooled, rank: int, seed: int) -> MeanPooled:
    """Return the model as MASE's insertion pass leaves it, before any training.

    The pass keeps the weights and drops the biases; both matrices of an adapter start random, so
    its output is not 0. It reads ``lora_alpha`` and ``lora_dropout``; the labs pass ``alpha`` and
    ``dropout``, which it ignores.
    """
    without_biases(model)
    with _drawing_from(seed):
        for layer in model.modules():
            if isinstance(layer, nn.Linear):
                down = nn.Linear(layer.in_features, rank, bias=False).weight.to(layer.weight)
                up = nn.Linear(rank, layer.out_features, bias=False).weight.to(layer.weight)
                layer.weight.data += MASE_ALPHA / rank * up.data @ down.data
    return model


@contextmanager
def _drawing_from(seed: int) -> Iterator[None]:
    """Draw from the seed alone, so that an arm starts the same whatever ran or was restored."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


def _observe_cost(
    seen: Observations,
    start: MeanPooled,
    reviews: Reviews,
    sizes: Sizes,
    seed: int,
    device: str,
) -> None:
    """Record what SFT and LoRA train, and the memory that they take beyond the model's."""
    longest = reviews.lengths.argsort(descending=True, stable=True)[: sizes.sft.batch_size]
    batch = reviews.batch(longest, device)
    for arm, plan in ((SFT, sizes.sft), (LORA, sizes.lora)):
        model = (
            copy.deepcopy(start)
            if arm == SFT
            else with_adapters(copy.deepcopy(start), sizes.adapters, seed)
        )
        model.to(device).train()
        seen.fact("trained parameters", trainable_parameters(model), "count", arm)
        added = [weight for name, weight in model.named_parameters() if "lora_B" in name]
        seen.fact("weights of B", sum(weight.numel() for weight in added), "count", arm)
        not_zero = sum(int(weight.count_nonzero()) for weight in added)
        seen.fact("weights of B not zero", not_zero, "count", arm)
        everything = sum(weight.numel() for weight in model.parameters())
        seen.fact("parameters", everything, "count", arm)
        seen.fact("peak memory", peak_bytes(updates(model, batch, plan), device), "bytes", arm)


def updates(model: nn.Module, batch: Batch, plan: Plan) -> Call:
    """Return a call that updates the model twice: from the second on, the optimizer has state."""

    def call() -> None:
        optimizer = optimizer_of(model, plan)
        for _ in range(2):
            update(model, batch, optimizer, plan.clip)

    return call

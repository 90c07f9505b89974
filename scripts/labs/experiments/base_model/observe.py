"""A base model: a BERT-tiny from which a chain of the compression labs starts."""

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import BertForSequenceClassification

from labs.data.reviews import Reviews, load
from labs.experiments.base_model import sizes
from labs.experiments.base_model.names import ARM, NO_MASK, PADDED
from labs.jobs.arguments import arguments_for
from labs.jobs.job import Job
from labs.models import checkpoints, classifiers
from labs.models.evaluation import answers, correct, predict_from_first
from labs.models.first_tokens import first_tokens_alone
from labs.models.optimization import Plan
from labs.models.training import seed_of, train
from labs.records.observations import Observations
from labs.setup.quantities import Limit


def observe(
    model: BertForSequenceClassification,
    tokens: Path,
    max_length: int,
    reviews: Limit,
    held_out: Limit,
    plan: Plan,
    least_accuracy: float,
    seed: int,
    replicate: int,
    device: str,
    checkpoint: Path,
) -> Observations:
    """Train the model in place; return its accuracy after each epoch, and its final answers.

    The answers to validation reviews that are padded are also those without an attention mask.
    ``reviews`` are for training, ``held_out`` those of each other split.
    Raises SystemExit when it ends below the least accuracy, since other experiments start from it.
    """
    seen, seed = Observations(replicate), seed_of(seed, replicate)
    train_on = load(tokens, "train", max_length, reviews, seed)
    validation = load(tokens, "validation", max_length, held_out)
    seen.fact("reviews", len(train_on), "count", ARM, split="train")
    seen.fact("parameters", classifiers.trainable_parameters(model), "count", ARM)

    def evaluate(trained: nn.Module) -> dict[str, Any]:
        logits = predict_from_first(trained, validation, device)
        return {"accuracy": correct(logits, validation).float().mean().item()}

    def judge(reviews: Reviews, split: str) -> None:
        seen.fact("reviews", len(reviews), "count", ARM, split=split)
        right = answers(predict_from_first(model, reviews, device), reviews)
        seen.fact("correct", right, "text", ARM, split=split)

    tensors = (validation.tokens, validation.lengths, validation.labels)
    with first_tokens_alone(model):
        history = train(
            model,
            train_on,
            plan,
            seed,
            device,
            checkpoint,
            evaluate=evaluate,
            depends_on={"validation": checkpoints.identity({}, tensors)},
            name=ARM,
        )
    for entry in history:
        epoch = entry["epoch"]
        seen.fact("accuracy", entry["accuracy"], "share", ARM, split="validation", epoch=epoch)
        # In bits per review: guessing costs one.
        seen.fact("loss", entry["loss"] / math.log(2), "bits", ARM, split="train", epoch=epoch)
    accuracy = history[-1]["accuracy"]
    if accuracy < least_accuracy:
        raise SystemExit(
            f"error: the base model's validation accuracy is {accuracy:.1%}, below the "
            f"{least_accuracy:.0%} of base-model.least-accuracy in config.yaml; "
            "train it on more reviews, for more epochs or at another learning rate"
        )
    judge(validation, "validation")
    # Those that are shorter than the longest, to whose length all are padded.
    longest = validation.tokens.shape[1]
    short = validation.lengths < longest
    if short.any():
        padded = Reviews(*(tensor[short] for tensor in tensors))
        judge(padded, PADDED)
        unmasked = replace(padded, lengths=torch.full_like(padded.lengths, longest))
        right = answers(predict_from_first(model, unmasked, device), unmasked)
        seen.fact("correct", right, "text", NO_MASK, split=PADDED)
    judge(load(tokens, "test", max_length, held_out), "test")
    return seen


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    seed = seed_of(arguments.seed, arguments.replicate)
    return {
        "model": classifiers.bert_tiny(seed)
        if arguments.source == "scratch"
        else classifiers.pretrained(arguments.name, seed),
        "plan": Plan(**arguments_for(arguments, Plan)),
        "checkpoint": arguments.save_model.with_suffix(".checkpoint"),
    }


def _finish(arguments: argparse.Namespace, inputs: dict[str, Any]) -> None:
    classifiers.save(inputs["model"], arguments.save_model)
    inputs["checkpoint"].unlink()


JOB = Job(
    "base_model",
    observe,
    (sizes.Model.section(), *sizes.SETTINGS),
    files=("tokens", "save-model"),
    replicated=True,
    inputs=_inputs,
    finish=_finish,
)

"""This project's training loop against transformers' Trainer: reviews per second, and accuracy.

Both train the same base model further, on the same reviews with the same optimizer, schedule and
batch size. They differ in the loop, and in which reviews share a batch. A training is short: what
differs by chance, such as the order of the reviews, averages out over processes, and over rounds.
"""

import math
import random
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import (
    BertForSequenceClassification,
    BertTokenizer,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
)

from labs.data.reviews import Reviews, load
from labs.data.tokens import LONGEST
from labs.experiments.loops import sizes
from labs.experiments.loops.names import OWN, TRAINER, TRAINER_GROUPED
from labs.jobs.timing import TimingJob
from labs.measure.call import Call
from labs.measure.rounds import interleave_fresh
from labs.models import classifiers
from labs.models.evaluation import answers, predict
from labs.models.optimization import Plan, one_cycle, optimizer_of
from labs.models.training import train
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations
from labs.setup.quantities import Limit

SAMPLING = {TRAINER: "random", TRAINER_GROUPED: "group_by_length"}
"""How Trainer puts reviews into batches."""
FEW = 16
"""Reviews of the trainings that warm up a process."""


def observe(
    process: int,
    model: str,
    tokens: str,
    vocabulary: str,
    rounds: int,
    reviews: Limit,
    held_out: Limit,
    batch_size: int,
    learning_rate: float,
    device: str,
    seed: int,
) -> Observations:
    """Return one process's observations: in every round each arm trained once, in random order.

    The reviews are the process's own, and every training of an arm, of one epoch, has
    another order of them. The first model of each arm is judged.
    """
    seen, plan, base = Observations(process), Plan(1, learning_rate, batch_size), Path(model)
    train_on = load(Path(tokens), "train", LONGEST, reviews, seed)
    validation = load(Path(tokens), "validation", LONGEST, held_out)

    def training(arm: str, model: BertForSequenceClassification, data: Reviews, order: int) -> Call:
        if arm in SAMPLING:
            return _trainer(model, data, plan, order, device, vocabulary, SAMPLING[arm])
        return lambda: train(model, data, plan, order, device, name=arm)

    # The first training of each kind in a process pays one-time costs.
    few = Reviews(train_on.tokens[:FEW], train_on.lengths[:FEW], train_on.labels[:FEW])
    for arm in (OWN, *SAMPLING):
        training(arm, classifiers.load(base), few, seed)()
    trained: dict[str, list[_Positions]] = {arm: [] for arm in (OWN, aa_arm(OWN), *SAMPLING)}

    def next_training(arm: str) -> Call:
        model = classifiers.load(base)
        order = seed + len(trained[arm])
        trained[arm].append(_Positions(model))
        return training(arm, model, train_on, order)

    timings = interleave_fresh(trained, next_training, rounds, random.Random(seed), device)
    for arm, trainings in trained.items():
        seen.timing(arm, timings[arm].each_of(len(train_on)))
        positions = sum(counter.seen for counter in trainings) / len(trainings)
        seen.fact("positions a token", positions / int(train_on.lengths.sum()), "ratio", arm)
        if arm != aa_arm(OWN):
            right = answers(predict(trainings[0].model, validation, device), validation)
            seen.fact("correct", right, "text", arm, split="validation")
    seen.fact("reviews", len(train_on), "count", OWN, split="train")
    return seen


def _trainer(
    model: BertForSequenceClassification,
    reviews: Reviews,
    plan: Plan,
    seed: int,
    device: str,
    vocabulary: str,
    sampling: str,
) -> Call:
    """Return a call that trains as the labs do: Trainer, padding each batch to its longest."""
    data = [
        {"input_ids": row[:length].tolist(), "label": int(label)}
        for row, length, label in zip(reviews.tokens, reviews.lengths, reviews.labels, strict=True)
    ]
    arguments = TrainingArguments(
        # Nothing is saved, but Trainer makes the folder; it is deleted after the process.
        output_dir=tempfile.gettempdir(),
        per_device_train_batch_size=plan.batch_size,
        num_train_epochs=plan.epochs,
        max_grad_norm=plan.clip,
        train_sampling_strategy=sampling,
        seed=seed,
        use_cpu=device == "cpu",
        save_strategy="no",
        logging_strategy="no",
        report_to=[],
        disable_tqdm=True,
    )
    optimizer = optimizer_of(model, plan)
    steps = math.ceil(len(data) / plan.batch_size) * plan.epochs
    trainer = Trainer(
        model,
        arguments,
        data_collator=DataCollatorWithPadding(BertTokenizer(vocab=vocabulary)),
        train_dataset=data,
        # Trainer takes any schedule of torch, whatever its annotation says.
        optimizers=(optimizer, one_cycle(optimizer, plan, steps)),  # type: ignore[arg-type]
    )
    return trainer.train


class _Positions:
    """Counts the positions that a BERT receives while it trains, padding included."""

    def __init__(self, model: BertForSequenceClassification) -> None:
        self.model, self.seen = model, 0
        model.bert.embeddings.word_embeddings.register_forward_hook(self._count)

    def _count(self, module: nn.Module, inputs: tuple[torch.Tensor, ...], _output: Any) -> None:
        self.seen += inputs[0].numel() if module.training else 0


JOB = TimingJob("loops", observe, sizes.SETTINGS, files=("model", "tokens", "vocabulary"))

"""The training loop of all labs: AdamW, a one-cycle schedule, batches of similar lengths.

The loop knows nothing of quantization, pruning or adapters: they are part of the model.  Only
parameters that require gradients change.

A killed training, started again with the same arguments, resumes from its last checkpoint.  On a
CPU its final weights equal those of an uninterrupted training bit for bit: batches depend only on
the seed and the epoch, and the checkpoint holds the rest.
"""

import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils.benchmark import timer

from labs.data.batches import batches
from labs.data.reviews import Reviews
from labs.models import checkpoints
from labs.models.optimization import Plan, one_cycle, optimizer_of, update

PROGRESS_SECONDS = 10.0

Entry = dict[str, Any]
Evaluate = Callable[[nn.Module], dict[str, Any]]


def train(
    model: nn.Module,
    reviews: Reviews,
    plan: Plan,
    seed: int,
    device: str,
    checkpoint: Path | None = None,
    *,
    evaluate: Evaluate | None = None,
    parts: int = 1,
    depends_on: Any = None,
    name: str = "training",
    checkpoint_seconds: float = 30.0,
) -> list[Entry]:
    """Train a classifier in place; return one entry per epoch, or per part of one.

    An entry has the number of its epoch, the mean loss and the loss of every batch in nats, and the
    training seconds.  An epoch is cut into ``parts``, at most as many as it has batches.
    ``evaluate`` is called with the model after each part; its result (JSON-serialisable) is added
    to the part's entry.  With a ``checkpoint`` file the training can be killed and restarted.
    ``depends_on`` (also JSON-serialisable) is whatever else the history depends on: if it differs
    from the checkpoint's, the training starts again.  The checkpoint of a finished training stays,
    so that a program of several trainings can resume; the caller deletes it.
    """
    return _Training(
        model, reviews, plan, seed, device, checkpoint, parts, depends_on, name, checkpoint_seconds
    ).run(evaluate)


@dataclass
class _Training:
    """One training: its parts and its progress."""

    model: nn.Module
    reviews: Reviews
    plan: Plan
    seed: int
    device: str
    checkpoint: Path | None
    parts: int
    depends_on: Any
    name: str
    checkpoint_seconds: float

    def __post_init__(self) -> None:
        self.model.to(self.device)
        self.optimizer = optimizer_of(self.model, self.plan)
        self.batches_an_epoch = math.ceil(len(self.reviews) / self.plan.batch_size)
        self.steps = self.plan.epochs * self.batches_an_epoch
        self.schedule = one_cycle(self.optimizer, self.plan, self.steps)
        self.parts = min(self.parts, self.batches_an_epoch)
        self.step = 0
        self.history: list[Entry] = []
        self.losses: list[torch.Tensor] = []
        self.seconds = 0.0
        self.identity = self._identity() if self.checkpoint else ""

    def run(self, evaluate: Evaluate | None) -> list[Entry]:
        """Train from the beginning or from the checkpoint; return the history."""
        torch.manual_seed(self.seed)
        self._restore()
        while not self._is_done():
            epoch, part = divmod(len(self.history), self.parts)
            end = (part + 1) * self.batches_an_epoch // self.parts
            self._train_part(epoch, end)
            losses = self._known_losses()
            entry = {
                "epoch": epoch + 1,
                "loss": sum(losses) / len(losses),
                "losses": losses,
                "seconds": self.seconds,
            }
            self.history.append(entry | (evaluate(self.model) if evaluate else {}))
            self._report_part()
            self.losses.clear()
            self.seconds = 0.0
            self._save()
        return self.history

    def _is_done(self) -> bool:
        return len(self.history) == self.plan.epochs * self.parts

    def _known_losses(self) -> list[float]:
        """Return the losses of this part's batches so far; it waits for the device."""
        return list(torch.stack(self.losses).tolist()) if self.losses else []

    def _train_part(self, epoch: int, end: int) -> None:
        """Train what is left of an epoch before its batch ``end``."""
        generator = torch.Generator().manual_seed(self.seed + epoch)
        todo = batches(self.reviews.lengths, self.plan.batch_size, generator)
        self.model.train()
        begun = reported = timer()
        for indices in todo[self.step - epoch * self.batches_an_epoch : end]:
            self._train_batch(indices)
            # torch's timer would synchronise with a CUDA device after every batch.
            now = time.perf_counter()
            if now - reported > PROGRESS_SECONDS:
                reported = now
                self._report_step(epoch, self.seconds + now - begun)
            if now - begun > self.checkpoint_seconds:
                self.seconds += timer() - begun
                self._save()
                begun = timer()
        self.seconds += timer() - begun

    def _train_batch(self, indices: torch.Tensor) -> None:
        batch = self.reviews.batch(indices, self.device)
        self.losses.append(update(self.model, batch, self.optimizer, self.plan.clip))
        self.schedule.step()
        self.step += 1

    def _identity(self) -> str:
        settings = {
            "plan": asdict(self.plan),
            "seed": self.seed,
            "device": self.device,
            "parts": self.parts,
            # Floating-point sums depend on the number of threads.
            "threads": torch.get_num_threads(),
            "names": list(self.model.state_dict()),
            "trainable": [w.requires_grad for w in self.model.parameters()],
            "depends on": self.depends_on,
        }
        data = (self.reviews.tokens, self.reviews.lengths, self.reviews.labels)
        return checkpoints.identity(settings, [*data, *self.model.state_dict().values()])

    def _save(self) -> None:
        """Write a checkpoint; a finished training's holds no optimizer or random state."""
        if self.checkpoint is None:
            return
        state: checkpoints.State = {
            "model": self.model.state_dict(),
            "step": self.step,
            "losses": self._known_losses(),
            "seconds": self.seconds,
            "history": self.history,
        }
        if not self._is_done():
            state["optimizer"] = self.optimizer.state_dict()
            state["schedule"] = self.schedule.state_dict()
            state["random"] = torch.get_rng_state()
            if self.device == "cuda":
                state["random on cuda"] = torch.cuda.get_rng_state()
        checkpoints.write(self.checkpoint, self.identity, state)

    def _restore(self) -> None:
        """Restore the checkpoint, if there is one of this training."""
        state = checkpoints.read(self.checkpoint, self.identity) if self.checkpoint else None
        if state is None:
            return
        self.model.load_state_dict(state["model"])
        self.step, self.history, self.seconds = state["step"], state["history"], state["seconds"]
        self.losses = list(torch.tensor(state["losses"], device=self.device))
        if not self._is_done():
            self.optimizer.load_state_dict(state["optimizer"])
            self.schedule.load_state_dict(state["schedule"])
            torch.set_rng_state(state["random"])
            if self.device == "cuda":
                torch.cuda.set_rng_state(state["random on cuda"])
        self._say(f"resumes from its checkpoint at batch {self.step}")

    def _report_step(self, epoch: int, seconds: float) -> None:
        done = len(self.losses)
        rate = done / seconds
        left = (self.steps - self.step) / rate
        batch = self.step - epoch * self.batches_an_epoch
        self._say(
            f"epoch {epoch + 1} of {self.plan.epochs}, batch {batch} of {self.batches_an_epoch}, "
            f"loss {sum(self._known_losses()) / done:.3f}, "
            f"{rate * self.plan.batch_size:.0f} reviews/s, about {left:.0f} s left"
        )

    def _report_part(self) -> None:
        numbers = {key: n for key, n in self.history[-1].items() if isinstance(n, float)}
        words = [f"{key} {number:.3f}" for key, number in numbers.items()]
        epochs = f"{len(self.history) / self.parts:g} of {self.plan.epochs}"
        self._say(f"epoch {epochs} done, {', '.join(words)}")

    def _say(self, words: str) -> None:
        print(f"[{self.name}] {words}", file=sys.stderr, flush=True)


SEEDS_APART = 1000
"""Between the seeds of replicates: a training counts on from its seed with every epoch."""


def seed_of(seed: int, replicate: int) -> int:
    """Return the seed of a replicate; the first one has the run's own."""
    return seed + SEEDS_APART * replicate

"""A classifier's answers, and which of them are correct."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from labs.data.reviews import Reviews
from labs.models.first_tokens import first_tokens_alone
from labs.records.packed import pack

PREDICTED_AT_ONCE = 32
"""Reviews: few enough that what a layer writes stays in a core's cache until the next reads it."""


@torch.no_grad()
def predict(model: nn.Module, reviews: Reviews, device: str) -> torch.Tensor:
    """Return a classifier's (n, 2) logits for all reviews, in their order, on the CPU."""
    was_training = model.training
    model.to(device).eval()
    order = reviews.lengths.argsort(stable=True)
    logits = torch.empty(len(reviews), 2)
    for indices in order.split(PREDICTED_AT_ONCE):
        batch = reviews.batch(indices, device)
        logits[indices] = model(batch.tokens, attention_mask=batch.mask).logits.float().cpu()
    model.train(was_training)
    return logits


def predict_from_first(model: nn.Module, reviews: Reviews, device: str) -> torch.Tensor:
    """Return what ``predict`` does, sooner, of a BERT that classifies by the first token.

    Its last layer computes few others: not for hooks that look at all tokens there, and not for a
    format whose blocks span several.
    """
    with first_tokens_alone(model):
        return predict(model, reviews, device)


def correct(logits: torch.Tensor, reviews: Reviews) -> torch.Tensor:
    """Return (n,) booleans: whether each review's label has the highest logit."""
    return logits.argmax(dim=1) == reviews.labels


def answers(logits: torch.Tensor, reviews: Reviews) -> str:
    """Return which reviews are classified correctly, packed for a record."""
    return pack(correct(logits, reviews).numpy())


def loss(logits: torch.Tensor, reviews: Reviews) -> float:
    """Return the mean cross-entropy of (n, 2) logits, in bits a review."""
    return F.cross_entropy(logits, reviews.labels).item() / math.log(2)

"""Tokenised reviews of one split, as tensors for training and evaluation."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from pyarrow import ArrowException, compute, parquet

from labs.files import reading
from labs.setup.quantities import Limit

ALL: Literal["all"] = "all"


@dataclass(frozen=True)
class Batch:
    """Reviews padded to the longest of the batch: (n, length) tokens and mask, (n,) labels.

    The mask is 1 at real tokens; a label is 1 for a positive review, 0 for a negative one.
    """

    tokens: torch.Tensor
    mask: torch.Tensor
    labels: torch.Tensor


@dataclass(frozen=True)
class Reviews:
    """Reviews of one split: (n, longest) tokens padded with 0, (n,) lengths and (n,) labels."""

    tokens: torch.Tensor
    lengths: torch.Tensor
    labels: torch.Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, indices: torch.Tensor, device: str) -> Batch:
        """Return the reviews at (n,) indices, padded to the longest of them, on a device."""
        lengths = self.lengths[indices]
        tokens = self.tokens[indices, : int(lengths.max())].long()
        mask = (torch.arange(tokens.shape[1]) < lengths[:, None]).long()
        return Batch(tokens.to(device), mask.to(device), self.labels[indices].to(device))


def load(path: Path, split: str, max_length: int, limit: Limit = ALL, seed: int = 42) -> Reviews:
    """Return the reviews of a split ("train", "validation" or "test"), cut to max_length tokens.

    ``path`` is the Parquet file that ``labs.data.tokens`` writes.  Truncated reviews keep their
    final [SEP], as with BERT's tokenizer.  With a limit, at most that many reviews are drawn at
    random: equal seeds give equal subsets, and a smaller limit gives a subset of a larger one's.
    Evaluation uses the default seed, whatever the training's, so that all models are evaluated on
    the same reviews.
    """
    with reading(path, ArrowException):
        table = parquet.read_table(path)
    table = table.filter(compute.equal(table["split"], split))
    if isinstance(limit, int) and limit < table.num_rows:
        order = torch.randperm(table.num_rows, generator=torch.Generator().manual_seed(seed))
        table = table.take(order[:limit].numpy())
    rows = [np.asarray(row, dtype=np.int32) for row in table["tokens"].to_numpy()]
    lengths = np.minimum([len(row) for row in rows], max_length)
    tokens = np.zeros((len(rows), lengths.max()), dtype=np.int32)
    for place, (row, length) in enumerate(zip(rows, lengths, strict=True)):
        tokens[place, :length] = row[:length]
        tokens[place, length - 1] = row[-1]
    return Reviews(
        torch.from_numpy(tokens),
        torch.from_numpy(lengths.astype(np.int64)),
        torch.from_numpy(table["label"].to_numpy().astype(np.int64)),
    )

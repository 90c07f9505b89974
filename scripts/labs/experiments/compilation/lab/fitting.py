"""The largest batch of the lab's model that a job's memory holds."""

import sys
from dataclasses import replace

import torch

from labs.experiments.compilation.workload import Workload
from labs.measure import gpu, limits

WORKING = 1.5
"""Memory at the peak of a call, as a multiple of what it keeps for the backward pass: 1.3 as
measured, since outputs and inputs of a layer exist beside it."""

RESERVED = 1.5e9
"""Bytes of Python, torch, the weights, and the compilers that Inductor starts."""


def largest_batch(asked: Workload, device: str) -> int:
    """Return how many images to run: those asked for, or as many as the job's memory holds.

    What counts is the memory that there is in all, so that other programs decide nothing.
    """
    total = limits.memory().amount if device == "cpu" else gpu.apart(gpu.total_memory)
    kept = bytes_kept(replace(asked, batch_size=1))
    fitting = max(1, min(asked.batch_size, int((total - RESERVED) / (WORKING * kept))))
    if fitting < asked.batch_size:
        needed = RESERVED + asked.batch_size * WORKING * kept
        print(
            f"{asked.batch_size} images need about {needed / 1e9:.1f} GB, "
            f"and this job has {total / 1e9:.1f}: running {fitting}",
            file=sys.stderr,
            flush=True,
        )
    return fitting


def bytes_kept(workload: Workload) -> int:
    """Return the bytes that a forward pass in the lab's mode keeps for the backward pass, beside
    the weights.
    """
    model, data = workload.build("cpu")
    kept: dict[int, int] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        # The output holds what is kept: none of its memory is used again meanwhile.
        output = model(data)
    for weight in (*model.parameters(), *model.buffers()):
        kept.pop(weight.untyped_storage().data_ptr(), None)
    del output
    return sum(kept.values())

"""Checkpoints of a training: one safetensors file, written atomically, without pickle.

A checkpoint holds all that the rest of the training depends on: weights, optimizer moments, the
random generators' states, and progress.  Its identity is a hash of model, data, plan and code; only
a training with the same identity resumes from it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes

from labs.files import write_bytes

SCRIPTS = Path(__file__).parents[2]
State = tuple[dict[str, torch.Tensor], dict[str, Any]]


def write(path: Path, identity: str, tensors: Mapping[str, torch.Tensor], progress: Any) -> None:
    """Write tensors and progress (JSON-serialisable) as the checkpoint of a training."""
    metadata = {"identity": identity, "progress": json.dumps(progress)}
    on_cpu = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_bytes(path, to_bytes(on_cpu, metadata))


def read(path: Path, identity: str) -> State | None:
    """Return a checkpoint's tensors and progress; None if there is none of this training."""
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError):
        metadata, tensors = {}, {}
    if metadata.get("identity") != identity:
        print(
            f"{path} is of another training (model, data, settings or code): starting again",
            file=sys.stderr,
        )
        return None
    return tensors, json.loads(metadata["progress"])


def identity(settings: Mapping[str, Any], tensors: Iterable[torch.Tensor]) -> str:
    """Return a hash of settings, of tensors, of torch's version and of this project's code."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    digest.update(torch.__version__.encode())
    for tensor in tensors:
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    for file in _code():
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _code() -> list[Path]:
    """Return the files of this project that the running program has imported, sorted."""
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    # The __file__ of modules that libraries make at run time is a name, not a path.
    paths = {Path(file).resolve() for file in files if file and Path(file).is_absolute()}
    return sorted(path for path in paths if path.is_relative_to(SCRIPTS))

"""Checkpoints of a training: one safetensors file, written atomically, without a pickle.

A checkpoint holds all that decides how the training goes on: weights, the optimizer's moments, the
state of the random generators, and how far it is. It names what it belongs to (model, data, plan,
code), and only the same training takes it up again.
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
    """Write tensors and progress (which fits JSON) as the checkpoint of a training."""
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
            f"{path} is of another training (its model, data, settings or code): starting anew",
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
    # Modules that a library makes at run time name files that are none, without a folder.
    paths = {Path(file).resolve() for file in files if file and Path(file).is_absolute()}
    return sorted(path for path in paths if path.is_relative_to(SCRIPTS))

"""Checkpoints of a training: one file, written atomically, and read without running its pickle.

A checkpoint holds all that the rest of the training depends on: the states of model, optimizer,
schedule and random generators, and progress.  Its identity is a hash of model, data, plan,
processor and code; only a training with the same identity resumes from it.
"""

import hashlib
import io
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

from labs.files import write_bytes
from labs.measure.processor import this_kind

SCRIPTS = Path(__file__).parents[2]
State = dict[str, Any]


def write(path: Path, identity: str, state: State) -> None:
    """Write the state of a training, of tensors and plain values, as its checkpoint."""
    content = io.BytesIO()
    torch.save({"identity": identity, "state": state}, content)
    write_bytes(path, content.getvalue())


def read(path: Path, identity: str) -> State | None:
    """Return the state that a checkpoint holds; None if there is none of this training."""
    if not path.exists():
        return None
    try:
        content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except (UnpicklingError, RuntimeError, EOFError, OSError):
        content = {}
    if content.get("identity") == identity:
        return State(content["state"])
    other = "of another training (model, data, settings, code or processor)"
    print(f"{path} is {other if content else 'damaged'}: starting again", file=sys.stderr)
    return None


def identity(settings: Mapping[str, Any], tensors: Iterable[torch.Tensor]) -> str:
    """Return a hash of settings, tensors, torch's version, kind of processor and our code."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    digest.update(f"{torch.__version__} {this_kind()}".encode())
    for tensor in tensors:
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    for file in _code():
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _code() -> list[Path]:
    """Return the files of this project that the running program has imported, sorted."""
    files = {str(getattr(module, "__file__", None)) for module in list(sys.modules.values())}
    # As texts: making paths of the thousands of files that are not ours takes a sixth of a second.
    return sorted(Path(file) for file in files if file.startswith(f"{SCRIPTS}/"))

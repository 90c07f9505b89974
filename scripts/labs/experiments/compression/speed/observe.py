"""What compression does to speed: fake-quantized training steps, and pruned models at inference.

Fake quantization computes in float32 and can only cost time.  Pruning saves time where matrices
become smaller, or where a product skips zeros.
"""

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from labs.data.reviews import Batch
from labs.experiments.compression import sizes
from labs.experiments.compression.speed import names
from labs.formats.integer import Integer
from labs.jobs.timing import TimingJob
from labs.measure.call import Call
from labs.measure.correctness import compare, require
from labs.measure.rounds import interleave
from labs.models.classifiers import bert_tiny
from labs.models.layers import linears
from labs.models.optimization import Plan, optimizer_of, update
from labs.models.pruned import make_permanent, prune_weights
from labs.models.quantized import quantize_linears, zero_share
from labs.models.structured_pruning import shrink
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations
from labs.records.rows import Case
from labs.records.timing import Timing

Time = Callable[[Mapping[str, Call]], Mapping[str, Timing]]
"""Interleaves the calls of all arms and times them."""

FORMAT = Integer(8, 4)


def observe(
    process: int,
    batch_size: int,
    sequence_length: int,
    hidden_sizes: Sequence[int],
    sparsities: Sequence[float],
    rounds: int,
    device: str,
    seed: int,
    converged: list[Case],
) -> Observations:
    """Return one process's observations of both parts, in random order.

    Of steps and inference, those that are ``converged`` are left out.
    """
    seen, rng = Observations(process), random.Random(seed)
    torch.manual_seed(seed)
    tokens = torch.randint(30_000, (batch_size, sequence_length), device=device)
    time = partial(interleave, rounds=rounds, rng=rng, device=device)
    parts: list[tuple[Case, Callable[..., None]]] = [
        ({"part": names.STEP, "hidden": hidden}, _observe_steps) for hidden in hidden_sizes
    ]
    parts.append(({"part": names.INFERENCE}, partial(_observe_pruned, sparsities=sparsities)))
    left = [part for part in parts if part[0] not in converged]
    for case, observe_part in rng.sample(left, len(left)):
        observe_part(seen, tokens, time, case)
    return seen


def _observe_steps(seen: Observations, tokens: torch.Tensor, time: Time, case: Case) -> None:
    """Time training steps of a 2-layer BERT, in float32 and fake-quantized."""
    hidden = case["hidden"]
    sizes = {"intermediate_size": 4 * hidden, "num_attention_heads": hidden // 64}
    original: nn.Module = bert_tiny(0, hidden_size=hidden, **sizes)
    original.to(tokens.device)
    config = {"name": "integer", **asdict(FORMAT)}
    models = {
        names.FLOAT32: original,
        names.FAKE: quantize_linears(copy.deepcopy(original), config),
        names.OPERATOR: _with_linears(copy.deepcopy(original), _TorchsLinear),
    }
    expected = models[names.FAKE].eval()(tokens).logits.double()
    result = compare(models[names.OPERATOR].eval()(tokens).logits, expected)
    seen.check(names.OPERATOR, names.FAKE, require(result, "quantized"), hidden=hidden)
    steps = {arm: _step(model.train(), tokens) for arm, model in models.items()}
    steps[aa_arm(names.FLOAT32)] = steps[names.FLOAT32]
    for arm, timing in time(steps).items():
        seen.timing(arm, timing, **case)


def _step(model: nn.Module, tokens: torch.Tensor) -> Call:
    """Return a training step as in ``labs.models.training``."""
    plan = Plan(epochs=1, learning_rate=1e-5)
    optimizer = optimizer_of(model, plan)
    labels = torch.arange(len(tokens), device=tokens.device) % 2
    batch = Batch(tokens, torch.ones_like(tokens), labels)
    return lambda: update(model, batch, optimizer, plan.clip)


class _TorchsLinear(nn.Linear):
    """A fake-quantized linear layer with torch's own operator, for comparison.

    The operator turns NaN into a number, and its gradient is zero where a value saturates.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__(linear.in_features, linear.out_features, device="meta")
        self.weight, self.bias = linear.weight, linear.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(self._quantize(x), self._quantize(self.weight), self._quantize(self.bias))

    @staticmethod
    def _quantize(x: torch.Tensor) -> torch.Tensor:
        half = 2 ** (FORMAT.width - 1)
        return torch.fake_quantize_per_tensor_affine(x, 2.0**-FORMAT.frac_width, 0, -half, half - 1)


class _SparseLinear(nn.Module):
    """A linear layer whose weight is stored without its zeros (compressed sparse rows)."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.weight, self.bias = linear.weight.detach().to_sparse_csr(), linear.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        product: torch.Tensor = (self.weight @ x.flatten(0, -2).T).T
        return product.reshape(*x.shape[:-1], -1) + self.bias


def _with_linears(model: nn.Module, make: Callable[[nn.Linear], nn.Module]) -> nn.Module:
    """Return the model with others in place of its linear layers."""
    for name, layer in linears(model).items():
        model.set_submodule(name, make(layer))
    return model


@torch.no_grad()
def _observe_pruned(
    seen: Observations,
    tokens: torch.Tensor,
    time: Time,
    case: Case,
    sparsities: Sequence[float],
) -> None:
    """Check and time BERT-tiny at inference: dense, and pruned in three ways."""
    dense = bert_tiny(0).eval()
    dense.to(tokens.device)
    weights = _weights(dense)
    arms: dict[str, nn.Module] = {names.DENSE: dense}
    cases: dict[str, Case] = {}
    for sparsity in sparsities:
        zeros = prune_weights(copy.deepcopy(dense), "l1", sparsity, "local", seed=0)
        make_permanent(zeros)
        smaller = shrink(copy.deepcopy(dense), sparsity)
        skipped = _with_linears(copy.deepcopy(zeros), _SparseLinear)
        models = {names.ZEROS: zeros, names.SKIPPED: skipped, names.SMALLER: smaller}
        for way, model in models.items():
            arm = names.pruned(way, sparsity)
            arms[arm], cases[arm] = model.to(tokens.device), {"way": way, "sparsity": sparsity}
            removed = 1 - _weights(smaller) / weights if way == names.SMALLER else zero_share(zeros)
            seen.fact("removed", removed, "share", arm, **cases[arm])
            same = copy.deepcopy(zeros if way == names.SKIPPED else model).double()
            result = compare(model(tokens).logits, same(tokens).logits)
            seen.check(arm, "float64", require(result, arm), **cases[arm])
    calls = {arm: partial(model, tokens) for arm, model in arms.items()}
    calls[aa_arm(names.DENSE)] = calls[names.DENSE]
    for arm, timing in time(calls).items():
        seen.timing(arm, timing, **case, **cases.get(arm, {"sparsity": 0.0}))


def _weights(model: nn.Module) -> int:
    return sum(layer.weight.numel() for layer in linears(model).values())


JOB = TimingJob("compression_speed", observe, sizes.SPEED, narrows=True, across=("way", "sparsity"))

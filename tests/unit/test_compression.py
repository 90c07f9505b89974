"""Pruned models: masks, activations, and the points of curves that are judged."""

import copy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from labs.analysis.points import Points
from labs.experiments.compression import bench as compression
from labs.experiments.compression.bench import Bench, Sizes
from labs.experiments.compression.formats import observe as formats
from labs.experiments.compression.pruning.names import ARM, L1_BOTH, RANDOM
from labs.experiments.compression.pruning.observe import MASKS, Curve, observe
from labs.experiments.compression.speed import observe as speed
from labs.formats.factory import make_quantizer
from labs.formats.names import ALL_ROWS, MASE
from labs.measure.stages import needs
from labs.models import classifiers
from labs.models import pruned as pruning
from labs.models.evaluation import predict
from labs.models.layers import linears
from labs.models.optimization import Plan
from labs.models.pruned import ActivationPruning, Method, Scope, prune_weights, pruned_share
from labs.models.quantized import quantize_linears, zero_share
from labs.models.structured_pruning import shrink
from labs.records.packed import unpack
from labs.records.timing import Timing
from labs.studies.rates import chosen_in
from tests import made_up

INTEGER = {"name": "integer", "width": 8, "frac_width": 4}
BLOCK = {"name": "block_fp", "width": 8, "exponent_width": 8, "block_size": 16}


def unequal() -> nn.Sequential:
    """Return two layers, the second's weights ten times as large."""
    torch.manual_seed(0)
    layers = nn.Sequential(nn.Linear(50, 40), nn.ReLU(), nn.Linear(40, 20))
    with torch.no_grad():
        layers[2].weight.mul_(10)  # type: ignore[operator]
    return layers


@pytest.mark.parametrize("sparsity", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("scope", ["local", "global"])
@pytest.mark.parametrize("method", ["l1", "random"])
def test_the_requested_sparsity_is_achieved(method: Method, scope: Scope, sparsity: float) -> None:
    pruned = prune_weights(unequal(), method, sparsity, scope, seed=0)
    assert pruned_share(pruned) == pytest.approx(sparsity, abs=1e-3)
    shares = [zero_share(nn.Sequential(layer)) for layer in linears(pruned).values()]
    if scope == "local":
        assert shares == pytest.approx([sparsity] * 2, abs=1e-3)
    elif method == "l1":
        assert shares[0] > shares[1]  # whose weights are larger


def test_random_masks_depend_on_the_seed_and_leave_torchs_generator_alone() -> None:
    masks = []
    for seed in (1, 1, 2):
        made, before = unequal(), torch.get_rng_state()
        masks.append(prune_weights(made, "random", 0.5, "local", seed).get_buffer("0.weight_mask"))
        assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(masks[0], masks[1]) and not torch.equal(masks[0], masks[2])


def test_masked_weights_stay_zero_through_training() -> None:
    pruned = prune_weights(unequal(), "l1", 0.5, "local", seed=0)
    optimizer = torch.optim.AdamW(pruned.parameters(), lr=0.1, weight_decay=0.1)
    before = pruned.get_parameter("0.weight_orig").clone()
    for _ in range(3):
        pruned(torch.randn(8, 50)).square().sum().backward()
        optimizer.step()
    assert not torch.equal(pruned.get_parameter("0.weight_orig"), before)
    assert pruned_share(pruned) == zero_share(pruned) == 0.5
    x = torch.randn(4, 50)
    expected = pruned(x)
    assert torch.equal(pruning.make_permanent(pruned)(x), expected)
    assert zero_share(pruned) == 0.5


def test_masks_of_an_earlier_state_differ_from_those_of_the_weights() -> None:
    old, new = unequal(), unequal()
    with torch.no_grad():
        linears(new)["0"].weight.copy_(torch.randn(40, 50))
    stale = pruning.copy_masks(prune_weights(old, "l1", 0.5, "local", 0), copy.deepcopy(new))
    fresh = prune_weights(new, "l1", 0.5, "local", 0)
    assert pruned_share(stale) == pruned_share(fresh) == 0.5
    masks = [one.get_buffer("0.weight_mask") for one in (stale, fresh)]
    assert 0.3 < (masks[0] != masks[1]).float().mean() < 0.7


def test_a_coarse_format_makes_zeros_without_pruning() -> None:
    config = {"name": "integer", "width": 8, "frac_width": 2}
    quantized = quantize_linears(unequal(), config)
    weights = linears(unequal())["0"].weight
    small = (weights.abs() <= 0.125).float().mean().item()
    assert zero_share(nn.Sequential(quantized.get_submodule("0"))) == pytest.approx(small)
    assert pruned_share(quantized) == 0


@pytest.mark.parametrize("method", ["l1", "random"])
def test_padding_does_not_affect_pruned_activations(method: Method) -> None:
    """A review has the same logits alone and beside longer ones, whatever the padding holds."""
    pruned = made_up.bert()
    ActivationPruning(pruned, method, 0.5, seed=0)
    zeros = pruning.ZeroInputs(pruned)
    full = made_up.batch()
    together = pruned(**full).logits[1]
    assert zeros.share == pytest.approx(0.5, abs=0.02)
    alone = pruned(**{name: tensor[1:2, :6] for name, tensor in full.items()}).logits[0]
    torch.testing.assert_close(together, alone)
    full["input_ids"][1, 6:] = 7
    torch.testing.assert_close(pruned(**full).logits[1], together)


@pytest.mark.parametrize(
    ("sparsity", "given", "kept"),
    [
        (0.3, [[3.0, -9, 1, 0.5, -2, 8, 4, 5, 6, 7]], [[3, -9, 0, 0, 0, 8, 4, 5, 6, 7]]),
        # Equal ones are dropped together.
        (0.5, [[1.0, -1, 2, 1, -1, 3], [0, 0, 0, 0, 0, 4]], [[0, 0, 2, 0, 0, 3], [0] * 5 + [4]]),
        # A share below one of them drops none.
        (0.1, [[1.0, 2, 3]], [[1, 2, 3]]),
    ],
)
def test_l1_keeps_each_tokens_largest_activations(
    sparsity: float, given: list[list[float]], kept: list[list[float]]
) -> None:
    layer = nn.Linear(len(given[0]), 1)
    ActivationPruning(nn.Sequential(layer), "l1", sparsity, seed=0)
    seen: list[torch.Tensor] = []
    layer.register_forward_pre_hook(lambda _, arguments: seen.append(arguments[0]))
    x = torch.tensor(given, requires_grad=True)
    layer(x).sum().backward()
    assert seen[0].tolist() == kept
    assert x.tolist() == given
    assert x.grad is not None
    assert torch.equal(x.grad != 0, seen[0] != 0)


def test_zero_inputs_are_counted_at_real_tokens() -> None:
    counted, full = made_up.bert(), made_up.batch()
    real, expected, values = full["attention_mask"].bool(), 0, 0

    def count(_: nn.Module, arguments: tuple[torch.Tensor]) -> None:
        nonlocal expected, values
        x = arguments[0][real] if arguments[0].dim() == 3 else arguments[0]
        expected, values = expected + x.numel() - int(x.count_nonzero()), values + x.numel()

    ActivationPruning(counted, "l1", 0.3, seed=0)
    zeros = pruning.ZeroInputs(counted)
    for layer in linears(counted).values():
        layer.register_forward_pre_hook(count)
    counted(**full)
    assert zeros.share == expected / values


def test_structured_pruning_shrinks_the_matrices() -> None:
    original = made_up.bert()
    before = sum(layer.weight.numel() for layer in linears(original).values())
    smaller = shrink(original, 0.5)
    layer: Any = smaller.bert.encoder.layer[0]
    assert layer.attention.self.query.weight.shape == (16, 32)
    assert layer.attention.output.dense.weight.shape == (32, 16)
    assert layer.intermediate.dense.weight.shape == (32, 32)
    assert layer.output.dense.weight.shape == (32, 32)
    assert sum(one.weight.numel() for one in linears(smaller).values()) < 0.6 * before
    assert smaller(**made_up.batch()).logits.shape == (3, 2)


def test_removing_silenced_heads_and_neurons_changes_no_output() -> None:
    original = made_up.bert()
    with torch.no_grad():
        for layer in original.bert.encoder.layer:
            layer.intermediate.dense.weight[::2] *= 1e-9
            layer.intermediate.dense.bias[::2] = 0
            layer.output.dense.weight[:, ::2] *= 1e-9
            silent = slice(8, 24)  # the second and the third of four heads
            for part in (layer.attention.self.query, layer.attention.self.value):
                part.weight[silent] *= 1e-9
            layer.attention.output.dense.weight[:, silent] *= 1e-9
    expected = original(**made_up.batch()).logits
    torch.testing.assert_close(shrink(original, 0.5)(**made_up.batch()).logits, expected)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    tokens = made_up.tokens(tmp_path, 200)
    return Bench(tokens, Sizes(32, 20, 64), 0, "cpu", tmp_path, tmp_path / "record.json")


@pytest.fixture
def base() -> Any:
    return classifiers.bert_tiny(0, hidden_size=16, intermediate_size=16, vocab_size=64)


def test_both_prunes_activations_beside_weights(bench: Bench, base: Any) -> None:
    """At sparsity 0.97 a layer of 16 inputs keeps none of them, so that its bias decides."""
    with torch.no_grad():
        base.classifier.weight[0] = 1000
        base.classifier.bias.copy_(torch.tensor([0.0, 1.0]))
        base.bert.pooler.dense.bias.fill_(1.0)
    seen = observe(bench, base, base, [Curve(L1_BOTH, [0.97], 0)], [1e-3])
    facts = [row for row in seen.rows["facts"] if row["arm"] == ARM]
    (right,) = (unpack(row["value"]) for row in facts if row["name"] == "correct")
    assert right.tolist() == bench.validation.labels.bool().tolist()
    (masked,) = (row["value"] for row in facts if row["name"] == "pruned")
    assert masked == pytest.approx(0.97, abs=0.01)


def test_blocks_that_span_tokens_are_judged_on_all_of_them(
    bench: Bench, base: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = []

    def noted(model: Any, *rest: Any) -> torch.Tensor:
        whole.append(model.classifier.quantizer)
        return predict(model, *rest)

    monkeypatch.setattr(compression, "predict", noted)
    formats.observe(bench, base)
    assert whole == [make_quantizer(formats.config_of({"format": ALL_ROWS, "mode": MASE}))]


def test_a_random_point_is_the_mean_over_masks_until_it_trains(bench: Bench, base: Any) -> None:
    seen = observe(bench, base, base, [Curve(RANDOM, [0.5], 1)], [1e-3])
    record = {"experiment": "pruning", "facts": seen.rows["facts"]}
    points = Points(record, split="validation", arm=ARM)
    at_once, trained = ({"curve": RANDOM, "epochs": epochs} for epochs in (0, 1))
    judged = [
        unpack(row["value"])
        for row in seen.rows["facts"]
        if row["name"] == "correct" and row["case"].get("epochs") == 0
    ]
    assert len(judged) == MASKS
    assert len({answers.tobytes() for answers in judged}) > 1
    assert points.answers(at_once).tolist() == [np.mean(judged, axis=0).tolist()]
    assert set(points.answers(trained).ravel()) <= {0.0, 1.0}


def test_points_are_trained_at_the_rate_that_was_chosen(
    bench: Bench, base: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates: list[float] = []

    def answering(model: Any, plan: Plan, name: str) -> float:
        rates.append(plan.learning_rate)
        with torch.no_grad():  # Right about most reviews at one of the rates.
            model.classifier.weight.zero_()
            model.classifier.bias.copy_(torch.tensor(ANSWERS[plan.learning_rate]))
        return 0.0

    monkeypatch.setattr(bench, "fine_tune", answering)
    bench.validation.labels[:15] = 1
    seen = observe(bench, base, base, [Curve(RANDOM, [0.5], 1)], list(ANSWERS))
    assert set(rates[:3]) == set(ANSWERS)
    assert set(rates[3:]) == {1e-3}
    assert chosen_in({"facts": seen.rows["facts"]}) == 1e-3


ANSWERS = {1e-4: [1.0, 0.0], 1e-3: [0.0, 1.0], 1e-2: [1.0, 0.0]}
"""The logits of every review, by the rate of the training."""


def test_later_processes_time_only_what_still_needs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    timing = Timing(1, [], [1.0])
    monkeypatch.setattr(speed, "interleave", lambda calls, **_: dict.fromkeys(calls, timing))
    timed: Any = partial(
        speed.observe,
        batch_size=1,
        sequence_length=8,
        hidden_sizes=[64],
        sparsities=[0.9],
        rounds=1,
        device="cpu",
    )
    first = [timed(process, seed=process, converged=[]).rows for process in range(2)]
    cases = [need.case for need in needs(first, speed.JOB.across)]
    assert len(cases) == 2
    for case in cases:
        later = timed(2, seed=2, converged=[case]).rows["samples"]
        assert later
        assert not [row for row in later if case.items() <= row["case"].items()]

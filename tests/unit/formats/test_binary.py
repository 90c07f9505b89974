"""Binary formats against their definitions."""

import numpy as np
import pytest
import torch

from tests.unit.formats.values import awkward, quantizer, same


def test_binary_is_the_sign_with_zero_positive() -> None:
    x = awkward()
    expected = np.where(x >= 0, 1.0, -1.0).astype(np.float32)
    same(quantizer("binary")(torch.tensor(x)), expected, x)
    assert quantizer("binary")(torch.tensor([0.0, -0.0])).tolist() == [1, 1]


def test_binary_scaling_keeps_each_output_channels_mean_magnitude() -> None:
    x = np.random.default_rng(0).standard_normal((1000, 1000)).astype(np.float32)
    result = quantizer("binary_scaling")(torch.tensor(x)).numpy()
    assert ((result > 0) == (x >= 0)).all()
    scale = np.abs(x.astype(np.float64)).mean(1, keepdims=True)
    np.testing.assert_allclose(np.abs(result), np.broadcast_to(scale, x.shape), rtol=1e-5)
    with pytest.raises(ValueError, match="mode"):
        quantizer("binary_scaling", mode="mase")


def test_residual_sign_sums_the_signs_of_residuals() -> None:
    x = awkward()
    residual, total = x.copy(), np.zeros_like(x)
    for mean in (np.float32(2 / 3), np.float32(1 / 3)):
        added = np.sign(np.clip(residual, -1, 1)) * mean
        residual, total = residual - added, total + added
    same(quantizer("residual_sign", levels=2)(torch.tensor(x)), total, x)


def test_residual_signs_gradient_goes_through_both_levels() -> None:
    """Inside both clamps 2/3 + 1/3 (1 - 2/3); beyond the first 1/3; beyond both 0."""
    x = torch.tensor([-2.0, -1.5, -0.9, 0.1, 0.9, 1.5, 2.0], requires_grad=True)
    quantizer("residual_sign")(x).sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(x.grad, torch.tensor([0, 1 / 3, 7 / 9, 7 / 9, 7 / 9, 1 / 3, 0]))

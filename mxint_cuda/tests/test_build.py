"""The build of the CUDA kernels, which works without a GPU."""

import shutil

import pytest
import torch

import mxint_cuda


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc here")
def test_where_there_is_nvcc_the_cuda_kernels_are_registered() -> None:
    assert mxint_cuda.has_cuda()
    for name in ("quantize", "quantize_out", "dequantize", "dequantize_out", "linear"):
        assert torch._C._dispatch_has_kernel_for_dispatch_key(f"mxint_cuda::{name}", "CUDA")

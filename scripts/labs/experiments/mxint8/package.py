"""What the experiments use of mxint_cuda; without a build of it, one line says how to get one."""

from __future__ import annotations

try:
    from mxint_cuda import Linear, dequantize, linear, quantize, quantize_model_
except ImportError as error:
    raise SystemExit(
        f"error: the package mxint_cuda cannot be used ({error}); build it by "
        "`snakemake --cores 4 results/build/manifest.json` and set PYTHONPATH=results/build"
    ) from error

__all__ = ["Linear", "dequantize", "linear", "quantize", "quantize_model_"]

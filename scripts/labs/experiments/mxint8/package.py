"""What the experiments use of mxint_cuda; if it is not built, one line says how to build it."""

try:
    from mxint_cuda import Linear, dequantize, linear, quantize, quantize_model_
except ImportError as error:
    raise SystemExit(
        f"error: the package mxint_cuda cannot be used ({error}); build it with "
        "`snakemake --cores 4 results/build/manifest.json` and set PYTHONPATH=results/build"
    ) from error

SKIP = "classifier"
"""The lab does not convert layers whose names contain this."""

__all__ = ["SKIP", "Linear", "dequantize", "linear", "quantize", "quantize_model_"]

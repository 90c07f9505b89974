"""Exact MXINT8 (OCP Microscaling Formats v1.0) for PyTorch, on CPU and GPU.

A group of numbers shares one scale of E8M0, ``2^(exponent - 127)``; each number is an int8
``mantissa``, worth ``mantissa / 64`` of the scale.  Groups lie along the last dimension.
"""

from mxint_cuda.functional import dequantize, has_cuda, linear, quantize
from mxint_cuda.modules import Linear, quantize_model_

__all__ = ["Linear", "dequantize", "has_cuda", "linear", "quantize", "quantize_model_"]

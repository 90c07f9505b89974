"""The memory of a model before and after MXINT8: predicted from its shapes, and measured."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from labs.experiments.mxint8 import names, sizes
from labs.experiments.mxint8.package import SKIP, Linear, dequantize, quantize_model_
from labs.experiments.mxint8.shapes import build
from labs.jobs.job import Job
from labs.measure.correctness import compare, require
from labs.measure.memory import peak_bytes
from labs.records.observations import Observations

TOKENS = 10
"""The length of the lab's sentence."""


def observe(models: Sequence[str], group_size: int, device: str, seed: int) -> Observations:
    seen = Observations(0)
    torch.manual_seed(seed)
    for name in models:
        _observe_prediction(seen, name, group_size)
        _observe_memory(seen, name, group_size, device)
        gc.collect()
    return seen


def quantize_in_loop(model: nn.Module, group_size: int) -> nn.Module:
    """Convert layers as the lab's loop does, while iterating over ``named_modules()``."""
    for path, layer in model.named_modules():
        if isinstance(layer, nn.Linear) and SKIP not in path:
            parent, _, name = path.rpartition(".")
            setattr(model.get_submodule(parent), name, Linear.from_linear(layer, group_size))
        del layer
    return model


def decode_whole(layer: Linear, x: torch.Tensor) -> torch.Tensor:
    """Return x Wᵀ + bias as the lab's layer does: decode the weight to BF16, then float32."""
    weight = dequantize(layer.mantissa, layer.exponent, layer.group_size)
    return F.linear(x, weight.to(x.dtype), layer.bias)


def tensors(model: nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the kind of each parameter and buffer with its tensor, each tensor once."""
    known = set()
    for path, module in model.named_modules():
        parameters, buffers = module.named_parameters, module.named_buffers
        for name, tensor in (*parameters(recurse=False), *buffers(recurse=False)):
            if id(tensor) not in known:
                known.add(id(tensor))
                yield kind(path, module, name), tensor


def kind(path: str, module: nn.Module, name: str) -> str:
    """Return the kind of a module's tensor, for the breakdown of memory."""
    if isinstance(module, nn.Linear | Linear):
        if name == "bias":
            return names.BIASES
        return names.LEFT_ALONE if SKIP in path else names.QUANTIZED
    if isinstance(module, nn.Embedding):
        return names.EMBEDDINGS
    return names.NORMALIZATION if "LayerNorm" in type(module).__name__ else names.OTHERS


def packed_bytes(weight: torch.Tensor, group_size: int) -> int:
    """Return a weight's bytes as MXINT8: one per mantissa, and one per group for its scale."""
    rows, columns = weight.shape
    return rows * (columns + -(-columns // group_size))


def resident(model: nn.Module) -> dict[str, int]:
    """Return the bytes of the storages behind a model's tensors, by kind, each storage once."""
    sizes, known = Counter[str](), set()
    for what, tensor in tensors(model):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in known:
            known.add(storage.data_ptr())
            sizes[what] += storage.nbytes()
    return sizes


def _observe_prediction(seen: Observations, name: str, group_size: int) -> None:
    """Record the parameters of each kind, and their bytes as predicted from the shapes."""
    model = build(name, "meta")
    counts, before, after = Counter[str](), Counter[str](), Counter[str]()
    for what, tensor in tensors(model):
        counts[what] += tensor.numel()
        before[what] += tensor.nbytes
        quantized = what == names.QUANTIZED
        after[what] += packed_bytes(tensor, group_size) if quantized else tensor.nbytes
    for fact, unit, arm, found in (
        ("parameters", "count", names.FLOAT32, counts),
        ("predicted bytes", "bytes", names.FLOAT32, before),
        ("predicted bytes", "bytes", names.PACKED, after),
    ):
        for what, number in found.items():
            seen.fact(fact, number, unit, arm, model=name, kind=what)
    for path, module in model.named_modules():
        if isinstance(module, nn.Linear):
            place = "encoder" if ".encoder." in path else "elsewhere"
            arm = names.FLOAT32 if SKIP in path else names.PACKED
            count = module.weight.numel()
            seen.fact("linear weights", count, "count", arm, model=name, layer=path, place=place)


def _observe_memory(seen: Observations, name: str, group_size: int, device: str) -> None:
    """Record a model's memory, and what a call adds to it, before and after the conversion."""
    tokens = torch.arange(TOKENS, device=device)[None]
    mask = torch.ones_like(tokens)

    def see_bytes(arm: str, model: nn.Module) -> None:
        for what, size in resident(model).items():
            seen.fact("bytes", size, "bytes", arm, model=name, kind=what)

    @torch.no_grad()
    def see_call(arm: str, model: nn.Module) -> torch.Tensor:
        """Record the peak bytes of a call beyond the model's; return its logits."""
        logits: torch.Tensor = model(tokens, attention_mask=mask).logits
        peak = peak_bytes(lambda: model(tokens, attention_mask=mask), device)
        seen.fact("peak of a call", peak, "bytes", arm, model=name)
        return logits

    def see_conversion(arm: str, convert: Callable[[nn.Module, int], nn.Module]) -> nn.Module:
        """Record the peak bytes of a conversion; return the model."""
        made: list[nn.Module] = []
        # The model is built inside the call: freeing memory from before it would not be counted.
        peak = peak_bytes(lambda: made.append(convert(build(name, device), group_size)), device)
        seen.fact("peak of conversion", peak, "bytes", arm, model=name)
        return made[0]

    model = build(name, device)
    see_bytes(names.FLOAT32, model)
    see_call(names.FLOAT32, model)
    del model
    gc.collect()

    see_conversion(names.LOOP, quantize_in_loop)
    model = see_conversion(names.PACKED, partial(quantize_model_, skip=(SKIP,)))
    see_bytes(names.PACKED, model)
    logits = see_call(names.PACKED, model)

    for layer in model.modules():
        if isinstance(layer, Linear):
            layer.forward = partial(decode_whole, layer)  # type: ignore[method-assign]
    whole = see_call(names.DECODED_WHOLE, model)
    result = require(compare(logits, whole), f"{name}: the layers of mxint_cuda and of the lab")
    seen.check(names.PACKED, names.DECODED_WHOLE, result, model=name)


JOB = Job("mxint8_memory", observe, sizes.MEMORY)

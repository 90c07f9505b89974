"""The linear layers of a model: what the compression labs quantize and prune."""

from torch import nn


def linears(model: nn.Module) -> dict[str, nn.Linear]:
    """Return the model's linear layers by name, quantized ones included."""
    return {name: m for name, m in model.named_modules() if isinstance(m, nn.Linear)}

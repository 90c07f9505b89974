"""The compiler's log counts what torch.compile did."""

import pytest
import torch

from labs.measure.compiler import CompilerLog, nothing_compiled


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def test_a_new_shape_is_counted_as_a_compilation_and_a_known_one_is_not() -> None:
    compiled = torch.compile(double, backend="aot_eager", dynamic=False)
    with CompilerLog() as first:
        compiled(torch.ones(3))
    assert first.counts["graphs"] == 1
    assert first.counts["graph breaks"] == 0
    assert first.times["Dynamo"] > 0
    with nothing_compiled():
        compiled(torch.zeros(3))
    with pytest.raises(RuntimeError, match="recompiled while it was timed"), nothing_compiled():
        compiled(torch.ones(4))

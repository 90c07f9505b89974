"""A node of a graph, as it stands in records."""

from dataclasses import dataclass

PARAMETER, BUFFER, INPUT = "parameter", "buffer", "input"
WEIGHTS = (PARAMETER, BUFFER)
OPERATOR = "call_function"
"""What FX calls the kind of a node that runs an operator."""


@dataclass(frozen=True)
class Node:
    """A node in words and numbers.

    ``kind`` is FX's, with placeholders split into parameters, buffers and inputs; ``reads`` names
    the nodes that it reads, with blanks between; ``bytes`` is the size of its output;
    ``parameters`` counts the elements of the parameters that it reads; ``source`` is the line of
    the model that it comes from; ``operator`` and ``module`` are "" where it runs none.
    """

    node: str
    kind: str
    module: str
    reads: str
    input_shapes: str = ""
    shape: str = ""
    dtype: str = ""
    bytes: int = 0
    parameters: int = 0
    source: str = ""
    operator: str = ""

    @property
    def line(self) -> str:
        """The line that is compared; an input is identified by its name."""
        return f"{self.kind} {self.operator or self.node} {self.module}"

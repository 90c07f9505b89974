"""The arms of the linear + ReLU experiment."""

EAGER, COMPILED, FROZEN = "eager", "compiled", "compiled, frozen weights"
LINEAR, RELU = "linear alone", "ReLU alone"
ARMS = (EAGER, COMPILED, FROZEN, LINEAR, RELU)

ONE_OPERATOR = "one operator, compiled"
"""The smallest possible compilation."""

MADE = {"kernels": "generated kernels", "library_calls": "library calls"}
"""What the compiler makes of it, by the names of values and of its counts."""

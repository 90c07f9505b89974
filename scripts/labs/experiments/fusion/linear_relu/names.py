"""The arms of the linear + ReLU experiment."""

EAGER, COMPILED, FROZEN = "eager", "compiled", "compiled, frozen weights"
LINEAR, RELU = "linear alone", "ReLU alone"
ARMS = (EAGER, COMPILED, FROZEN, LINEAR, RELU)

ONE_OPERATOR = "one operator, compiled"
"""The smallest possible compilation."""

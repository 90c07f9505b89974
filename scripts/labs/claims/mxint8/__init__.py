"""What is asserted about question 3, each part judged on its own record."""

from labs.claims.mxint8 import accuracy, formulas, kernels, linear, memory, partition

RULES = {
    "mxint8_accuracy": [accuracy.rules],
    "mxint8_formulas": [formulas.rules],
    "mxint8_kernels": [kernels.rules],
    "mxint8_linear": [linear.rules],
    "mxint8_memory": [memory.rules],
    "mxint8_partition": [partition.rules],
}

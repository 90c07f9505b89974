"""What is asserted about question 3, each part judged on its own record."""

from labs.claims.mxint8 import accuracy, formulas, kernels, linear, memory, partition

CLAIMS = {
    "mxint8_accuracy": [accuracy.claims],
    "mxint8_formulas": [formulas.claims],
    "mxint8_kernels": [kernels.claims],
    "mxint8_linear": [linear.claims],
    "mxint8_memory": [memory.claims],
    "mxint8_partition": [partition.claims],
}

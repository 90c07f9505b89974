"""NumPy computes with one thread: on small matrices several mostly wait for each other."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

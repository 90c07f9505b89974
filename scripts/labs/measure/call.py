"""What is measured: a call.

In a file of its own, so that code which only names the type does not depend on ``clock.py``, and
does not run again when that changes.
"""

from collections.abc import Callable

Call = Callable[[], object]

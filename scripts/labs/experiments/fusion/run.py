"""What one process does with the arms of a comparison, and records of them."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from labs.measure.call import Call
from labs.measure.compiler import CompilerLog, nothing_compiled
from labs.measure.correctness import compare, require
from labs.measure.memory import peak_bytes
from labs.measure.rounds import interleave
from labs.records.observations import Observations
from labs.records.rows import Case

Output = Callable[[], torch.Tensor]


@dataclass(frozen=True)
class Run:
    """One process's part of a job.

    What the compiler does is observed where its cache is ``cold``. Cases that are ``converged`` are
    left out.
    """

    seen: Observations
    rounds: int
    device: str
    rng: random.Random
    cold: bool
    converged: Sequence[Case]

    def left(self, cases: Iterable[Case]) -> list[Case]:
        """Return which of these cases are not left out, in random order."""
        left = [case for case in cases if case not in self.converged]
        return self.rng.sample(left, len(left))

    def compiled(
        self, arm: str, function: Any, inputs: Any, case: Case, counts: Iterable[str], **how: Any
    ) -> Any:
        """Return a function, compiled for these inputs; record such counts of the compiler's."""
        compiled = torch.compile(function, **how)
        with CompilerLog() as log:
            compiled(*inputs)
        for name in counts if self.cold else ():
            self.seen.fact(name, log.counts[name], "count", arm, **case)
        return compiled

    def check(self, arms: Mapping[str, Output], reference: torch.Tensor, case: Case) -> None:
        """Compare every arm's output with one in float64; raise ArithmeticError for a wrong one."""
        for arm, call in arms.items():
            result = require(compare(call(), reference), f"{arm}, {case}")
            self.seen.check(arm, "float64", result, **case)

    def weigh(self, arms: Mapping[str, Call], case: Case) -> None:
        """Record the peak memory of every arm, in the first process."""
        if self.seen.process == 0:
            for arm, call in arms.items():
                self.seen.fact("peak memory", peak_bytes(call, self.device), "bytes", arm, **case)

    def time(self, arms: Mapping[str, Call], case: Case) -> None:
        """Time the arms in interleaved rounds."""
        with nothing_compiled():
            timings = interleave(arms, self.rounds, self.rng, self.device)
        for arm, timing in timings.items():
            self.seen.timing(arm, timing, **case)

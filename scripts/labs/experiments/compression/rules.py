"""Rules about values of points, of which a preset may not run all."""

from labs.claims.rules import Rules
from labs.claims.statement import NOT_RUN, Judge


class OfPoints(Rules):
    """Makes rules about values of points; one that the preset does not run gives no verdict."""

    def superior(self, gain: str) -> Judge:
        return self.if_run(gain, super().superior(gain))

    def non_inferior(self, cost: str) -> Judge:
        return self.if_run(cost, super().non_inferior(cost))

    def exceeds(self, value: str, limit: float | str) -> Judge:
        return self.if_run(value, super().exceeds(value, limit))

    def at_most(self, value: str, limit: float | str) -> Judge:
        return self.if_run(value, super().at_most(value, limit))

    def if_run(self, value: str, judge: Judge) -> Judge:
        """Judge only where the preset runs the points of a value."""
        reason = f"{NOT_RUN} all of its points"
        return judge if value in self._values else lambda s: s.not_measured(reason)

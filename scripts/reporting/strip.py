"""A row of the picture on the first pages: an effect over the band of those too small to matter."""

import math

from markupsafe import Markup

from labs.records.names.intervals import FASTER, POINT
from labs.records.quantity import Quantity

WIDTH, HEIGHT = 120, 12
LARGEST = 100.0
"""The largest effect that the axis has room for, in least effects that matter; a larger one ends at
the edge."""
MIDDLE = HEIGHT / 2


def _across(effect: float) -> float:
    """Return where an effect lies, in least effects that matter: evenly near zero, as a logarithm
    far from it.
    """
    part = math.copysign(math.log1p(min(abs(effect), LARGEST)), effect) / math.log1p(LARGEST)
    return WIDTH / 2 * (1 + 0.96 * part)


LEFT, RIGHT = _across(-1) / WIDTH * 100, _across(1) / WIDTH * 100
GROUND = Markup(
    "background: linear-gradient(90deg, transparent {0:.2f}%, #8d99a740 {0:.2f}%,"
    " #8d99a740 49.7%, #8d99a7 49.7%, #8d99a7 50.3%, #8d99a740 50.3%, #8d99a740 {1:.2f}%,"
    " transparent {1:.2f}%)"
).format(LEFT, RIGHT)
"""The ground of every row: the band of what does not matter, and no effect in its middle."""


def strip(estimate: Quantity | None) -> Markup:
    """Return a drawing of a difference of accuracies or a ratio of times; of others, nothing."""
    if estimate is None or estimate.bounds is None:
        return Markup()
    if estimate.unit == "points":
        effects = [number / POINT for number in (estimate.value, *estimate.bounds)]
    elif estimate.unit == "ratio":
        numbers = (estimate.value, *estimate.bounds)
        effects = [math.log(number) / math.log(FASTER) for number in numbers]
    else:
        return Markup()
    value, low, high = map(_across, effects)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {} {}">'
        "<title>{}: {} the band of what does not matter</title>"
        '<path d="M{:.1f} {y}H{:.1f}" stroke="currentColor" stroke-width="1.6"/>'
        '<circle cx="{:.1f}" cy="{y}" r="2.6" fill="currentColor"/></svg>'
    ).format(
        WIDTH, HEIGHT, str(estimate), _beside(effects[1], effects[2]), low, high, value, y=MIDDLE
    )


def _beside(low: float, high: float) -> str:
    if low >= 1 or high <= -1:
        return "outside"
    return "within" if low > -1 and high < 1 else "partly within"

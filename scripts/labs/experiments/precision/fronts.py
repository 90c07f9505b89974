"""Fronts of accuracy against bits, and the area that they dominate."""

from collections.abc import Sequence

Point = tuple[float, float]
"""Accuracy, which is to be high, and bits, which are to be few."""

REFERENCE: Point = (0.5, 32.0)
"""Chance, and full precision: what a front is measured from."""


def front(points: Sequence[Point]) -> list[Point]:
    """Return the points that no other point beats in both, by rising bits."""
    best: list[Point] = []
    for accuracy, bits in sorted(points, key=lambda point: (point[1], -point[0])):
        if not best or accuracy > best[-1][0]:
            best.append((accuracy, bits))
    return best


def hypervolume(points: Sequence[Point]) -> float:
    """Return the area between a front and REFERENCE, as a share of the whole rectangle."""
    least, most = REFERENCE
    area, reached = 0.0, least
    for accuracy, bits in front(points):
        if accuracy > reached and bits < most:
            area += (accuracy - reached) * (most - bits)
            reached = accuracy
    return area / ((1 - least) * most)

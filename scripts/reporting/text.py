"""What templates say of numbers, and numbers in the columns of tables."""

from labs.records.names.intervals import (
    CONFIDENCE,
    EQUIVALENCE,
    FASTER,
    OFTEN,
    POINT,
    RATIOS_BETWEEN_RUNS,
    TIMES_BETWEEN_RUNS,
)
from labs.records.names.timing import MOST_LOST
from labs.records.quantity import SCALES, Step, step_for

FIGURE_SPACE = "\u2007"  # as wide as a digit
POINT_SPACE = "\u2008"  # as wide as a full stop
CONFIDENCE_LEVEL = f"{CONFIDENCE * 100:g}\u00a0%"
MATTERS = {
    "share": f"{POINT * 100:g}\u00a0point",
    "often": f"{OFTEN * 100:g}\u00a0points",
    "times": f"{(FASTER - 1) * 100:.0f}\u00a0%",
    "ratios_of_runs": f"{RATIOS_BETWEEN_RUNS * 100:g}\u00a0%",
    "times_of_runs": f"{TIMES_BETWEEN_RUNS * 100:g}\u00a0%",
    "level": f"{EQUIVALENCE * 100:g}\u00a0%",
    "error": f"{(1 - CONFIDENCE) * 100:.0f}\u00a0%",
    "lost": f"{MOST_LOST * 100:g}\u00a0%",
}
"""The margins within which no difference matters, what runs were found to differ by, the level of
the interval that shows no difference, how often a test may err, and how much of its processor time
a sample may lose."""


def column_step(unit: str, values: list[float]) -> Step | None:
    """Return one step for a table's column, or None if the column spans too many magnitudes."""
    if unit == "pp":
        return SCALES[unit][0]
    magnitudes = sorted(abs(value) for value in values if value)
    if not magnitudes:
        return SCALES[unit][0]
    step = step_for(unit, magnitudes[len(magnitudes) // 2])
    scaled = [magnitude / step.factor for magnitude in (magnitudes[0], magnitudes[-1])]
    return step if scaled[0] >= 0.01 and scaled[1] < 100_000 else None


def align(cells: list[str]) -> list[str]:
    """Pad numbers on the right with invisible digits, so that their decimal points line up."""
    fractions = [cell.partition(".")[2] for cell in cells]
    longest = max(map(len, fractions), default=0)

    def padded(cell: str, fraction: str) -> str:
        point = POINT_SPACE if longest and not fraction else ""
        return cell + point + FIGURE_SPACE * (longest - len(fraction)) if cell else ""

    return list(map(padded, cells, fractions))

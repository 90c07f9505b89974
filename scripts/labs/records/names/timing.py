"""Names that all timed experiments share."""


def aa_arm(arm: str) -> str:
    """Return the name of an arm's second timing, which gives the noise floor."""
    return f"{arm} again"


STEADY, DISTURBED = "steady", "disturbed"
"""Samples of interleaved rounds: those that count, and those that others disturbed."""
KEPT_DISTURBED = "disturbed samples kept"
"""How many disturbed samples count, because too few were not disturbed."""

SAMPLE_SECONDS = 0.02
"""A sample lasts at least this long, so that the clock's own cost stays below a thousandth."""

NEEDED, EVERY_ARM = "processes needed", "every arm"
"""How many processes the spread over the first ones asked for."""

MOST_LOST = 0.02
"""A sample is disturbed if its threads lost more than this share of the processor time they used.
On an idle machine they lose less than a hundredth; beside another process, a tenth and more."""

FEWEST_COMPILED = 4
"""Processes of what compiles: two with an empty compiler cache, for an interval, and two after."""

"""Claims about searches with one number format each: question 3.2."""

from labs.analysis.values import Values
from labs.claims.family import Family
from labs.claims.rules import Published, Rules
from labs.claims.statement import Rule
from labs.formats.names import FORMATS
from labs.records.names.intervals import TEN_POINTS
from labs.records.record import Record

EXPERIMENT = "precision"

PUBLISHED: dict[str, Published] = {
    "integer": {"like": ("C-lab3-integer",)},
    "minifloat_denorm": {"like": ("C-lab3-denorm",)},
    "minifloat_ieee": {"like": ("C-lab3-ieee",)},
    "log": {"like": ("B-lab3-log-as-good",), "against": ("C-lab3-log",)},
    "block_fp": {"like": ("C-lab3-block-fp",)},
    "block_log": {"against": ("C-lab3-block-log",)},
    "binary": {"against": ("B-lab3-binary-stays-low",)},
    "binary_scaling": {"like": ("C-lab3-binary-scaling",)},
}
"""What was published about the best model of each format."""

PUBLISHED_ALONE: dict[str, Published] = {
    "log": {"against": ("C-lab3-log-small-values",)},
    "block_log": {"against": ("C-lab3-block-log-small-values",)},
}
"""What was published about each format itself, whatever a search makes of it."""


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "precision", "lab3-2")
    searched = claim.at("precision", "trials", reviews=0)

    def costs(part: str) -> Family:
        """Return what each format's model costs against the base model."""
        return Family(lambda: {name: claim.value(f"{part}{name}.behind") for name in FORMATS})

    searched_costs, alone_costs = costs(""), costs("alone.")

    def keeps(name: str) -> Rule:
        return searched.rule(
            f"{name}.keeps",
            f"The best model of {name} and float32 is as accurate as the base model.",
            lambda s: searched_costs.non_inferior(s, name),
            **PUBLISHED.get(name, {}),
        )

    def keeps_alone(name: str) -> Rule:
        return claim.rule(
            f"{name}.alone",
            f"With {name} in all layers, the base model is as accurate as in float32.",
            lambda s: alone_costs.non_inferior(s, name),
            **PUBLISHED_ALONE.get(name, {}),
        )

    return [
        *map(keeps, FORMATS),
        *map(keeps_alone, FORMATS),
        claim.rule(
            "scale-helps",
            "With binary weights in all layers, a scale for each channel gains more than ten "
            "points.",
            claim.exceeds("scale_gain", TEN_POINTS),
            like=("C-lab3-scaling-helps", "B-lab3-binary-unscaled"),
        ),
        claim.rule(
            "no-scale-is-float32",
            "With the labs' untrained LinearBinaryScaling in all layers, the base model is as "
            "accurate as in float32.",
            claim.non_inferior("odd.without_scale.behind"),
        ),
        claim.rule(
            "signs-of-inputs-lose",
            "The base model is more than ten points ahead of the one with the labs' "
            "LinearBinaryResidualSign in all layers, untrained.",
            claim.exceeds("odd.on_inputs.behind", TEN_POINTS),
        ),
        searched.rule(
            "binary-best",
            "The best model of binary and float32 is ahead of that of every other format.",
            searched.superior("binary.over_others"),
            like=("C-lab3-binary-best",),
        ),
        searched.rule(
            "denorm-over-ieee",
            "The best model of minifloat_denorm is ahead of that of minifloat_ieee.",
            searched.superior("minifloat_denorm.over_ieee"),
            like=("D-lab3-denorm-best",),
        ),
        searched.rule(
            "floats-over-integer",
            "The best model of minifloat_ieee is ahead of that of integer.",
            searched.superior("minifloat_ieee.over_integer"),
            like=("C-lab3-integer-behind-floats",),
        ),
        searched.rule(
            "most-alike",
            "The best models of most formats are as accurate as the base model.",
            lambda s: s.exceeds(claim.value("formats.kept"), claim.number("formats") / 2),
            like=("B-lab3-most-alike",),
        ),
    ]

"""Claims about searches with one number format each: question 3.2."""

from labs.analysis.values import Values
from labs.claims.claim import Claim
from labs.claims.family import Family
from labs.claims.paired import TEN_POINTS, Paired
from labs.claims.rules import Published
from labs.claims.statement import Rule, Statement
from labs.experiments.precision.judged import Judged, winner
from labs.experiments.precision.names import COST_FORMAT
from labs.experiments.precision.uniform.values import alone, narrowest
from labs.formats.names import FORMATS
from labs.records.record import Record

EXPERIMENT = "precision"

QUESTION = "lab3-2"
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
    judged = Judged(record)
    claim = Paired(record, values, "precision", QUESTION)
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

    def scale_helps(statement: Statement) -> Claim:
        scaled, plain = (alone(judged, name) for name in ("binary_scaling", "binary"))
        return claim.pair_far_superior(scaled, plain)(statement)

    def binary_best(statement: Statement) -> Claim:
        """Return the claim about the best of the other formats' winners on validation."""
        others = [winner(name) for name in FORMATS if name != "binary"]
        best = max(others, key=lambda model: claim.points.accuracy(model).value)
        return claim.pair_superior(winner("binary"), best)(statement)

    # A format may be wide enough at no width that was run.
    wide_enough = not claim.measured or narrowest(judged, COST_FORMAT) is not None
    narrow = claim.only_if(wide_enough, f"a width at which {COST_FORMAT} suffices")
    return [
        *map(keeps, FORMATS),
        *map(keeps_alone, FORMATS),
        claim.rule(
            "scale-helps",
            "With binary weights in all layers, a scale for each channel gains more than ten "
            "points.",
            scale_helps,
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
            "binary-prefers-float",
            "More than half of the layers of the best model of binary and float32 are float32.",
            lambda s: s.exceeds(claim.value("binary.float32"), claim.number("layers") / 2),
            like=("C-lab3-prefers-float",),
        ),
        searched.rule(
            "binary-best",
            "The best model of binary and float32 is ahead of that of every other format.",
            binary_best,
            like=("C-lab3-binary-best",),
        ),
        searched.rule(
            "denorm-over-ieee",
            "The best model of minifloat_denorm is ahead of that of minifloat_ieee.",
            searched.pair_superior(winner("minifloat_denorm"), winner("minifloat_ieee")),
            like=("D-lab3-denorm-best",),
        ),
        searched.rule(
            "floats-over-integer",
            "The best model of minifloat_ieee is ahead of that of integer.",
            searched.pair_superior(winner("minifloat_ieee"), winner("integer")),
            like=("C-lab3-integer-behind-floats",),
        ),
        searched.rule(
            "most-alike",
            "The best models of most formats are shown to lose less than a point against float32.",
            lambda s: s.exceeds(claim.value("formats.kept"), claim.number("formats") / 2),
            like=("B-lab3-most-alike",),
        ),
        narrow.rule(
            "block_fp-narrowest",
            "No format keeps within a point of float32 with fewer bits than block_fp.",
            narrow.equals("narrowest.block_fp", "narrowest.least"),
        ),
    ]

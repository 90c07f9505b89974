"""The parts of the experiment, one a question: searches, finalists, and what they are held to."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from labs.experiments.precision import names, oddities, searches, sensitivity, sizes
from labs.experiments.precision.bench import Bench, Sizes, Training
from labs.experiments.precision.bits import Costs
from labs.experiments.precision.searches import Search
from labs.experiments.precision.sensitivity import Scores
from labs.experiments.precision.sizes import Searches
from labs.formats.configurations import at_widths
from labs.formats.names import FLOAT32, FORMATS, fixed_point
from labs.jobs.arguments import arguments_for
from labs.jobs.job import Job
from labs.records.names.studies import RATES
from labs.records.observations import Observations
from labs.studies.evaluations import Evaluation
from labs.studies.rates import choose

MIDDLING = f"integer {fixed_point(8, 4)}"
"""The format, in all layers, at which learning rates are compared: that of the lab."""


class Part:
    """One part of the experiment, on a bench."""

    def __init__(self, bench: Bench, replicate: int, sizes: Searches) -> None:
        self.bench, self.sizes = bench, sizes
        self.seen = Observations(replicate)
        self.costs = Costs(bench.base, bench.sizes.max_length)

    def observe(self, part: str) -> Observations:
        widths, penalties = self.sizes.widths, self.sizes.penalties
        parts = {
            names.UNIFORM: self._observe_uniform,
            names.PAIRS: lambda: self._observe_each(searches.of_pairs(self._chosen_rate())),
            names.ALL: lambda: self._observe_each(searches.of_all(widths)),
            names.EACH: lambda: self._observe_best(searches.of_formats()),
            names.COST: lambda: self._observe_cost(searches.of_cost(widths, penalties)),
        }
        parts[part]()
        return self.seen

    def _chosen_rate(self) -> float:
        """Train the model at each learning rate, in MIDDLING; return the best on validation."""
        bench = self.bench
        for rate in self.sizes.learning_rates:
            training = Training(bench.seed, rate)
            found = bench.evaluate(bench.uniform(MIDDLING), names.VALIDATION, training)
            case = {"split": names.VALIDATION, "learning_rate": rate}
            self.seen.fact("correct", found["correct"], "text", RATES, **case)
        return choose(self.seen)

    def _observe_uniform(self) -> None:
        """Judge the models whose layers are all alike; float32 on the test split as well."""
        bench = self.bench
        for reviews in (names.TRIALS, names.VALIDATION, names.TEST):
            self._keep_uniform(FLOAT32, reviews)
        self.seen.fact("layers", "; ".join(bench.layers), "text", names.UNIFORM)
        widths = [spelled for name in FORMATS for spelled in at_widths(name, self.sizes.widths)]
        for spelled in (*names.LAB_PAIRS, *widths):
            print(f"judging {spelled} in all layers", file=sys.stderr, flush=True)
            self._keep_uniform(spelled, names.VALIDATION)
        best = max(
            names.LAB_PAIRS,
            key=lambda pair: bench.accuracy(bench.uniform(pair), names.VALIDATION),
        )
        self._keep_uniform(best, names.TEST, role="best pair")
        self._observe_bytes()
        self._observe_oddities()

    def _keep_uniform(self, spelled: str, reviews: str, **case: Any) -> None:
        allocation = self.bench.uniform(spelled)
        self._keep(names.UNIFORM, allocation, reviews, spelled=spelled, **case)

    def _observe_bytes(self) -> None:
        """Keep the model's bytes in float32 and MXINT8, and with its embeddings in MXINT8 too."""
        eight = self.bench.uniform("mxint8")
        everything = {**eight, **dict.fromkeys(self.costs.embeddings, "mxint8")}
        self._keep(names.UNIFORM, everything, names.VALIDATION, spelled=names.EVERYTHING)
        models = {FLOAT32: {}, names.LINEARS: eight, names.EVERYTHING: everything}
        for arm, allocation in models.items():
            self.seen.fact("bytes", self.costs.bytes(allocation), "bytes", arm)

    def _observe_oddities(self) -> None:
        """Judge the layers that in the labs' framework are not what they are called."""
        for name, change in (
            (names.WITHOUT_SCALE, oddities.without_scale),
            (names.ON_INPUTS, oddities.on_inputs),
        ):
            model = change(self.bench.base)
            evaluation = self.bench.evaluate_model(name, model, names.VALIDATION)
            self._keep_answers(evaluation, names.UNIFORM, split=names.VALIDATION, spelled=name)

    def _observe_each(self, all_searches: Sequence[Search]) -> None:
        for search in all_searches:
            self._keep_winner(search, self._search(search), names.TEST)

    def _observe_best(self, all_searches: Sequence[Search]) -> None:
        """Run searches that train nothing, and read the test split for the best of their winners.

        It has an arm of its own: each replicate may find another search to be the best.
        """
        winners = [(search, self._search(search)) for search in all_searches]
        best, winner = max(winners, key=lambda pair: self._final(*pair))
        self._keep(best.part, winner, names.TEST, role="winner", study=best.name)

    def _observe_cost(self, all_searches: Sequence[Search]) -> None:
        """Run searches, and hold the penalized ones to sharing bits out without a search."""
        winners = [(search, self._search(search)) for search in all_searches if not search.two]
        for search in all_searches:
            if search.two:
                self._search(search)
        choices = at_widths(names.COST_FORMAT, self.sizes.widths)
        scores = self._scores(choices)
        for search, winner in winners:
            self._keep_winner(search, winner, names.TEST)
            self._share_out(search.name, self.costs.bits(winner), choices, scores)

    def _scores(self, choices: Sequence[str]) -> dict[str, Scores]:
        """Return how sensitive each layer is to each format, by both ways, and keep it."""
        scores = {
            names.DIRECT: sensitivity.direct(self.bench, choices),
            names.GRADIENT: sensitivity.gradient(self.bench, choices),
        }
        before = self.bench.evaluate(self.bench.uniform(FLOAT32), names.TRAINING)["loss"]
        self.seen.fact("training loss", before, "bits", names.DIRECT)
        for way, by_layer in scores.items():
            for layer, by_choice in by_layer.items():
                for spelled, score in by_choice.items():
                    self.seen.fact("score", score, "bits", way, layer=layer, spelled=spelled)
        return scores

    def _share_out(
        self, study: str, budget: float, choices: Sequence[str], scores: Mapping[str, Scores]
    ) -> None:
        """Judge the models that get as many bits as a study's winner without a search."""
        bits = {
            layer: {spelled: self.costs.share(layer, spelled) for spelled in choices}
            for layer in self.bench.layers
        }
        for way, by_layer in scores.items():
            shared = sensitivity.allocate(by_layer, bits, budget)
            loss = sensitivity.predicted(by_layer, shared)
            self.seen.fact("predicted", loss, "bits", way, study=study)
            for reviews in (names.TRAINING, names.TEST):
                self._keep(way, shared, reviews, study=study)
        # The widest that fits; the narrowest does, since no layer of a winner is narrower.
        uniform, limit = map(self.bench.uniform, choices), budget + sensitivity.ROUNDING
        fitting = [allocation for allocation in uniform if self.costs.bits(allocation) <= limit]
        self._keep(names.SAME, max(fitting, key=self.costs.bits), names.TEST, study=study)

    def _search(self, search: Search) -> names.Allocation:
        """Run a search and judge its finalists; return the best of them."""
        sizes, name = self.sizes, search.name
        trials = searches.trials_of(search, self.bench, self.costs, sizes.trials, sizes.startup)
        case = {"part": search.part, "penalty": search.penalty, "two": search.two}
        self.seen.fact("choices", "; ".join(search.choices), "text", name, **case)
        training = search.training(self.bench.seed)
        for number, trial in enumerate(trials, 1):
            self._keep(name, trial.parameters, names.TRIALS, training, role="trial", trial=number)
        if search.two:
            return trials[0].parameters
        finalists, training = searches.best_of(trials, sizes.finalists), self._last_training(search)
        for rank, finalist in enumerate(finalists, 1):
            self._keep(name, finalist, names.VALIDATION, training, role="finalist", rank=rank)
        winner = max(finalists, key=lambda finalist: self._final(search, finalist))
        self._keep_winner(search, winner, names.VALIDATION)
        return winner

    def _final(self, search: Search, finalist: names.Allocation) -> float:
        """Return what a finalist is worth on all of validation."""
        accuracy = self.bench.accuracy(finalist, names.VALIDATION, self._last_training(search))
        return accuracy - search.penalty * self.costs.bits(finalist)

    def _keep_winner(self, search: Search, winner: names.Allocation, reviews: str) -> None:
        self._keep(search.name, winner, reviews, self._last_training(search), role="winner")

    def _last_training(self, search: Search) -> Training | None:
        """Return a training with a seed that no trial had."""
        return search.training(self.bench.seed + 1)

    def _keep(
        self,
        arm: str,
        allocation: names.Allocation,
        reviews: str,
        training: Training | None = None,
        **case: str | int,
    ) -> None:
        """Keep the answers, the loss, the formats and the bits of a model on some reviews."""
        case = {"split": reviews, **case}
        self._keep_answers(self.bench.evaluate(allocation, reviews, training), arm, **case)
        self.seen.fact("bits", self.costs.bits(allocation), "bits", arm, **case)
        formats = "; ".join(allocation[layer] for layer in self.bench.layers)
        self.seen.fact("formats", formats, "text", arm, **case)

    def _keep_answers(self, evaluation: Evaluation, arm: str, **case: str | int) -> None:
        self.seen.fact("correct", evaluation["correct"], "text", arm, **case)
        self.seen.fact("loss", evaluation["loss"], "bits", arm, **case)


def observe(bench: Bench, searches: Searches, replicate: int, part: str) -> Observations:
    return Part(bench, replicate, searches).observe(part)


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    reviews = Sizes(**arguments_for(arguments, Sizes))
    return {
        "bench": Bench(**arguments_for(arguments, Bench), sizes=reviews),
        "searches": Searches(**arguments_for(arguments, Searches)),
    }


JOB = Job(
    "precision",
    observe,
    sizes.SETTINGS,
    files=("model", "tokens", "studies"),
    replicated=True,
    choice=("part", names.PARTS),
    inputs=_inputs,
)

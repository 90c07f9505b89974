"""Where allocations of formats to layers are judged: without training, or after some.

Trials are judged on a part of the validation split, finalists on all of it. The test split is read
at the end, for models that were chosen without it.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn
from transformers import BertForSequenceClassification

from labs.data.reviews import Reviews, load
from labs.experiments.precision.names import TEST, TRAINING, TRIALS, VALIDATION, Allocation
from labs.formats.configurations import configuration
from labs.formats.factory import make_quantizer
from labs.formats.names import FLOAT32
from labs.models import classifiers
from labs.models.evaluation import answers, loss, predict_from_first
from labs.models.first_tokens import first_tokens_alone
from labs.models.layers import linears
from labs.models.optimization import Plan
from labs.models.quantized import quantize_linears
from labs.models.training import seed_of, train
from labs.records.packed import unpack
from labs.setup.quantities import Limit
from labs.studies.evaluations import Evaluation, Evaluations, key
from labs.studies.identity import code, content, surroundings


@dataclass(frozen=True)
class Sizes:
    """Tokens per review; reviews of trials, of held-out splits, of training and its batches."""

    max_length: int
    trial_reviews: Limit
    held_out: Limit
    reviews: Limit
    batch_size: int


class Training(NamedTuple):
    """The training of a model in its formats: an epoch."""

    seed: int
    learning_rate: float


class Bench:
    """Judges the base model in many formats, for one replicate; what it has judged is kept.

    ``studies`` is where: no output of a workflow, so that it outlives a change of the experiment.
    """

    def __init__(
        self,
        tokens: Path,
        model: Path,
        sizes: Sizes,
        seed: int,
        replicate: int,
        device: str,
        studies: Path,
    ) -> None:
        self.seed = seed_of(seed, replicate)
        self.sizes, self.device, self.folder = sizes, device, studies
        self.base = classifiers.load(model)
        self.layers = list(linears(self.base))
        self._tokens, self._model = tokens, model
        self._evaluations = Evaluations(studies / "evaluations")
        self._loaded: dict[str, Reviews] = {}

    def evaluate(
        self, allocation: Allocation, reviews: str, training: Training | None = None
    ) -> Evaluation:
        """Return what the model is worth with its layers in these formats.

        ``correct`` are its right and wrong answers, packed; ``loss`` is in bits a review. With a
        training it is trained in its formats first.
        """
        case = {"allocation": dict(allocation), "training": training}

        def judged(decided_by: Mapping[str, Any]) -> Evaluation:
            model = self.quantized(allocation)
            if training:
                self._train(model, training, key(decided_by))
            return self._judge(model, reviews)

        return self._kept(case, reviews, judged)

    def evaluate_model(self, name: str, model: nn.Module, reviews: str) -> Evaluation:
        """Return the same of a model that is not an allocation but has a name."""
        return self._kept({"model": name}, reviews, lambda _: self._judge(model, reviews))

    def accuracy(
        self, allocation: Allocation, reviews: str, training: Training | None = None
    ) -> float:
        """Return the share of reviews that the model judges right."""
        return float(unpack(self.evaluate(allocation, reviews, training)["correct"]).mean())

    def uniform(self, spelled: str) -> Allocation:
        return dict.fromkeys(self.layers, spelled)

    def quantized(self, allocation: Allocation) -> BertForSequenceClassification:
        """Return a copy of the base model with its layers, and embeddings, in these formats."""
        model = copy.deepcopy(self.base)
        for layer, spelled in allocation.items():
            module = model.get_submodule(layer)
            if spelled != FLOAT32 and isinstance(module, nn.Embedding):
                quantize = make_quantizer(configuration(spelled)).quantize
                module.weight = nn.Parameter(quantize(module.weight.detach()))
            elif spelled != FLOAT32:
                quantize_linears(model, configuration(spelled), [layer])
        return model

    def reviews(self, name: str) -> Reviews:
        sizes = self.sizes
        split, limit = {
            TRIALS: ("validation", sizes.trial_reviews),
            VALIDATION: ("validation", sizes.held_out),
            TEST: ("test", sizes.held_out),
            TRAINING: ("train", sizes.trial_reviews),
        }[name]
        if name not in self._loaded:
            self._loaded[name] = load(self._tokens, split, sizes.max_length, limit)
        return self._loaded[name]

    def _kept(
        self,
        case: Mapping[str, Any],
        reviews: str,
        evaluate: Callable[[Mapping[str, Any]], Evaluation],
    ) -> Evaluation:
        decided_by = {
            "sizes": asdict(self.sizes),
            "seed": self.seed,
            "data": content((self._tokens, self._model)),
            "code": code(__file__),
            **surroundings(self.device),
            "reviews": reviews,
            **case,
        }
        return self._evaluations.get(decided_by, lambda: evaluate(decided_by))

    def _judge(self, model: nn.Module, reviews: str) -> Evaluation:
        labelled = self.reviews(reviews)
        logits = predict_from_first(model, labelled, self.device)
        return {"correct": answers(logits, labelled), "loss": loss(logits, labelled)}

    def _train(self, model: BertForSequenceClassification, training: Training, name: str) -> None:
        sizes = self.sizes
        plan = Plan(1, training.learning_rate, sizes.batch_size)
        reviews = load(self._tokens, "train", sizes.max_length, sizes.reviews, self.seed)
        checkpoint = self.folder / f"{name}.checkpoint"
        with first_tokens_alone(model):
            train(model, reviews, plan, training.seed, self.device, checkpoint, name="a trial")
        checkpoint.unlink(missing_ok=True)

"""Lab 0's experiment: BERT-tiny exported for three sets of inputs, changed by passes, and compared.

torch.export replaces MASE's ``mg = MaseGraph(model, hf_input_names=...)``: the names of the inputs
become the keyword arguments that the model is exported with.  Outputs are called equal only if all
their elements are.
"""

import importlib
import inspect
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx, nn
from torch.export import ExportedProgram

from labs.experiments.graphs import sizes
from labs.experiments.graphs.description import describe
from labs.experiments.graphs.names import IDS, LABELS, MASK, REMOVED, TRAINING
from labs.experiments.graphs.outputs import AttentionMasks, Inputs, Trace, differing, run
from labs.experiments.graphs.passes import (
    argument,
    attention_dropouts,
    dropouts,
    remove_dropouts,
    silence_attention,
)
from labs.jobs.job import Job
from labs.measure.correctness import compare, require
from labs.models import untrained as models
from labs.records.observations import Observations

SIGNATURES = {
    IDS: ("input_ids",),
    MASK: ("input_ids", "attention_mask"),
    LABELS: ("input_ids", "attention_mask", "labels"),
}
LAYERS = 2


Graphs = Mapping[str, ExportedProgram]


def observe(batch_size: int, sequence_length: int, seed: int) -> Observations:
    """Return all nodes of all graphs, and comparisons of their outputs.

    The model is exported with a batch of so many sequences without padding, and tokens in each.
    """
    seen = Observations(0)
    torch.manual_seed(seed)
    model = models.bert_tiny(num_hidden_layers=LAYERS).eval()
    tokens = models.tokens(batch_size, sequence_length)
    labels = torch.randint(0, 2, (batch_size,))
    batch = {"input_ids": tokens, "attention_mask": torch.ones_like(tokens), "labels": labels}
    inputs = {arm: {name: batch[name] for name in named} for arm, named in SIGNATURES.items()}
    ids = inputs[IDS]
    graphs = {arm: export(model, given) for arm, given in inputs.items()}
    graphs[REMOVED] = export(model, ids)
    remove_dropouts(graphs[REMOVED].graph)
    graphs[TRAINING] = export(model.train(), ids)
    model.eval()
    for arm, program in graphs.items():
        _observe_nodes(seen, program, arm)
    modules = sum(isinstance(module, nn.Dropout) for module in model.modules())
    seen.fact("dropout modules", modules, "count", "model")
    seen.fact("parameters", sum(p.numel() for p in model.parameters()), "count", "model")
    with torch.no_grad():
        _observe_export(seen, model, graphs[IDS], ids)
        _observe_removal(seen, graphs, ids)
        _observe_inputs(seen, graphs, inputs)
        _observe_shapes(seen, graphs[IDS], ids)
        _observe_training(seen, graphs[TRAINING], ids)
    _observe_errors(seen, model, export(model, ids))
    for graph_pass in (dropouts, remove_dropouts):
        seen.fact("code", inspect.getsource(graph_pass), "text", graph_pass.__name__)
    return seen


def export(model: nn.Module, inputs: Inputs) -> ExportedProgram:
    """Return the model's graph for these inputs, in the model's current mode."""
    return torch.export.export(model, (), dict(inputs))


def _observe_nodes(seen: Observations, program: ExportedProgram, arm: str) -> None:
    """Record every node of a graph, and its number of dropouts, as nodes and inside attention."""
    for node in describe(program):
        words = asdict(node)
        operator = words.pop("operator")
        seen.fact("node", operator or node.kind, "text", arm, **words)
    seen.fact("dropout nodes", len(dropouts(program.graph)), "count", arm)
    inside = len(attention_dropouts(program.graph))
    seen.fact("dropouts inside attention", inside, "count", arm)


def _compare(seen: Observations, arm: str, reference: str, *outputs: torch.Tensor) -> None:
    """Record how many elements of two outputs differ."""
    case = {"reference": reference, "elements": outputs[0].numel()}
    seen.fact("differing elements", differing(*outputs), "count", arm, **case)


def _observe_export(
    seen: Observations, model: nn.Module, program: ExportedProgram, ids: Inputs
) -> None:
    """Record how the graph compares with the eager model, and which of them mask attention."""
    with AttentionMasks() as masks:
        eager = model(**ids).logits
    seen.check(
        "exported", "eager", require(compare(run(program, ids), eager), "the exported graph")
    )
    seen.fact("attention masks", masks.given, "count", "eager")
    given = [argument(node, "attn_mask") for node in program.graph.nodes]
    made = [mask for mask in given if mask is not None]
    seen.fact("attention masks", len(made), "count", "exported")
    values = Trace(program, ids).values
    masked = sum(int((~values[mask.name]).sum()) for mask in made)
    seen.fact("masked positions", masked, "count", "exported")


def _observe_removal(seen: Observations, graphs: Graphs, ids: Inputs) -> None:
    """Record what removing the dropouts, and then saving and loading, do to the outputs."""
    before, after = run(graphs[IDS], ids), run(graphs[REMOVED], ids)
    _compare(seen, "dropouts removed", "dropouts in place", after, before)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "removed.pt2"
        torch.export.save(graphs[REMOVED], path)
        loaded = torch.export.load(path)
    _compare(seen, "loaded from its file", "dropouts removed", run(loaded, ids), after)
    seen.fact("dropout nodes", len(dropouts(loaded.graph)), "count", "loaded")
    seen.fact("nodes", len(loaded.graph.nodes), "count", "loaded")


def _observe_training(seen: Observations, program: ExportedProgram, ids: Inputs) -> None:
    """Record whether the train-mode graph draws random numbers as dropouts are removed."""
    changes: dict[str, Callable[[fx.Graph], None]] = {
        "train mode": lambda graph: None,
        "train mode, dropout nodes removed": remove_dropouts,
        "train mode, attention's dropout off too": silence_attention,
    }
    for arm, change in changes.items():
        change(program.graph)
        outputs = []
        for seed in (0, 1):
            torch.manual_seed(seed)
            outputs.append(run(program, ids))
        _compare(seen, arm, "the same with another seed", *outputs)


def _observe_inputs(seen: Observations, graphs: Graphs, inputs: Mapping[str, Inputs]) -> None:
    """Record what mask and labels do to the outputs; the padding is half of each sequence."""
    without, ones = (run(graphs[arm], inputs[arm]) for arm in (IDS, MASK))
    padding = inputs[MASK]["attention_mask"].clone()
    padding[:, padding.shape[1] // 2 :] = 0
    padded = run(graphs[MASK], {**inputs[MASK], "attention_mask": padding})
    _compare(seen, "a mask of ones", "no mask", ones, without)
    _compare(seen, "a mask with padding", "no mask", padded, without)
    outputs = graphs[LABELS].module()(**inputs[LABELS])
    _compare(seen, "logits with labels", "logits without labels", outputs.logits, ones)
    loss = F.cross_entropy(outputs.logits, inputs[LABELS]["labels"])
    _compare(seen, "loss", "cross_entropy of the logits", outputs.loss, loss)


def _observe_shapes(seen: Observations, program: ExportedProgram, ids: Inputs) -> None:
    """Record how a real run compares with what the export inferred.

    That is the number of nodes whose shape or type differs and, for every node, whether its output
    has its own memory or shares an input's.
    """
    trace = Trace(program, ids)
    wrong = 0
    operators = [node for node in program.graph.nodes if node.op == "call_function"]
    tensors = [node for node in operators if isinstance(node.meta["val"], torch.Tensor)]
    for node in tensors:
        inferred, computed = node.meta["val"], trace.values[node.name]
        wrong += (inferred.shape, inferred.dtype) != (computed.shape, computed.dtype)
        memory = "shared" if node.name in trace.sharing else "new"
        seen.fact("memory", memory, "text", IDS, node=node.name)
    seen.fact("shapes inferred", len(tensors), "count", IDS)
    seen.fact("shapes inferred wrongly", wrong, "count", IDS)


def _observe_errors(seen: Observations, model: nn.Module, program: ExportedProgram) -> None:
    """Record the exact errors of approaches that do not work; "" for one that does."""
    first = dropouts(program.graph)[0]
    attempts: dict[str, Callable[[], Any]] = {
        "erase": lambda: program.graph.erase_node(first),
        "symbolic_trace": lambda: fx.symbolic_trace(model),
        "symbolic_trace, logits alone": lambda: fx.symbolic_trace(models.Logits(model)),
        "transformers' tracer": lambda: importlib.import_module("transformers.utils.fx"),
    }
    for arm, attempt in attempts.items():
        error = ""
        try:
            attempt()
        except Exception as raised:  # whatever it raises is the finding
            error = f"{type(raised).__name__}: {raised}"
        seen.fact("error", error, "text", arm)
    seen.fact("nodes", len(program.graph.nodes), "count", "erase")


JOB = Job("graphs", observe, sizes.SETTINGS)

"""Records with known contents, as the measuring programs would write them."""

from __future__ import annotations

from itertools import product
from typing import Any

Row = dict[str, Any]
PROCESSES = 3
JITTER = (1.0, 1.002, 0.998)
"""The factor of each process on all its times."""

ENVIRONMENT = {
    "host": "test",
    "system": "test",
    "python": "3.11",
    "cpu": "a processor",
    "cores": 2,
    "usable_cores": 2,
    "threads": 2,
    "memory_bytes": 2**30,
    "governor": "not reported",
    "vector_extensions": "none",
    "compiler": "none",
    "allocation": "none",
    "node": "no cluster",
    "packages": {"torch": "2"},
    "commit": "c0ffee",
    "changes": "clean",
}


def sample(process: int, quantity: str, arm: str, seconds: list[float], **case: Any) -> Row:
    """One row of samples, with the process's jitter applied."""
    times = [second * JITTER[process] for second in seconds]
    row = {"process": process, "quantity": quantity, "arm": arm, "case": case}
    return {**row, "calls": int(case.get("count", 1)), "seconds": times}


def fact(process: int, name: str, value: float | str, unit: str, arm: str, **case: Any) -> Row:
    """One row of facts."""
    row = {"process": process, "arm": arm, "case": case}
    return {**row, "name": name, "value": value, "unit": unit}


def record(experiment: str, spec: Row, **rows: list[Row]) -> Row:
    """A record measured on the CPU."""
    everything: dict[str, list[Row]] = {"samples": [], "facts": [], "checks": [], "profiles": []}
    load = {"load_1min": 0.1, "memory_used": 0.1}
    return {
        "experiment": experiment,
        "device": "cpu",
        "status": "measured",
        "spec": {"processes": PROCESSES, "rounds": 2, "seed": 1, "threads": "all", **spec},
        "environment": ENVIRONMENT,
        "started": "2026-01-01T00:00:00+00:00",
        "finished": "2026-01-01T00:01:00+00:00",
        "loads": [
            {"process": process, "cache": process, "before": load, "after": load}
            for process in range(PROCESSES)
        ],
        **{**everything, **rows},
    }


LAB_RUN = {"batch_size": 128, "asked_batch_size": 128, "image_size": 224, "depths": [2, 2, 2, 2]}
COMPILER_COUNTS = {
    "graphs": 1,
    "graph breaks": 0,
    "captured operators": 60,
    "nodes before fusion": 50,
    "generated kernels": 30,
    "library calls": 20,
}


def compilation(
    eager: float = 1.0, compiled: float = 0.5, first_call: float = 20.0, recompilations: int = 0
) -> Row:
    """A record of the lab's loop with these later calls of the corrected model and this first one,
    in seconds. The lab's mode is half as slow again; a fifth of an eager call is outside libraries.
    """
    samples, facts = [], []
    for process, (mode, slower, calls) in product(
        range(PROCESSES), (("train+grad", 1.5, 5), ("eval+no_grad", 1.0, 12))
    ):
        case = {"model": "resnet18", "mode": mode}
        cold = {**case, "cache": "cold"}
        times = {"eager": eager * slower, "compiled": compiled * slower}
        for arm, seconds in times.items():
            first = first_call if arm == "compiled" else seconds
            samples.append(sample(process, "first calls", arm, [first], **cold))
            samples.append(sample(process, "steady", arm, [seconds] * (calls - 1), **case))
        facts += _compiler_facts(process, first_call, recompilations, cold)
        if mode == "eval+no_grad":
            facts += _library_facts(process, times, case)
    spec = {**LAB_RUN, "calls": 12, "counts": [5, 50]}
    return record("compilation", spec, samples=samples, facts=facts)


def compilation_modes(eager: float = 1.0, compiled: float = 0.5, first_call: float = 20.0) -> Row:
    """A record of modes and sizes with these times of the corrected models, in seconds."""
    samples, facts = [], []
    compiles = {
        "resnet18-small": ["eval+no_grad"],
        "resnet18-one": ["eval+no_grad"],
        "bert-tiny": ["train+grad", "eval+no_grad"],
    }
    slower = {"train+grad": 1.5, "train+no_grad": 1.3, "eval+grad": 1.2, "eval+no_grad": 1.0}
    for process, (model, modes) in product(range(PROCESSES), compiles.items()):
        again = {"model": model, "mode": modes[0]}
        seconds = [eager * slower[modes[0]]] * 2
        samples.append(sample(process, "steady", "eager again", seconds, **again))
        for mode, factor in slower.items():
            case = {"model": model, "mode": mode}
            times = {"eager": eager * factor, "compiled": compiled * factor}
            samples.append(sample(process, "steady", "eager", [times["eager"]] * 2, **case))
            if mode not in modes:
                continue
            samples.append(sample(process, "steady", "compiled", [times["compiled"]] * 2, **case))
            started = "" if model == "resnet18-small" else ", compiler started"
            for cache, first in (("cold", first_call), ("warm", first_call / 5)):
                found = {**case, "cache": f"{cache}{started}"}
                samples.append(sample(process, "first calls", "compiled", [first], **found))
                facts += _compiler_facts(process, first, 0, found)
            if mode == "eval+no_grad":
                facts += _library_facts(process, times, case)
    spec = {
        "image_size": 224,
        "small_batch_size": 8,
        "bert_tiny_batch_size": 8,
        "bert_tiny_sequence_length": 512,
        "bert_tiny_modes": compiles["bert-tiny"],
    }
    return record("compilation_modes", spec, samples=samples, facts=facts)


def _compiler_facts(process: int, first: float, recompilations: int, case: Row) -> list[Row]:
    """What the compiler did in a first call of so many seconds."""
    shares = (("Dynamo", 0.1), ("AOTAutograd", 0.1), ("Inductor", 0.7))
    facts = [
        fact(process, stage, first * share * JITTER[process], "s", "compiled", **case)
        for stage, share in shares
    ]
    counts = {**COMPILER_COUNTS, "recompilations": recompilations}
    return facts + [
        fact(process, name, count, "count", "compiled", **case) for name, count in counts.items()
    ]


def _library_facts(process: int, times: dict[str, float], case: Row) -> list[Row]:
    """Of each arm's call, four fifths of an eager one in libraries, and all of a compiled one."""
    facts = []
    for arm, seconds in times.items():
        library = seconds * (0.8 if arm == "eager" else 0.99)
        facts.append(fact(process, "library time", library, "s", arm, **case))
        facts.append(fact(process, "profiled time", seconds, "s", arm, **case))
    return facts


def fusion(
    gains: dict[str, float] | None = None,
    lab_check_passes: bool = True,
    linear_gain: float = 1.0,
    relu: float = 0.001,
) -> Row:
    """A fusion record with these speed-ups of fused attention, by number format, and of compiling
    linear + ReLU; ReLU alone takes ``relu`` of 0.01 seconds.
    """
    gains = gains or {"float32": 2.0, "bfloat16": 0.5, "float16": 2.0}
    samples, facts, checks, profiles = [], [], [], []
    for process in range(PROCESSES):
        samples.append(sample(process, "steady", "copy", [0.01] * 2))
        facts.append(fact(process, "bytes moved", 10**8, "bytes", "copy"))
        for order, seconds in (("first", 10.0), ("second", 1.0)):
            arm = "one operator, compiled"
            samples.append(sample(process, "first calls", arm, [seconds], order=order))
        samples += _linear_relu_samples(process, linear_gain, relu)
        for arm in ("compiled", "compiled, frozen weights"):
            for name in ("generated kernels", "library calls"):
                facts.append(fact(process, name, 1, "count", arm, dtype="float32"))
        for dtype, gain in gains.items():
            for shape, length in (("lab", 128), ("sweep", 64), ("sweep", 512)):
                case = {"dtype": dtype, "length": length, "batch": 2, "shape": shape}
                times = {"naive": 0.01, "naive again": 0.01, "fused": 0.01 / gain}
                if shape == "lab":
                    times["compiled naive"] = times["fused"]
                    times["compiled naive, no rewrite"] = 0.009
                    times["matrix products alone"] = 0.007
                    rewrites = fact(
                        process, "attention rewrites", 1, "count", "compiled naive", **case
                    )
                    facts.append(rewrites)
                for arm, seconds in times.items():
                    samples.append(sample(process, "steady", arm, [seconds] * 2, **case))
                for arm, peak in (("naive", length**2), ("fused", length)):
                    facts.append(fact(process, "peak memory", peak, "bytes", arm, **case))
                if (shape, dtype) == ("lab", "float16"):
                    for count in (5, 200):
                        for arm in ("naive", "fused"):
                            block = sample(process, "block", arm, [times[arm]], count=count, **case)
                            samples.append(block)
    for arm in ("fused", "wrong"):
        for reference in ("the lab's check", "the whole output"):
            passed = arm == "fused" or (reference == "the lab's check" and lab_check_passes)
            row = {"process": 0, "arm": arm, "reference": reference, "case": {}}
            checks.append({**row, "error": 0.0, "tolerance": 0.1, "passed": passed})
    for dtype in gains:
        row = {"process": 0, "arm": "naive", "case": {"dtype": dtype, "shape": "lab"}}
        profiles.append({**row, "operator": "bmm", "calls": 2, "seconds": 0.1, "share": 0.9})
    spec = {
        "shape": [2, 8, 128, 64],
        "lengths": [64, 512],
        "sweep_batch": 2,
        "dtypes": list(gains),
        "counts": [5, 200],
        "linear_shape": [2, 2, 2],
        "linear_dtypes": ["float32"],
    }
    rows = {"samples": samples, "facts": facts, "checks": checks, "profiles": profiles}
    return record("fusion", spec, **rows)


def _linear_relu_samples(process: int, gain: float, relu: float) -> list[Row]:
    times = {
        "eager": 0.01,
        "eager again": 0.01,
        "compiled": 0.01 / gain,
        "compiled, frozen weights": 0.01 / gain,
        "linear alone": 0.01 - relu,
        "ReLU alone": relu,
    }
    return [
        sample(process, "steady", arm, [seconds] * 2, dtype="float32")
        for arm, seconds in times.items()
    ]


def on_a_gpu(record: Row) -> Row:
    """The same record from a GPU, whose clock shows half the wall time, and twice when flushed."""
    samples = list(record["samples"])
    for row in record["samples"]:
        if row["quantity"] == "steady":
            for quantity, factor in (("steady, device", 0.5), ("flushed, device", 2.0)):
                seconds = [second * factor for second in row["seconds"]]
                samples.append({**row, "quantity": quantity, "seconds": seconds})
    return {**record, "device": "cuda", "samples": samples}

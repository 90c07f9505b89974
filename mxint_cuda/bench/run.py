"""Time mxint_cuda beside torch, in one process, and print the ratios that its bounds ask for.

The arms of a comparison run in random order within every round.  A ratio is that of the medians;
behind it stand the quartiles of the ratios of single rounds.
"""

import argparse
import hashlib
import json
import os
import platform
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from cases import CASES
from mxint_cuda.functional import CPU_LEVELS, LIBRARY, cpu_level
from peers import PEERS
from timing import OnCuda, measure, on_cpu

LAYERS = {"cpu": [(4096, 4096), (4096, 11008)], "cuda": [(4096, 4096), (8192, 28672)]}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument(
        "what", nargs="*", metavar="WHAT", help=f"of {', '.join(CASES['cpu'])}; by default all"
    )
    parser.add_argument("--device", choices=list(LAYERS), default="cpu", help="where to run")
    parser.add_argument(
        "--threads", type=int, default=len(os.sched_getaffinity(0)), help="CPU threads of torch"
    )
    parser.add_argument(
        "--level",
        choices=CPU_LEVELS,
        default=cpu_level(),
        help="instruction set of this package's kernels on the CPU",
    )
    parser.add_argument(
        "--rounds", type=int, default=21, help="fewest times that each arm is timed"
    )
    parser.add_argument(
        "--layer",
        type=int,
        nargs=2,
        metavar=("IN", "OUT"),
        help="the one layer to time, rather than those that the bounds are about",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="file for all that was measured")
    arguments = parser.parse_args()
    if arguments.rounds < 2:
        raise SystemExit("error: --rounds must be at least 2, for quartiles")
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
    cases = CASES[arguments.device]
    for name in arguments.what:
        if name not in cases:
            raise SystemExit(f"error: WHAT must be of {', '.join(cases)}, not {name}")
    if "peers" in arguments.what and all(peer.missing() for peer in PEERS.values()):
        raise SystemExit("error: no peer is here: pip install ./mxint_cuda[peers]")
    if arguments.device == "cuda" and not torch.cuda.is_available():
        raise SystemExit("error: torch finds no CUDA device here")
    if cpu_level(arguments.level) != arguments.level:
        raise SystemExit(f"error: this processor has no {arguments.level}")
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    found = environment(arguments.device)
    result: dict[str, Any] = {"environment": found, "comparisons": []}
    print("  ".join(f"{name}: {value}" for name, value in found.items()), flush=True)
    with torch.no_grad():
        for measured in comparisons(arguments):
            print(table(measured), flush=True)
            result["comparisons"].append(measured)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


def comparisons(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield each comparison's result as soon as there is one."""
    rng = random.Random(0)
    layers = [tuple(arguments.layer)] if arguments.layer else LAYERS[arguments.device]
    seconds = on_cpu if arguments.device == "cpu" else OnCuda()
    cases = CASES[arguments.device]
    for name in arguments.what or cases:
        for comparison in cases[name](layers):
            yield measure(comparison, arguments.rounds, rng, seconds)


def table(measured: dict[str, Any]) -> str:
    """Return the text of one comparison: its times, and what became of its bounds."""
    lines = ["", measured["title"]]
    lines += [
        f"  {name:<20}{median * 1e3:>10.3f} ms" for name, median in measured["medians_s"].items()
    ]
    for bound in measured["bounds"]:
        low, high = bound["quartiles"]
        verdict = "holds" if bound["holds"] else "MISSED"
        lines.append(
            f"  {bound['arm']} over {bound['over']}: {bound['ratio']:.2f} "
            f"[{low:.2f}, {high:.2f}], at least {bound['least']:.2f}: {verdict}"
        )
    return "\n".join(lines)


def environment(device: str) -> dict[str, Any]:
    """Return what the times depend on."""
    found: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": processor(),
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "instructions": f"{cpu_level()}, torch's {torch.backends.cpu.get_cpu_capability()}",
        "mxint_cuda": hashlib.sha256(LIBRARY.read_bytes()).hexdigest()[:12],
    }
    found |= {peer.package: peer.version for peer in PEERS.values() if not peer.missing()}
    if device == "cuda":
        found |= {"gpu": torch.cuda.get_device_name(), "cuda": torch.version.cuda}
    return found


def processor() -> str:
    """Return the processor's name, and its family and model, as some names say little."""
    fields = re.findall(
        r"^(model name|cpu family|model)\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE
    )
    if not fields:
        return platform.machine()
    return "{model name}, family {cpu family}, model {model}".format_map(dict(fields))


if __name__ == "__main__":
    main()

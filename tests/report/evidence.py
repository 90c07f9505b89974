"""The inputs of a small report, written to a folder: three questions and their answers."""

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from labs.records.record import DRAFT, NOT_MEASURED
from reporting.html import Report
from reporting.reading import load, read_lab_sizes
from reporting.stylesheet import stylesheet

REPORT = Path(__file__).parents[2] / "report"

COMPILE = r"""
<p>See {{ ref("table:steady") }} and {{ ref("figure:iterations") }}; it takes {{ value("eager") }},
or {{ value("gain") }}, with {{ math("t_e", spoken="t sub e") }}.</p>
{{ math("k = \\frac{T}{t_e}", spoken="k equals T over t sub e", display=true) }}
<p>{{ say("faster", confirmed="Compiled is <em>faster</em>: {gain}.",
       refuted="Compiled is slower: {gain:point}.",
       undecided="Undecided: {gain}.") }}</p>
{{ figure("iterations", caption="Every iteration, {eager:point} each.") }}
{{ table("steady", columns=[("arm", "Arm"), ("seconds", "Time", "duration"), ("n", "Calls"),
                            ("verdict", "Verdict")], caption="Steady state.") }}
"""
CUDA = """
<p>{{ say("cuda-faster", confirmed="Yes: {cuda}.", refuted="No: {cuda}.",
       undecided="Undecided: {cuda}.") }}</p>
{% if has("cuda") %}<p>{{ value("cuda") }}</p>{% endif %}
"""
FIGURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40">'
    '<path d="M0 40 L160 0" stroke="#17466b" fill="none"/></svg>'
)


def claim(**changes: Any) -> dict[str, Any]:
    return {
        "id": "faster",
        "question": "lab4-1a",
        "statement": "Compiled is faster.",
        "verdict": "confirmed",
        "reason": "",
        "estimate": 1.27,
        "interval": [1.25, 1.29],
        "unit": "ratio",
        "device": "cpu",
        "machine": "this machine",
        "evidence": "results/quick/records/compilation/cpu.json",
        "conditions": {},
        "contradicts": ["A-slower"],
        "other_sizes": {},
    } | changes


ON_CUDA = claim(
    id="cuda-faster",
    question="lab4-1b",
    verdict="not measured",
    reason="no CUDA device was found",
    estimate=None,
    interval=None,
    device="cuda",
    contradicts=[],
)


@dataclass
class Inputs:
    """The inputs of one report; `write` puts them into a folder and `render` makes the HTML."""

    values: Sequence[Sequence[Any]] = (
        ("eager", 0.1241, 0.1225, 0.126, "s", "r.json"),
        ("gain", 1.27, 1.25, 1.29, "ratio", "r.json"),
    )
    claims: Sequence[dict[str, Any]] = field(default_factory=lambda: [claim(), ON_CUDA])
    # The answers; others may import the last one.
    compile: str = COMPILE
    cuda: str = CUDA
    shared: str = "<p>It is exact.</p>"
    verdict: str | None = "faster"
    found: dict[str, str] = field(
        default_factory=lambda: {"confirmed": "{gain:point} as fast", "refuted": "not faster"}
    )
    opening: str = "<p>What the lab asks.</p>"
    steady: Sequence[Sequence[Any]] = (
        ("eager", 0.1241, 0.1225, 0.126, 200, "not measured", "cpu"),
        ("compiled", 0.0975, 0.0961, 0.0988, 200, "confirmed", "cpu"),
        ("compiled, cold", "", "", "", 5, "undecided", "cuda"),
    )
    # What else is known of the machine.
    facts: Sequence[tuple[str, str]] = ()
    # How many of the 67 samples of compilation that count were disturbed.
    disturbed: int = 0
    # How many cores its job left to others.
    left: int = 0
    alt: str = "A line that rises."
    lab_sizes: dict[str, Any] = field(
        default_factory=lambda: {
            "lab4-1a": {
                "lab": "Five `calls`.",
                "sizes": {"kernels.shape": [32, 8], "kernels.rate": 0.00005, "seed": 42},
                "check": "not checked: an hour",
            },
            "lab4-1b": {"lab": "The same.", "sizes": {"kernels.shape": [32, 8]}}
            | {"check": "as the lab"},
            "lab4-3a": {"lab": "Words.", "sizes": {}, "check": "exact: depends on no size"},
        }
    )
    config: dict[str, Any] = field(
        default_factory=lambda: {
            "preset": "quick",
            "seed": 42,
            "presets": {
                "smoke": {"kernels": {"shape": [2, 8], "rate": 0.1}},
                "quick": {"kernels": {"shape": [32, 8], "rate": 0.001}},
                "full": {"kernels": {"shape": [32, 8], "rate": 0.00005}},
            },
        }
    )
    # What this run sets otherwise.
    changed: Sequence[str] = ()
    # Why a draft lacks the record that a claim is judged on, by the record's path.
    lacked: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write every file that render_html.py reads."""
        tables: dict[str, list[Sequence[Any]]] = {
            "values": [("name", "value", "low", "high", "unit", "evidence"), *self.values],
            "steady": [
                ("arm", "seconds", "seconds_low", "seconds_high", "n", "verdict", "device"),
                *self.steady,
            ],
            "machine": [
                ("key", "value"),
                ("machine", "A processor, 2 cores"),
                *self.facts,
                ("measured", "2026-11-20T14:03:22+00:00"),
                ("commit", "4f1c2ab"),
            ],
            "timing": [
                ("experiment", "device", "processes", "needed", "samples", "taken_again")
                + ("disturbed", "others", "left", "waited"),
                ("compilation", "cpu", 6, 9, 70, 3, self.disturbed, 0.1, self.left, 1.5),
            ],
            "settings": [
                ("record", "setting", "value"),
                ("kernels.cpu", "shape", "32, 8"),
                ("search", "init", "random"),
            ],
            "jobs": [
                ("record", "command", "status", "values"),
                ("a.json", "python scripts/measure.py", "measured", "a"),
                *(
                    (path, "", NOT_MEASURED + DRAFT + why, "other gain.cpu")
                    for path, why in self.lacked.items()
                ),
            ],
        }
        (folder / "tables").mkdir(parents=True)
        for name, rows in tables.items():
            with (folder / "tables" / f"{name}.csv").open("w", newline="") as file:
                csv.writer(file).writerows(rows)
        (folder / "figures").mkdir()
        (folder / "figures" / "iterations.svg").write_text(FIGURE)
        (folder / "figures" / "iterations.json").write_text(json.dumps({"alt": self.alt}))
        (folder / "claims.json").write_text(json.dumps(self.claims))
        common = {"lab": 4, "source": "the sheet"}
        questions = [
            {"id": "lab4-1a", "title": "Compile", "text": "Why `so`?\n\nAnd?", **common}
            | {"answer": "answers/compile.html.j2", "verdict": self.verdict}
            | {"line": "Is it faster?", "found": self.found},
            {"id": "lab4-1b", "title": "Compile on cuda", "text": "And there?", **common}
            | {"answer": "answers/cuda.html.j2", "verdict": ON_CUDA["id"]},
            {"id": "lab4-3a", "title": "Formats", "text": None, "asks": "What of it?", **common}
            | {"answer": "answers/shared.html.j2"},
        ]
        (folder / "questions.yaml").write_text(yaml.safe_dump(questions))
        statement = {
            "id": "A-slower",
            "report": "A",
            "question": "lab4-1a",
            "device": "cpu",
            "quote": "it is so",
            "says": "It is so.",
            "about": "speed",
            "values": [{"name": "speedup", "value": 1.5, "unit": "ratio"}],
            "doubt": "No spread is given.",
            "hardware": "a laptop",
        }
        published = {
            "reports": [{"id": "A", "label": "published report A", "hardware": "a laptop"}],
            "statements": [statement],
        }
        (folder / "published.yaml").write_text(yaml.safe_dump(published))
        (folder / "lab_sizes.yaml").write_text(yaml.safe_dump(self.lab_sizes, sort_keys=False))
        (folder / "config.yaml").write_text(yaml.safe_dump(self.config, sort_keys=False))
        templates = folder / "templates"
        copytree(REPORT / "templates", templates, ignore=ignore_patterns("answers"))
        (templates / "answers").mkdir()
        (templates / "openings.html.j2").write_text(self.opening)
        (templates / "basis.html.j2").write_text("A processor.")
        for name in ("compile", "cuda", "shared"):
            (templates / "answers" / f"{name}.html.j2").write_text(getattr(self, name))

    def render(self, preset: str = "quick") -> str:
        css = stylesheet(REPORT / "style", REPORT / "fonts")
        with TemporaryDirectory() as name:
            folder = Path(name)
            self.write(folder)
            evidence = load(
                folder / "tables",
                [folder / "figures" / "iterations.svg"],
                folder / "claims.json",
                [folder / "questions.yaml"],
                folder / "published.yaml",
                read_lab_sizes(
                    folder / "lab_sizes.yaml", folder / "config.yaml", preset, self.changed
                ),
            )
            return Report(evidence, folder / "templates", preset).render(css)


def part(html: str, start: str, end: str = "</section>") -> str:
    """A document from the tag that begins with, or has, a text to an end tag."""
    found = html[html.rindex("<", 0, html.index(start) + 1) :]
    return found[: found.index(end)]


def plain(html: str) -> str:
    """The text of a document, without its style sheet, or of a part of one."""
    body = html[max(html.find("<body"), 0) :]
    words = re.sub(r"<[^>]*>", "", body).replace("\u00a0", " ")
    # Narrow spaces within numbers stay.
    return re.sub(r"\s+", " ", words, flags=re.ASCII)

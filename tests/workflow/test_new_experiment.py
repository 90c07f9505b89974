"""A new experiment is one folder, one rule file, one template and its sizes, and nothing else."""

import json
from pathlib import Path

from tests.checkout import MAKE, SMOKE, Checkout
from tests.report.evidence import plain

EXPERIMENT = "scripts/labs/experiments/primes"
FILES = {
    f"{EXPERIMENT}/sizes.py": '''
from dataclasses import dataclass

from labs.setup.kinds import whole
from labs.setup.quantities import Experiment
from labs.setup.section import setting


@dataclass(frozen=True)
class Sizes(Experiment):
    """The races of the primes."""

    path = "primes"

    below: int = setting(whole(10, 10**7), "where the count of primes ends")


SETTINGS = (Sizes.section().without("job-memory"),)
''',
    f"{EXPERIMENT}/names.py": """
TABLES = ("primes",)
FIGURES = ("primes",)
""",
    f"{EXPERIMENT}/observe.py": '''
"""Counts the primes that leave 1 and 3 when divided by 4."""

from labs.experiments.primes import sizes
from labs.jobs.job import Job
from labs.records.observations import Observations


def observe(below: int) -> Observations:
    seen = Observations(0)
    primes = [n for n in range(3, below) if all(n % d for d in range(2, int(n**0.5) + 1))]
    for remainder in (1, 3):
        count = sum(prime % 4 == remainder for prime in primes)
        seen.fact("primes", count, "count", f"{remainder} mod 4")
    return seen


JOB = Job("primes", observe, sizes.SETTINGS)
''',
    f"{EXPERIMENT}/values.py": """
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact
from labs.analysis.values import Tree, Values
from labs.records.quantity import counted
from labs.records.record import Record

ANALYSIS = Analysis("primes")


@ANALYSIS.values
def values(record: Record) -> Tree:
    return {f"rest{rest}": counted(fact(record, "primes", f"{rest} mod 4")[0]) for rest in (1, 3)}


@ANALYSIS.table_of_values("primes")
def primes_table(record: Record, values: Values) -> pd.DataFrame:
    rows = [(rest, values[f"rest{rest}"].value) for rest in (1, 3)]
    return pd.DataFrame(rows, columns=["rest", "primes"])
""",
    f"{EXPERIMENT}/claims.py": """
from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "primes"


def rules(record: Record, values: Values) -> list[Rule]:
    about = Rules(record, values, "primes", "lab0-primes")
    words = "More primes leave 3 than leave 1 when they are divided by 4"
    return [about.rule("biased", words, about.exceeds("rest3", "rest1"))]
""",
    f"{EXPERIMENT}/figures.py": """
import matplotlib.pyplot as plt
import pandas as pd

from labs.figures.figure import Drawing, Figures

FIGURES = Figures()


@FIGURES.figure("primes", "primes")
def draw_primes(table: pd.DataFrame) -> Drawing:
    figure, axes = plt.subplots()
    axes.bar(["1", "3"], table["primes"])
    return Drawing(figure, "Primes by what they leave.")
""",
    f"{EXPERIMENT}/question.yaml": """
- id: lab0-primes
  lab: 0
  title: The race of the primes
  text: null
  asks: Do more primes leave 3 than 1 when they are divided by 4?
  source: Chebyshev, 1853
  answer: answers/primes.html.j2
  verdict: primes.biased
""",
    "workflow/rules/experiments/primes.smk": '''
"""The race of the primes."""

from labs.experiments.primes import sizes


use rule counting as count_primes with:
    message:
        "Counting primes"
    output:
        record=record("primes"),
    params:
        program=experiment("primes"),
        settings=settings_as_flags(*sizes.SETTINGS),
    log:
        "<logs>/count_primes.log",
    resources:
        **resources_for(SIZES["primes"]["job-memory"]),
''',
    "report/templates/answers/primes.html.j2": """
{% call short() %}
<p>{{ say("primes", "biased",
  confirmed="Yes: {.rest3} leave 3, {.rest1} leave 1.",
  refuted="No: {.rest3} leave 3, {.rest1} leave 1.") }}</p>
{% endcall %}
{{ figure("primes", caption="Primes by what they leave when they are divided by four.") }}
""",
}
CLAIMS = f"{EXPERIMENT}/claims.py"
SETTINGS = "  quick:\n    primes: {job-memory: 500, below: 100}\n"


def test_a_new_experiment_is_planned_measured_judged_drawn_and_printed(
    finished_copy: Checkout,
) -> None:
    for name, text in FILES.items():
        path = finished_copy.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"))
    config = finished_copy.folder / "config.yaml"
    config.write_text(config.read_text().replace("  quick:\n", SETTINGS, 1))
    rules = {"count_primes", "evaluate_records", "draw_figures"}
    assert finished_copy.planned().keys() == {*rules, "render_html", "render_pdf", "all"}
    html = "results/smoke/report/report.html"
    done = finished_copy.run("snakemake", "--cores", "2", *SMOKE, "--", html)
    assert done.returncode == 0, done.stdout[-4000:]
    claims = json.loads((finished_copy.folder / Path(html).with_name("claims.json")).read_text())
    (claim,) = (claim for claim in claims if claim["id"] == "primes.biased")
    assert (claim["verdict"], claim["estimate"]) == ("confirmed", 13)
    text = (finished_copy.folder / html).read_text()
    assert "Yes: 13 leave 3, 11 leave 1." in plain(text)
    assert "Primes by what they leave when they are divided by four." in plain(text)
    with finished_copy.edited(lambda text: text.replace("More primes", "Fewer primes"), CLAIMS):
        done = finished_copy.run(*MAKE, "answer", "QUESTION=0.primes")
        assert done.returncode == 0, done.stdout
    page = "results/smoke/answers/lab0-primes/report.html"
    assert f"{page}#lab0-primes\n" in done.stdout
    assert "Fewer primes leave 3" in plain((finished_copy.folder / page).read_text())
    assert (finished_copy.folder / html).read_text() == text

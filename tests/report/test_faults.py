"""Where the HTML cannot be made, an error names what is missing or wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reporting import ReportError
from tests.report.evidence import Inputs


def test_an_error_names_the_template_that_it_is_in(tmp_path: Path) -> None:
    answers = {
        "shared.html.j2": "{% macro answer() %}\n{{ value('gone') }}\n{% endmacro %}",
        "compile.html.j2": "{% from 'answers/shared.html.j2' import answer %}{{ answer() }}",
    }
    with pytest.raises(ReportError, match=r"shared\.html\.j2, line 2: .*no value 'gone'"):
        Inputs(answers=answers).render(tmp_path / "inputs")


def answer(source: str) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.answers["cuda.html.j2"] = "<p>first line</p>\n" + source

    return change


def without_template(inputs: Inputs) -> None:
    del inputs.answers["cuda.html.j2"]


def with_claim(**changes: Any) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.claims[0] |= changes

    return change


def with_value(*row: Any) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.values.append(row)

    return change


def without_alt(inputs: Inputs) -> None:
    inputs.figure["alt"] = " "


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (answer('{{ value("gone") }}'), r"cuda\.html\.j2, line 2: .*no value 'gone'"),
        (answer('{{ claim("gone") }}'), r"cuda\.html\.j2, line 2: .*no claim 'gone'"),
        (answer("{{ gone }}"), r"cuda\.html\.j2, line 2: 'gone' is undefined"),
        (answer("{% if %}"), r"cuda\.html\.j2, line 2: "),
        (
            answer('{{ say("faster", refuted="{gone}") }}'),
            r"cuda\.html\.j2, line 2: .*no value 'gone'",
        ),
        (answer('{{ say("faster", confirms="") }}'), r"line 2: .*argument 'confirms'"),
        (answer('{{ "{gain:miles}" | fill }}'), "line 2: .*use point, interval"),
        (answer('{{ "{.gain}" | fill }}'), r"line 2: .*no value '\.gain'"),
        (answer('{{ "{.gone}" | fill(start("a", "b")) }}'), r"no value 'a\.b\.gone'"),
        (answer('{{ "{m:point}" | fill(start("a", m="M")) }}'), "no value 'M'"),
        (answer('{{ value("gain", gone) }}'), "line 2: 'gone' is undefined"),
        (answer('{{ figure("gone", caption="", device="cpu") }}'), "no figure 'gone_cpu'"),
        (answer('{{ table("gone", columns=[], caption="") }}'), "no table 'gone'"),
        (answer('{{ table("steady", columns=["x"], caption="") }}'), "no column 'x'"),
        (answer('{{ table("steady", columns=["arm"], caption="") }}'), "'steady' is shown twice"),
        (
            answer('{{ table("steady", columns=["arm"], where={"arm": "x"}, caption="") }}'),
            "no row where",
        ),
        (
            answer('{{ table("steady", columns=[("arm", "Arm", "ratio")], caption="", id="b") }}'),
            "column 'arm': could not convert",
        ),
        (
            answer('{{ table("steady", columns=[("arm", "Arm", "odd")], caption="", id="b") }}'),
            "format 'odd'",
        ),
        (answer('{{ ref("table:gone") }}'), "shows no such table"),
        (answer('{{ ref("gone") }}'), "write 'table:"),
        (answer('{{ math("\\frac{a}{b}", spoken="a") }}'), "lost a backslash"),
        (without_template, r"answers/cuda\.html\.j2: there is no template"),
        (with_claim(verdict="maybe"), r"claims\.json: faster: verdict 'maybe'"),
        (with_claim(contradicts=["gone"]), r"claims\.json: faster: 'gone' is missing"),
        (
            with_claim(other_sizes={"gone": {"a": 1}}),
            r"claims\.json: faster: 'gone' is missing",
        ),
        (
            with_claim(other_sizes={"A-slower": {"batch": 1}}),
            r"claims\.json: faster: 'batch' is missing",
        ),
        (with_claim(question="gone"), r"claims\.json: faster: there is no question 'gone'"),
        (with_claim(unit="furlong"), r"claims\.json: faster: unit 'furlong'"),
        (with_value("eager", 1, "", "", "s", ""), r"values\.csv: the name 'eager'"),
        (with_value("x", "much", "", "", "s", ""), r"values\.csv: x: could not convert"),
        (with_value("x", 1, "", ""), r"values\.csv: line 4 does not have 6 columns"),
        (without_alt, r"iterations\.json: 'alt' is empty"),
    ],
)
def test_what_is_missing_or_wrong_is_named(
    tmp_path: Path, change: Callable[[Inputs], None], message: str
) -> None:
    inputs = Inputs()
    change(inputs)
    with pytest.raises(ReportError, match=message):
        inputs.render(tmp_path / "inputs")

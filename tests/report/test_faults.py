"""Where the HTML cannot be made, an error names what is missing or wrong."""

from collections.abc import Callable
from typing import Any

import pytest

from reporting import ReportError
from tests.report.evidence import Inputs


def test_an_error_names_the_template_that_it_is_in() -> None:
    shared = "{% macro answer() %}\n{{ value('gone') }}\n{% endmacro %}"
    imports = "{% from 'answers/shared.html.j2' import answer %}{{ answer() }}"
    with pytest.raises(ReportError, match=r"shared\.html\.j2, line 2: .*no value 'gone'"):
        Inputs(compile=imports, shared=shared).render()


def answer(source: str) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.cuda = "<p>first line</p>\n" + source

    return change


def given(**fields: Any) -> Callable[[Inputs], None]:
    return lambda inputs: vars(inputs).update(fields)


TABLE = '{{ table("steady", columns=%s, caption="", id="b") }}'
SIZES = Inputs().lab_sizes
MISSPELT = SIZES | {"lab4-1a": SIZES["lab4-1a"] | {"sizes": {"kernels.shpae": 1}}}
WITHOUT_ONE = {name: size for name, size in SIZES.items() if name != "lab4-3a"}


def with_claim(**changes: Any) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.claims = [{**inputs.claims[0], **changes}, *inputs.claims[1:]]

    return change


def with_value(*row: Any) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.values = [*inputs.values, row]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (answer('{{ value("gone") }}'), r"cuda\.html\.j2, line 2: .*no value 'gone'"),
        (answer('{{ claim("gone") }}'), "no claim 'gone'"),
        (answer("{{ gone }}"), r"cuda\.html\.j2, line 2: 'gone' is undefined"),
        (answer("{% if %}"), r"cuda\.html\.j2, line 2: "),
        (answer('{{ say("faster", confirms="") }}'), r"line 2: .*argument 'confirms'"),
        (answer('{{ "{gain:miles}" | fill }}'), "line 2: .*only {gain} and {gain:point}"),
        (answer('{{ "{.gone}" | fill(start("a", "b")) }}'), r"no value 'a\.b\.gone'"),
        (answer('{{ "{m:point}" | fill(start("a", m="M")) }}'), "no value 'M'"),
        (answer('{{ figure("gone", caption="", device="cpu") }}'), "no figure 'gone_cpu'"),
        (answer('{{ table("gone", columns=[], caption="") }}'), "no table 'gone'"),
        (answer('{{ table("steady", columns=["x"], caption="") }}'), "no column 'x'"),
        (answer('{{ table("steady", columns=["arm"], caption="") }}'), "'steady' is shown twice"),
        (answer(TABLE % '["arm"], where={"arm": "x"}'), "no row where"),
        (answer(TABLE % '[("arm", "Arm", "ratio")]'), "column 'arm': could not convert"),
        (answer(TABLE % '[("arm", "Arm", "odd")]'), "format 'odd'"),
        (answer('{{ ref("table:gone") }}'), "shows no such table"),
        (answer('{{ ref("gone") }}'), "write 'table:"),
        (answer('{{ math("\\frac{a}{b}", spoken="a") }}'), "lost a backslash"),
        (answer('{{ setting("search.stort") }}'), "there is no setting 'search.stort'"),
        (given(compile=""), "no sentence in an answer on 'faster'"),
        (given(lab_sizes=MISSPELT), r"lab_sizes\.yaml: lab4-1a: 'kernels.shpae'"),
        (given(lab_sizes=WITHOUT_ONE), "there is no entry for lab4-3a"),
        (answer('{% include "gone" %}'), r"cuda\.html\.j2, line 2: there is no template 'gone'"),
        (with_claim(verdict="maybe"), r"claims\.json: faster: verdict 'maybe'"),
        (with_claim(contradicts=["gone"]), r"claims\.json: faster: 'gone' is missing"),
        (with_claim(other_sizes={"gone": {"a": 1}}), r"claims\.json: faster: 'gone' is missing"),
        (with_claim(other_sizes={"A-slower": {"batch": 1}}), "faster: 'batch' is missing"),
        (with_claim(question="gone"), r"claims\.json: faster: there is no question 'gone'"),
        (with_claim(unit="furlong"), r"claims\.json: faster: unit 'furlong'"),
        (with_value("eager", 1, "", "", "s", ""), r"values\.csv: the name 'eager'"),
        (with_value("x", "much", "", "", "s", ""), r"values\.csv: x: could not convert"),
        (with_value("x", 1, "", ""), r"values\.csv: line 4 does not have 6 columns"),
        (given(alt=" "), r"iterations\.json: 'alt' is empty"),
    ],
)
def test_what_is_missing_or_wrong_is_named(change: Callable[[Inputs], None], message: str) -> None:
    inputs = Inputs()
    change(inputs)
    with pytest.raises(ReportError, match=message):
        inputs.render()

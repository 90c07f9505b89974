"""In a real browser the tables of the report are filtered, and nothing keeps a reader out."""

from importlib.resources import files
from pathlib import Path

import pytest

from reporting.evidence import Evidence
from reporting.html import Report
from reporting.stylesheet import stylesheet
from tests.report import quick
from tests.report.browser import DESKTOP, PHONE, found, needs_chromium
from tests.report.evidence import Inputs, claim

pytestmark = needs_chromium

MANY = 20
"""Rows, so many that print leaves the table out and a screen filters it."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    inputs = Inputs(
        steady=[
            (f"arm {place:02}", 0.1, 0.1, 0.1, place, "confirmed", "cpu") for place in range(MANY)
        ],
        claims=[*Inputs().claims, claim(id="other", statement="Something else.")],
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(inputs.render(), encoding="utf-8")
    return path


def test_a_long_table_is_filtered(page: Path) -> None:
    shown = found(
        page,
        """
        const table = document.querySelector("#table-steady table");
        const field = table.previousElementSibling.querySelector("input");
        field.value = "ARM 07";
        field.dispatchEvent(new Event("input"));
        const shown = [...table.tBodies[0].rows].filter((row) => !row.hidden);
        return shown.map((row) => row.cells[0].textContent.trim());""",
    )
    assert shown == ["arm 07"]


def test_claims_are_filtered_with_the_records_they_come_from(page: Path) -> None:
    shown = found(
        page,
        """
        const list = document.querySelector("ul.claims");
        const field = list.previousElementSibling.querySelector("input");
        const visible = () => [...list.children].filter((row) => !row.hidden).length;
        const seen = [visible()];
        for (const word of ["something else", "in no claim"]) {
            field.value = word;
            field.dispatchEvent(new Event("input"));
            seen.push(visible());
        }
        return seen;""",
    )
    assert shown[1:] == [2, 0]
    assert shown[0] > 2


def test_the_contents_stay_at_the_side_and_say_where_one_is(page: Path) -> None:
    seen = found(
        page,
        """
        const place = document.getElementById("lab4-1a");
        place.scrollIntoView();
        dispatchEvent(new Event("scroll"));
        const side = document.querySelector("nav.contents").getBoundingClientRect();
        const body = document.querySelector("main").getBoundingClientRect();
        const here = [...document.querySelectorAll("nav.contents [aria-current]")];
        const links = here.map((link) => link.getAttribute("href"));
        return [side.top, side.right <= body.left, links];""",
    )
    assert seen == [0, True, ["#lab4-1a"]]


def test_a_reader_in_the_dark_gets_light_letters(page: Path) -> None:
    script = "const style = getComputedStyle(document.documentElement);"
    script += "return [style.color, style.backgroundColor].map((one) => Number(one.match(/\\d+/)));"
    light, dark = (found(page, script, dark=dark) for dark in (False, True))
    assert light[0] < light[1]
    assert dark[0] > dark[1]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_violation(page: Path, width: int, dark: bool) -> None:
    axe = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
    script = "const { violations } = await axe.run();"
    script += "return violations.map((one) => [one.id, one.nodes.map((node) => node.html)]);"
    assert found(page, f"{axe};{script}", width, dark) == []


def test_the_report_of_a_real_run_is_no_wider_than_a_phone(
    evidence: Evidence, tmp_path: Path
) -> None:
    report = quick.ROOT / "report"
    page = tmp_path / "report.html"
    css = stylesheet(report / "style", report / "fonts")
    page.write_text(Report(evidence, report / "templates", "quick").render(css), encoding="utf-8")
    script = "const { scrollWidth, clientWidth } = document.documentElement;"
    seen = found(page, script + "return [scrollWidth, clientWidth];", PHONE)
    assert seen[0] == seen[1] <= PHONE

"""The script sorts the tables of a real run's report: numbers by their size, words as words."""

import json
import re
import shutil
import subprocess
from itertools import groupby, pairwise
from typing import Any

import pytest
from lxml.html import document_fromstring  # type: ignore[import-untyped]

from labs.records.quantity import MINUS, NARROW, SCALES
from reporting.evidence import Evidence
from reporting.html import Report
from tests.report import browser, quick

TEMPLATES = quick.ROOT / "report" / "templates"
NODE = shutil.which("node")
UNITS = {step.symbol: step.factor for steps in SCALES.values() for step in steps} | {"pp": 0.01}
NUMBER = re.compile(rf"\[?({MINUS}?\d+(?:{NARROW}\d{{3}})*(?:\.\d+)?){NARROW}?([^\s,\]]*)")

# Of each column: its kind, its cells after one click and after two, and then its order.
SORTED = """
    return [...document.querySelectorAll("table.data")].flatMap((table) =>
        [...table.tHead.rows[0].cells].map((header) => [header.className, ...[1, 2].map(() => {
            header.querySelector("button").click();
            const cells = [...table.tBodies[0].rows].map((row) => row.cells[header.cellIndex]);
            return cells.map((cell) => cell.textContent.trim());
        }), header.getAttribute("aria-sort")]));"""

# As much of a document as tables.js and the above touch, of a text, a kind and a value per cell.
DOCUMENT = """
const cell = ([textContent, className, value], cellIndex) => ({
    textContent, className, cellIndex, dataset: value === null ? {} : { value }, childNodes: [],
    matches: (kinds) => kinds.split(", ").includes(`.${className}`),
    getAttribute() { return this.order; }, setAttribute(_, order) { this.order = order; },
    removeAttribute() { delete this.order; }, append(button) { this.querySelector = () => button; },
});
const table = ([head, ...body]) => {
    const heads = { cells: head.map(cell) }, rows = body.map((row) => ({ cells: row.map(cell) }));
    for (const header of heads.cells) header.parentNode = heads;
    const tBodies = [{ rows, append: (...sorted) => rows.splice(0, rows.length, ...sorted) }];
    return { tHead: { rows: [heads] }, tBodies, querySelector() {}, classList: { contains() {} } };
};
const tables = TABLES.map(table);
const createElement = () => ({ append() {}, addEventListener(_, run) { this.click = run; } });
const querySelectorAll = (selector) => (selector === "table.data" ? tables : []);
globalThis.document = { createElement, querySelectorAll };
globalThis.addEventListener = () => {};
"""


def told(cell: Any) -> tuple[str, str, str | None]:
    return cell.text_content(), cell.get("class", ""), cell.get("data-value")


@pytest.fixture(scope="module")
def columns(evidence: Evidence, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Every column as SORTED has it, in Chromium or else in node."""
    html = Report(evidence, TEMPLATES, "quick").render("")
    if browser.CHROMIUM:
        page = tmp_path_factory.mktemp("page") / "report.html"
        page.write_text(html, encoding="utf-8")
        return browser.found(page, SORTED)
    if not NODE:
        pytest.skip("there is no Chromium and no node on this machine")
    found = document_fromstring(html).find_class("data")
    tables = [[[*map(told, row)] for row in table.iter("tr")] for table in found]
    script = DOCUMENT.replace("TABLES", json.dumps(tables)) + (TEMPLATES / "tables.js").read_text()
    script += f"console.log(JSON.stringify((() => {{{SORTED}}})()));"
    done = subprocess.run([NODE, "-"], input=script, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def rise(cells: list[str], step: int = 1) -> bool:
    """Whether numbers, as far as shown, stand in their order or against it, and the rest behind."""
    found = [NUMBER.match(cell) for cell in cells]
    known = [number.groups() for number in found if number]
    bounds = []
    for digits, unit in known[::step]:
        value = float(digits.replace(NARROW, "").replace(MINUS, "-"))
        half = 0.500001 * 10.0 ** -len(digits.partition(".")[2])
        bounds.append(((value - half) * UNITS[unit], (value + half) * UNITS[unit]))
    return all(found[: len(known)]) and all(one[0] <= other[1] for one, other in pairwise(bounds))


def test_columns_of_numbers_are_sorted_by_them_and_cells_without_one_are_last(columns: Any) -> None:
    numbers = [column for column in columns if column[0] in ("number", "interval")]
    assert len(numbers) > 200
    assert {order for *_, order in columns} == {"descending"}
    assert [up for _, up, down, _ in numbers if not (rise(up) and rise(down, -1))] == []


def test_other_columns_are_sorted_as_text(columns: Any) -> None:
    words = [column[1:3] for column in columns if column[0] not in ("number", "interval")]
    groups = [[[text for text, _ in groupby(cells)] for cells in column] for column in words]
    assert [up for up, down in groups if len(set(up)) < len(up) or down != up[::-1]] == []
    assert ["4:2", "8:4", "32:16"] in [up[:3] for up, _ in groups]

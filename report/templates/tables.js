// On a screen the rows of a table can be sorted, long tables and the list of claims filtered, and wide
// tables scrolled. Without this script they are as in print.
(() => {
  "use strict";

  const text = (cell) => cell.textContent.trim();

  // Numbers within words count as such: "8 layers" stands before "12 layers".
  const words = new Intl.Collator("en", { numeric: true });
  const compareText = (one, other) => words.compare(text(one), text(other));
  const compareValue = (one, other) => one.dataset.value - other.dataset.value;

  // Columns of numbers by the values that their cells were written from; those without one come last.
  const sort = (table, header) => {
    const cell = (row) => row.cells[header.cellIndex];
    const numeric = header.matches(".number, .interval");
    const compare = numeric ? compareValue : compareText;
    const falls = header.getAttribute("aria-sort") === "ascending";
    const body = table.tBodies[0];
    const comparable = (row) => !numeric || "value" in cell(row).dataset;
    const rows = [...body.rows].filter(comparable).sort((one, other) => {
      const order = compare(cell(one), cell(other));
      return falls ? -order : order;
    });
    rows.push(...[...body.rows].filter((row) => !comparable(row)));
    for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", falls ? "descending" : "ascending");
    body.append(...rows);
  };

  const makeSortable = (table) => {
    for (const header of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => sort(table, header));
      header.append(button);
    }
  };

  const makeFilterable = (list, rows, what) => {
    const label = document.createElement("label");
    label.className = "filter";
    const field = document.createElement("input");
    field.type = "search";
    label.append(`Show only ${what} with `, field);
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase();
      let group = null;
      for (const row of rows) {
        if (row.classList.contains("evidence")) {
          group = row;
          group.hidden = wanted !== "";
        } else {
          row.hidden = !row.textContent.toLowerCase().includes(wanted);
          if (group && !row.hidden) group.hidden = false;
        }
      }
    });
    list.before(label);
  };

  // What scrolls by itself can be reached from the keyboard.
  const reach = () => {
    for (const table of document.querySelectorAll("table")) {
      if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
      else table.removeAttribute("tabindex");
    }
  };
  reach();
  addEventListener("resize", reach);

  for (const table of document.querySelectorAll("table.data")) {
    if (table.tHead && table.tBodies.length === 1 && !table.querySelector("[rowspan], [colspan]")) {
      makeSortable(table);
      if (table.classList.contains("long")) makeFilterable(table, [...table.tBodies[0].rows], "rows");
    }
  }
  for (const list of document.querySelectorAll("ul.claims")) {
    makeFilterable(list, [...list.children], "claims");
  }
})();

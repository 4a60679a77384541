// Widens the box of a flame graph that is clicked, or chosen by Enter; the lowest box shows all again.
// Sorts a table by the column whose heading is clicked.
"use strict";

function zoom(graph, chosen) {
  const from = Number(chosen.dataset.left);
  const width = Number(chosen.dataset.width);
  for (const box of graph.querySelectorAll(".box")) {
    const left = Number(box.dataset.left);
    const right = left + Number(box.dataset.width);
    const isSeen = right > from + 1e-9 && left < from + width - 1e-9;
    const begin = Math.max(left, from);
    const end = Math.min(right, from + width);
    box.setAttribute("x", `${(100 * (begin - from)) / width}%`);
    box.setAttribute("width", `${isSeen ? (100 * (end - begin)) / width : 0}%`);
    box.setAttribute("tabindex", isSeen ? "0" : "-1");
  }
}

function key(row, column) {
  const text = row.cells[column].textContent.trim();
  const number = parseFloat(text);
  return Number.isNaN(number) ? text : number;
}

function sort(table, column) {
  const heads = table.tHead.rows[0].cells;
  const falls = heads[column].getAttribute("aria-sort") !== "descending";
  const rows = [...table.tBodies[0].rows];
  rows.sort((one, other) => {
    const [a, b] = [key(one, column), key(other, column)];
    const order = typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? 1 : -1;
    return falls ? -order : order;
  });
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[column].setAttribute("aria-sort", falls ? "descending" : "ascending");
  table.tBodies[0].append(...rows);
}

/** Makes the graphs and tables below an element answer. */
function enliven(root) {
  for (const graph of root.querySelectorAll(".flame")) {
    for (const box of graph.querySelectorAll(".box")) {
      box.dataset.left = parseFloat(box.getAttribute("x")) / 100;
      box.dataset.width = parseFloat(box.getAttribute("width")) / 100;
      box.addEventListener("click", () => zoom(graph, box));
      box.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          zoom(graph, box);
        }
      });
    }
  }
  for (const table of root.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      head.firstElementChild?.addEventListener("click", () => sort(table, column));
    });
  }
}

enliven(document);

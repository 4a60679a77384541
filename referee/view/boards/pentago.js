// Pentago: four quadrants with nine cells each; a change turns or mirrors its quadrant as one looks on.

boards.pentago = (svg, text, change, variant) => {
  const cells = text.slice(0, 36);
  view(svg, -8, -8, 73, 73);
  for (const n of range(6)) {
    const along = 5 + 10 * n + (n > 2 ? 2 : 0);
    label(svg, along, -6, n);
    label(svg, -6, along, n);
  }
  const turned = change && pentagoTurn(change, variant);
  for (const quadrant of range(4)) {
    const [top, left] = [3 * (quadrant >> 1), 3 * (quadrant & 1)];
    const [x, y] = [15 + 32 * (quadrant & 1), 15 + 32 * (quadrant >> 1)];
    const group = add(svg, "g", {"data-quadrant": quadrant, transform: `translate(${x} ${y})`});
    const inner = add(group, "g");
    add(inner, "rect", {class: "wood edged", x: -15.4, y: -15.4, width: 30.8, height: 30.8, rx: 3});
    for (const row of range(3)) {
      for (const column of range(3)) {
        const stone = cells[6 * (top + row) + left + column];
        const name = `(${top + row}, ${left + column})`;
        const what = {".": "empty", w: "white", b: "black"}[stone];
        const cell = place(inner, name, 10 * column - 10, 10 * row - 10, `${name}: ${what}`);
        add(cell, "circle", {class: "spot hole", r: 4});
        if (stone !== ".") add(cell, "circle", {class: `man ${stone === "w" ? "light" : "dark"}`, r: 3.7});
      }
    }
    if (turned && turned.quadrant === quadrant) pentagoAnimate(group, inner, turned, change.still);
  }
  if (change) {
    const [player, [x, y]] = actionsOf(change)[0];
    const [row, column] = turned ? turned.lands(x, y) : [x, y];
    if (cells[6 * row + column] === "wb"[player]) {
      add(placeOf(svg, `(${row}, ${column})`), "circle", {class: "ring", r: 4.4});
    }
  }
  pentagoFives(svg, cells);
};

/** Where the change's quadrant is, how it turns, and where a cell of it comes to lie; null: not turned. */
function pentagoTurn(change, variant) {
  const [player, [x, y, quadrant, op]] = actionsOf(change)[0];
  const stone = "wb"[player];
  const placed = change.before.slice(0, 6 * x + y) + stone + change.before.slice(6 * x + y + 1, 36);
  if (variant === "classic" && pentagoWindows(placed).some((five) => placed[five[0]] === stone)) return null;
  const [top, left] = [3 * (quadrant >> 1), 3 * (quadrant & 1)];
  const kind = op === 0 ? "right" : variant.startsWith("classic") ? "left" : "flip";
  const lands = (row, column) => {
    const [r, c] = [row - top, column - left];
    if (r < 0 || r > 2 || c < 0 || c > 2) return [row, column];
    const [to, across] = {right: [c, 2 - r], left: [2 - c, r], flip: [r, 2 - c]}[kind];
    return [top + to, left + across];
  };
  return {quadrant, kind, lands};
}

/** The arrow beside a quadrant, and its turning from where it was to where it is. */
function pentagoAnimate(group, inner, {quadrant, kind}, still) {
  const [below, right] = [quadrant >> 1, quadrant & 1];
  const sign = add(group, "g", {class: "arrow", transform: `scale(${right ? 1 : -1} ${below ? 1 : -1})`});
  if (kind === "flip") {
    add(sign, "path", {d: "M-6 17.7H6"});
    add(sign, "path", {class: "tip", d: "M9 17.7l-3 -1.6v3.2zM-9 17.7l3 -1.6v3.2z"});
    add(sign, "path", {class: "axis", d: "M0 16V-16"});
  } else {
    // Drawn for the corner below on the right; mirrored for the others, and with it the way it turns.
    const forward = (kind === "right") === (below === right);
    add(sign, "path", {d: "M17.7 8.6Q17.7 17.7 8.6 17.7"});
    const tip = forward ? "M5.6 17.7l3.2 -1.6v3.2z" : "M17.7 5.6l-1.6 3.2h3.2z";
    add(sign, "path", {class: "tip", d: tip});
  }
  if (still || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const from = {right: "rotate(-90deg)", left: "rotate(90deg)", flip: "scaleX(-1)"}[kind];
  inner.animate([{transform: from}, {transform: "none"}], {duration: 700, easing: "ease-in-out"});
}

/** All places of five in a row that hold five of one colour. */
function pentagoWindows(cells) {
  const found = [];
  for (const [dx, dy] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    for (const start of range(36)) {
      const [x, y] = [Math.floor(start / 6), start % 6];
      const [lastX, lastY] = [x + 4 * dx, y + 4 * dy];
      if (lastX > 5 || lastY < 0 || lastY > 5) continue;
      const five = range(5).map((n) => 6 * (x + n * dx) + y + n * dy);
      if (cells[start] !== "." && five.every((cell) => cells[cell] === cells[start])) found.push(five);
    }
  }
  return found;
}

function pentagoFives(svg, cells) {
  const middle = (n) => 5 + 10 * n + (n > 2 ? 2 : 0);
  for (const five of pentagoWindows(cells)) {
    const [from, to] = [five[0], five[4]].map((cell) => [middle(cell % 6), middle(Math.floor(cell / 6))]);
    add(svg, "path", {class: "five", d: `M${from.join(" ")}L${to.join(" ")}`});
  }
}

// Fanorona: lines between strong and weak points, men on the points, the hops of a chain, men taken.

const FANORONA_COLUMNS = "ABCDEFGHI";

boards.fanorona = (svg, text, change) => {
  const [men, , more] = text.split(" ");
  view(svg, 0, 0, 96, 55);
  add(svg, "rect", {class: "wood", x: 5, y: 5, width: 90, height: 49, rx: 3});
  fanoronaLines(svg);
  for (const column of range(9)) label(svg, 10 + 10 * column, 2.6, FANORONA_COLUMNS[column]);
  for (const row of range(5)) label(svg, 2.4, 10 + 9.8 * row, row);

  const marks = add(svg, "g", {class: "under"});
  for (const index of range(45)) {
    const name = FANORONA_COLUMNS[index % 9] + Math.floor(index / 9);
    const what = {o: "light", x: "dark", ".": "empty"}[men[index]];
    const group = place(svg, name, ...fanoronaPoint(name), `${name}: ${what}`);
    add(group, "circle", {class: "spot clear", r: 4.4});
    const strong = (index % 9 + Math.floor(index / 9)) % 2 === 0;
    add(group, "circle", {class: "dot", r: strong ? 1 : 0.6});
    if (men[index] !== ".") add(group, "circle", {class: `man ${what}`, r: 3.6});
  }

  const isChain = (word) => /^[A-I][0-4](-[A-I][0-4])+$/.test(word || "");
  for (const [player, hop] of actionsOf(change)) {
    if (hop === "P") continue;
    const [board, , chain] = change.before.split(" ");
    const [from, to] = hop.split("-");
    const path = [...(isChain(chain) ? chain.split("-") : [from]), to];
    const over = add(svg, "g", {class: "over"});
    for (const index of range(45)) {
      if (board[index] === "xo"[player] && men[index] === ".") {
        const [x, y] = fanoronaPoint(FANORONA_COLUMNS[index % 9] + Math.floor(index / 9));
        add(over, "circle", {class: `man gone ${["dark", "light"][player]}`, cx: x, cy: y, r: 3.6});
        cross(over, x, y, 1.8);
      }
    }
    for (const index of range(path.length - 1)) {
      const hopIsLast = index === path.length - 2;
      const [start, end] = [fanoronaPoint(path[index]), fanoronaPoint(path[index + 1])];
      arrow(hopIsLast ? over : marks, start, end, hopIsLast ? 1.2 : 0, hopIsLast ? "" : "earlier");
    }
    const [x, y] = fanoronaPoint(to);
    if (!isChain(more)) add(over, "circle", {class: "ring", cx: x, cy: y, r: 4.2});
  }
  if (isChain(more)) {
    const [x, y] = fanoronaPoint(more.split("-").at(-1));
    add(svg, "circle", {class: "ring open", cx: x, cy: y, r: 4.2});
  }
};

function fanoronaPoint(name) {
  return [10 + 10 * FANORONA_COLUMNS.indexOf(name[0]), 10 + 9.8 * Number(name[1])];
}

function fanoronaLines(svg) {
  let d = "";
  for (const row of range(5)) d += `M10 ${10 + 9.8 * row}h80`;
  for (const column of range(9)) d += `M${10 + 10 * column} 10v39.2`;
  for (const row of range(4)) {
    for (const column of range(8)) {
      const [x, y] = [10 + 10 * column, 10 + 9.8 * row];
      d += (row + column) % 2 === 0 ? `M${x} ${y}l10 9.8` : `M${x + 10} ${y}l-10 9.8`;
    }
  }
  add(svg, "path", {class: "lines", d});
}

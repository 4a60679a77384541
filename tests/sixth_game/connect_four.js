// Connect Four: the discs; each column can be clicked.

boards.connect_four = (svg, text, change) => {
  const rows = text.split("/");
  const last = actionsOf(change)[0];
  view(svg, 0, 0, 80, 70);
  for (const column of range(7)) {
    const group = place(svg, String(column + 1), 10 * column + 10, 35);
    add(group, "rect", {class: "spot", x: -4.5, y: -30, width: 9, height: 60});
    for (const row of range(6)) {
      const disc = "ry".indexOf(rows[row][column]);
      if (disc >= 0) add(group, "circle", {class: `piece p${disc}`, cy: 10 * row - 25, r: 4});
    }
    if (last && last[1] === column + 1) group.classList.add("moved");
    label(svg, 10 * column + 10, 67, column + 1);
  }
};

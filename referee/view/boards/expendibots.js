// Expendibots: stacks of tokens with their heights, moves, and blasts with all they took.

boards.expendibots = (svg, text, change) => {
  const stacks = expendibotsStacks(text);
  const before = change ? expendibotsStacks(change.before) : stacks;
  view(svg, -1, -1, 87, 87);
  const squares = add(svg, "g");
  const under = add(svg, "g", {class: "under"});
  const tokens = add(svg, "g");
  for (const x of range(8)) label(svg, ...expendibotsPoint([x, -0.74]), x);
  for (const y of range(8)) label(svg, ...expendibotsPoint([-0.74, y]), y);

  for (const y of range(8)) {
    for (const x of range(8)) {
      const name = `(${x}, ${y})`;
      const stack = stacks[name];
      const title = stack ? `${name}: ${stack.height} ${stack.colour}` : `${name}: empty`;
      const group = place(stack ? tokens : squares, name, ...expendibotsPoint([x, y]), title);
      add(group, "rect", {class: `spot square s${(x + y) % 2}`, x: -5, y: -5, width: 10, height: 10});
      if (stack) expendibotsDraw(group, stack);
    }
  }

  const over = add(svg, "g", {class: "over"});
  for (const [, [kind, ...words]] of actionsOf(change)) {
    if (kind === "BOOM") {
      expendibotsBlast(under, over, before, stacks, words[0]);
    } else {
      const [count, from, to] = words;
      const [start, end] = [expendibotsPoint(from), expendibotsPoint(to)];
      add(under, "rect", {class: "mark", x: start[0] - 5, y: start[1] - 5, width: 10, height: 10});
      add(over, "rect", {class: "frame", x: end[0] - 4.7, y: end[1] - 4.7, width: 9.4, height: 9.4});
      const left = stacks[`(${from.join(", ")})`];
      arrow(over, start, end, left ? 3.9 : 2.4);
      if (count > 1 || left) label(over, start[0] + 3.4, start[1] + 3.6, `\u2212${count}`, "loss");
    }
  }
  svg.append(over);
};

/** The stacks by their squares. */
function expendibotsStacks(text) {
  const stacks = {};
  for (const [, side, height, x, y] of text.matchAll(/([WB])([0-9]+)\(([0-7]),([0-7])\)/g)) {
    stacks[`(${x}, ${y})`] = {colour: side === "W" ? "white" : "black", height: Number(height)};
  }
  return stacks;
}

function expendibotsPoint([x, y]) {
  return [10 + 10 * x, 75 - 10 * y];
}

function expendibotsDraw(group, {colour, height}) {
  const kind = colour === "white" ? "light" : "dark";
  const layers = Math.min(height, 5);
  const bottom = 0.4 * (layers - 1);
  for (const layer of range(layers)) {
    add(group, "circle", {class: `man ${kind}`, cy: (bottom - 0.8 * layer).toFixed(1), r: 3.5});
  }
  if (height > 1) label(group, 0, -bottom + 0.1, height, `height ${kind}`);
}

/** Everything that went up: each square's own blast, and what stood there. */
function expendibotsBlast(under, over, before, stacks, centre) {
  const gone = Object.keys(before).filter((name) => !(name in stacks));
  const reached = new Set();
  for (const name of gone) {
    const [x, y] = name.slice(1, -1).split(",").map(Number);
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) reached.add(`${x + dx},${y + dy}`);
  }
  for (const name of reached) {
    const [x, y] = name.split(",").map(Number);
    if (x < 0 || x > 7 || y < 0 || y > 7) continue;
    const [left, top] = expendibotsPoint([x, y]);
    add(under, "rect", {class: "blast", x: left - 5, y: top - 5, width: 10, height: 10});
  }
  const [x, y] = expendibotsPoint(centre);
  const spikes = range(24).map((spike) => {
    const [reach, angle] = [spike % 2 ? 4 : 6.4, Math.PI * spike / 12];
    return `${(x + reach * Math.cos(angle)).toFixed(2)} ${(y + reach * Math.sin(angle)).toFixed(2)}`;
  });
  add(over, "path", {class: "burst", d: `M${spikes.join("L")}z`});
  for (const name of gone) {
    const [left, top] = expendibotsPoint(name.slice(1, -1).split(",").map(Number));
    const ghost = add(over, "g", {class: "gone", transform: `translate(${left} ${top})`});
    expendibotsDraw(ghost, before[name]);
    cross(over, left, top, 1.9);
  }
}

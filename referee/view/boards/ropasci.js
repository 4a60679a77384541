// RoPaSci 360: 61 hexes, both players' tokens, throws and steps made at once, and tokens that were beaten.

const ROPASCI_RADIUS = 6; // of a hex, from its middle to a corner
const ROPASCI_BEATEN_BY = {r: "p", p: "s", s: "r"};

boards.ropasci = (svg, text, change) => {
  const {tokens, thrown} = ropasciRead(text);
  view(svg, -49, -49, 98, 98);
  const hexes = add(svg, "g");
  for (let r = 4; r >= -4; r--) {
    for (let q = Math.max(-4, -4 - r); q <= Math.min(4, 4 - r); q++) {
      const name = `(${r}, ${q})`;
      const here = tokens[name] || "";
      const group = place(hexes, name, ...ropasciPoint([r, q]), `${name}: ${here || "empty"}`);
      const corners = range(6).map((corner) => ropasciCorner(ROPASCI_RADIUS, corner));
      add(group, "path", {class: "spot hex", d: `M${corners.join("L")}z`});
      if (!here) label(group, 0, 0, `${r},${q}`, "faint-label");
      ropasciStack(group, here);
    }
  }
  for (const player of [0, 1]) ropasciHand(svg, player, 9 - thrown[player]);
  if (change) ropasciMarks(svg, tokens, change);
};

/** The tokens by hexes, and the throws made. */
function ropasciRead(text) {
  const tokens = {};
  for (const [, r, q, here] of text.matchAll(/\((-?\d),(-?\d)\):([RPSrps]+)/g)) tokens[`(${r}, ${q})`] = here;
  return {tokens, thrown: text.split(" ")[1].split("/").map(Number)};
}

function ropasciPoint([r, q]) {
  return [ROPASCI_RADIUS * Math.sqrt(3) * (q + r / 2), -1.5 * ROPASCI_RADIUS * r];
}

function ropasciCorner(radius, corner) {
  const angle = Math.PI * (corner / 3 + 1 / 6);
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}

/** A hex's tokens: one for each player who has some there, with their number. */
function ropasciStack(group, here) {
  const mine = [here.replace(/[a-z]/g, ""), here.replace(/[A-Z]/g, "")];
  const both = mine[0] && mine[1];
  for (const player of [0, 1]) {
    const count = mine[player].length;
    if (!count) continue;
    const x = both ? (player ? 2.45 : -2.45) : 0;
    const token = add(group, "g", {transform: `translate(${x} 0) scale(${both ? 0.72 : 1})`});
    ropasciToken(token, mine[player][0], player);
    if (count > 1) label(token, 3.1, 3.2, count, "number");
  }
}

/** Rock is round, paper a sheet, scissors a triangle. */
function ropasciToken(group, token, player) {
  const d = {
    r: "M0 -3.6a3.6 3.6 0 0 1 0 7.2a3.6 3.6 0 0 1 0 -7.2z",
    p: "M-3 -3.4h6v6.8h-6z",
    s: "M0 -4.2L4 3h-8z",
  }[token.toLowerCase()];
  add(group, "path", {class: `token p${player}`, d});
  label(group, 0, token.toLowerCase() === "s" ? 0.7 : 0, token, "letter");
}

function ropasciHand(svg, player, left) {
  const words = `${["upper", "lower"][player]}: ${left} ${left === 1 ? "throw" : "throws"} left`;
  label(svg, player ? -32 : 32, player ? 46.4 : -46.4, words, `label p${player}`);
}

/** Both players' actions, and the tokens that were beaten where they landed. */
function ropasciMarks(svg, tokens, change) {
  const before = ropasciRead(change.before).tokens;
  const expected = {};
  const over = add(svg, "g", {class: "over"});
  const put = (name) => (expected[name] = expected[name] ?? before[name] ?? "");
  const landing = [];
  for (const [player, [kind, from, to]] of actionsOf(change)) {
    const end = `(${to.join(", ")})`;
    let token = player ? from : String(from).toUpperCase();
    if (kind !== "THROW") {
      const start = `(${from.join(", ")})`;
      token = [...before[start]].find((one) => (one < "a") === (player === 0));
      expected[start] = put(start).replace(token, "");
      arrow(over, ropasciPoint(from), ropasciPoint(to), 3, `p${player}`);
    }
    landing.push([end, token]);
    const [x, y] = ropasciPoint(to);
    const ring = `ring p${player} ${kind === "THROW" ? "thrown" : ""}`;
    add(over, "circle", {class: ring, cx: x, cy: y, r: player ? 5.2 : 4.5});
  }
  for (const [end, token] of landing) expected[end] = put(end) + token;
  for (const end of new Set(landing.map(([name]) => name))) {
    const beaten = [...expected[end]].filter((token) =>
      expected[end].toLowerCase().includes(ROPASCI_BEATEN_BY[token.toLowerCase()]));
    const [x, y] = ropasciPoint(end.slice(1, -1).split(",").map(Number));
    beaten.forEach((token, index) => {
      const left = tokens[end] ? x - 3.4 + 3 * index : x + 4 * (index - (beaten.length - 1) / 2);
      const at = [left, tokens[end] ? y - 3.8 : y];
      const ghost = add(over, "g", {class: "gone", transform: `translate(${at.join(" ")}) scale(0.5)`});
      ropasciToken(ghost, token, token < "a" ? 0 : 1);
      cross(over, ...at, 1.5);
    });
  }
}

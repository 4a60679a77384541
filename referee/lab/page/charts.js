// The charts of a game by turns: time, memory, depth and score, as far as the game has them; a click goes there.

import {clock, figure, make} from "./parts.js";

const DECIDED = 20; // times the largest score before it: then it stands for a won game, and goes off the scale

/** The charts of a stage's game; `mark` shows where it stands. */
export function charts(stage) {
  const {data} = stage;
  const turns = data.steps.slice(data.opening);
  const room = make("section", {class: "charts", "aria-label": "charts"});
  if (turns.length < 2) return {element: room, mark: () => null};
  const told = (of) => [0, 1].map((player) =>
    turns.map((step, index) => [index, of(step, player)]).filter(([, value]) => value !== undefined && value !== null));
  const said = (name) => told((step, player) => (step.searches || {})[player]?.[name]);
  const own = (step, player) => step.players.includes(player);
  const drawn = [
    chart(stage, turns.length, "Time of each action", told((step, player) => own(step, player) ? step.cpu?.[player] : null), clock, false),
    chart(stage, turns.length, "Memory", told((step, player) => step.megabytes?.[player]), (value) => `${value.toFixed(1)} MB`, false),
    chart(stage, turns.length, "Depth of the search", said("depth"), figure, false),
    chart(stage, turns.length, "Score, as each player sees itself", said("score"), figure, true),
  ].filter(Boolean);
  room.append(...drawn.map(({element}) => element));
  return {element: room, mark: () => drawn.forEach(({mark}) => mark())};
}

/** One chart: a line for each player; each player's scores to their own largest, since their units differ. */
function chart(stage, count, title, lines, words, isSigned) {
  if (!lines.some((line) => line.length)) return null;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({viewBox: "0 0 100 100", preserveAspectRatio: "none", class: "chart", "aria-hidden": "true"})) {
    svg.setAttribute(key, value);
  }
  add(svg, "path", {class: "axis", d: isSigned ? "M0 50H100" : "M0 100H100"});
  const common = Math.max(...lines.flat().map(([, value]) => value), 0) || 1;
  const legend = make("ul", {class: "legend"});
  lines.forEach((line, player) => {
    if (!line.length) return;
    const top = isSigned ? usual(line.map(([, value]) => Math.abs(value))) : common;
    const height = (value) => isSigned ? 50 - 48 * Math.max(-1, Math.min(1, value / top)) : 100 - 96 * value / top;
    const points = line.map(([index, value]) => `${(100 * (index + 0.5) / count).toFixed(2)} ${height(value).toFixed(2)}`);
    add(svg, "path", {class: `line p${player}`, d: points.length > 1 ? `M${points.join("L")}` : `M${points[0]}h1`});
    const values = line.map(([, value]) => value);
    const said = isSigned ? `${words(values[0])} at first, ${words(values.at(-1))} at last` : `at most ${words(Math.max(...values))}`;
    legend.append(make("li", {class: `player p${player}`}, `${stage.data.names[player]}: ${said}`));
  });
  const cursor = add(svg, "path", {class: "cursor", d: ""});
  const plot = make("div", {class: "plot"}, svg);
  plot.addEventListener("click", (event) => {
    const {left, width} = plot.getBoundingClientRect();
    stage.go(stage.data.opening + 1 + Math.max(0, Math.floor(count * (event.clientX - left) / width)));
  });
  const mark = () => {
    const turn = stage.turn();
    cursor.setAttribute("d", turn ? `M${100 * (turn - 0.5) / count} 0V100` : "");
  };
  return {element: make("figure", {}, make("figcaption", {}, title), plot, legend), mark};
}

/** The largest value but those of decided games. */
function usual(values) {
  const sorted = values.toSorted((a, b) => a - b);
  for (let index = 1; index < sorted.length - 1; index++) {
    if (sorted[index] > 0 && DECIDED * sorted[index] < sorted[index + 1]) return sorted[index];
  }
  return sorted.at(-1) || 1;
}

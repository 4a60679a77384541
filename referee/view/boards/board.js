// What the drawings of all games have in common; each game's file adds itself to `boards`.

"use strict";

const boards = {};

/** Empties the svg element and draws a state; `change` says what led to it, or is null. */
function drawBoard(svg, game, text, change) {
  const [name, variant] = game.split(":");
  svg.replaceChildren();
  svg.setAttribute("class", `board ${name}`);
  boards[name](svg, text, change, variant || "");
}

/** The group of a place, by its name in the game's notation. */
function placeOf(svg, name) {
  return svg.querySelector(`[data-place="${CSS.escape(name)}"]`);
}

/** Adds an element to a parent: its name, attributes and words. */
function add(parent, name, attributes, words) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (words !== undefined) element.textContent = words;
  parent.append(element);
  return element;
}

/** Makes the drawing show the rectangle from (left, top). */
function view(svg, left, top, width, height) {
  svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
}

/** A place that can be clicked, with its middle at (x, y), and what it says when pointed at. */
function place(parent, name, x, y, title) {
  const group = add(parent, "g", {"data-place": name, transform: `translate(${x} ${y})`});
  add(group, "title", {}, title || name);
  return group;
}

/** Words with their middle at (x, y). */
function label(parent, x, y, words, kind = "label") {
  return add(parent, "text", {x, y, class: kind}, words);
}

/** An arrow that begins and ends `room` short of the two points. */
function arrow(parent, from, to, room, kind = "") {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const tip = [to[0] - room * dx, to[1] - room * dy];
  const [x, y] = [tip[0] - 2.4 * dx, tip[1] - 2.4 * dy];
  const group = add(parent, "g", {class: `arrow ${kind}`});
  add(group, "path", {d: `M${from[0] + room * dx} ${from[1] + room * dy}L${x} ${y}`});
  const corners = [tip, [x - 1.3 * dy, y + 1.3 * dx], [x + 1.3 * dy, y - 1.3 * dx]];
  add(group, "path", {class: "tip", d: `M${corners.map((corner) => corner.join(" ")).join("L")}z`});
}

/** A cross over what is gone. */
function cross(parent, x, y, reach) {
  const d = `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}`;
  add(parent, "path", {class: "gone-cross", d});
}

/** The actions of a change, as pairs of player and action. */
function actionsOf(change) {
  return change ? Object.entries(change.chosen).map(([player, action]) => [Number(player), action]) : [];
}

/** Numbers from 0 up to, and without, the end. */
function range(end) {
  return Array.from({length: end}, (_, index) => index);
}

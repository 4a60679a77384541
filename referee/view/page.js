// The replay page: which turn is shown, and everything that follows from it.

const data = JSON.parse(document.getElementById("data").textContent);
const last = data.states.length - 1;
const find = (id) => document.getElementById(id);
const PAUSE = "M6 5h4v14H6zM14 5h4v14h-4z";
const PLAY = find("play").querySelector("path").getAttribute("d");
let shown = -1;
let timer = null;

/** An element with words, added to a parent; words never become anything else than words. */
function put(parent, name, words, kind) {
  const element = document.createElement(name);
  if (words !== undefined) element.textContent = words;
  if (kind) element.className = kind;
  parent.append(element);
  return element;
}

/** An action as the course's Python writes it. */
function written(action) {
  if (Array.isArray(action)) return `(${action.map(written).join(", ")})`;
  return typeof action === "string" ? `'${action}'` : String(action);
}

function heading(index) {
  if (index === 0) return "start";
  return index > data.opening ? `turn ${index - data.opening}` : "opening";
}

/** What was played, as pairs of player and words. */
function played(index) {
  const step = data.steps[index - 1];
  if (step.refused) return Object.entries(step.refused).map(([player, words]) => [player, `${words}: not played`]);
  return Object.entries(step.chosen).map(([player, action]) => [player, written(action)]);
}

function show(index) {
  const to = Math.max(0, Math.min(last, index));
  if (to === shown) return;
  const step = data.steps[to - 1];
  const change = step && step.chosen && {
    before: data.states[to - 1], chosen: step.chosen, still: to !== shown + 1,
  };
  if (data.drawn) drawBoard(find("board"), data.game, data.states[to], change || null);
  else find("plain").textContent = data.states[to];
  shown = to;
  bringIntoView(find("board").querySelector(".lifted"));

  const actions = to ? played(to).map(([player, words]) => `${data.colours[player]} ${words}`) : [];
  const words = [`${heading(to)} of ${data.steps.length - data.opening}`, actions.join("; ")];
  if (to === 0) words.splice(0, 2, "the start");
  find("now").textContent = to === last ? `${words.join(": ")}. ${ENDING}` : words.join(": ");
  find("board").setAttribute("aria-label", `the board, ${words.join(": ")}`);
  find("slider").value = to;
  find("slider").setAttribute("aria-valuetext", words.join(": "));
  for (const id of ["first", "back"]) find(id).disabled = to === 0;
  for (const id of ["forward", "last"]) find(id).disabled = to === last;
  mark(to);
  figures(to, step);
  output(to);
  for (const cursor of document.querySelectorAll(".cursor")) {
    const turns = last - data.opening;
    const at = 100 * (to - data.opening - 0.5) / turns;
    cursor.setAttribute("x1", at);
    cursor.setAttribute("x2", at);
    cursor.style.display = to > data.opening ? "" : "none";
  }
}

/** Where the board is wider than its room, a place is brought to the middle of that. */
function bringIntoView(place) {
  const room = find("board").parentElement;
  if (!place || room.scrollWidth <= room.clientWidth) return;
  const {left, width} = place.getBoundingClientRect();
  room.scrollLeft += left + width / 2 - room.getBoundingClientRect().left - room.clientWidth / 2;
}

/** The turn in the list is marked, and brought into the list's view, without moving the page. */
function mark(index) {
  const list = find("turns");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const entry = list.children[index].firstChild;
  entry.setAttribute("aria-current", "step");
  const [top, height] = [list.children[index].offsetTop, entry.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
}

/** What each player used in the turn, and what its search said. */
function figures(index, step) {
  const room = find("figures");
  room.replaceChildren();
  if (!step || !step.cpu) return;
  const table = put(room, "table");
  const names = ["depth", "score", "nodes"].filter((name) =>
    Object.values(step.searches || {}).some((said) => name in said));
  const row = put(put(table, "thead"), "tr");
  for (const head of [heading(index), "time", "memory", ...names]) put(row, "th", head);
  const body = put(table, "tbody");
  for (const player of [0, 1]) {
    const line = put(body, "tr");
    put(put(line, "td"), "span", data.names[player], `player p${player}`);
    put(line, "td", `${step.cpu[player].toFixed(3)} s`);
    put(line, "td", `${step.megabytes[player].toFixed(1)} MB`);
    for (const name of names) put(line, "td", (step.searches[player] || {})[name] ?? "");
  }
  profileOf(index, step);
}

/** The command that shows where a player's time went in the turn; the page does not know where the record is. */
function profileOf(index, step) {
  const room = find("figures");
  const turn = index - data.opening;
  const asked = Object.keys(step.chosen || {}).filter((player) => data.names[player] !== "human");
  for (const player of turn > 0 ? asked : []) {
    const colour = asked.length > 1 ? ` --colour ${data.colours[player]}` : "";
    const words = [data.game, data.names[player]].map(quoted).join(" ");
    const line = put(room, "p", "where its time went: ", "profile");
    put(line, "code", `referee profile ${words} --record RECORD.txt --turn ${turn}${colour}`);
  }
}

/** A word as a shell reads it back. */
function quoted(word) {
  return /^[\w.,:=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function output(index) {
  const room = find("output");
  room.replaceChildren();
  for (const [, player, text] of data.output.filter(([step]) => step === index)) {
    put(room, "h3", `${data.names[player]} printed`);
    put(room, "pre", text.replace(/\n$/, ""));
  }
}

function play() {
  if (timer) return stop();
  if (shown === last) show(0);
  find("play").setAttribute("aria-label", "pause");
  find("play").querySelector("path").setAttribute("d", PAUSE);
  const next = () => {
    show(shown + 1);
    if (shown === last) stop();
    else timer = setTimeout(next, Number(find("speed").value));
  };
  timer = setTimeout(next, 300);
}

function stop() {
  clearTimeout(timer);
  timer = null;
  find("play").setAttribute("aria-label", "play");
  find("play").querySelector("path").setAttribute("d", PLAY);
}

function go(index) {
  stop();
  show(index);
}

const moves = {
  first: () => go(0), back: () => go(shown - 1), play, forward: () => go(shown + 1), last: () => go(last),
};
for (const [id, move] of Object.entries(moves)) find(id).addEventListener("click", move);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (["INPUT", "SELECT"].includes(event.target.tagName)) return;
  if (event.key === " " && ["BUTTON", "A"].includes(event.target.tagName)) return;
  const id = {ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play"}[event.key];
  if (!id) return;
  event.preventDefault();
  moves[id]();
});

const ENDING = document.querySelector(".ending").textContent;
const printed = new Set(data.output.map(([step]) => step));
data.states.forEach((_, index) => {
  const entry = put(put(find("turns"), "li"), "button");
  put(entry, "span", heading(index), "number");
  for (const [player, words] of index ? played(index) : []) {
    put(entry, "span", `${data.colours[player]} ${words}`, `player p${player}`);
  }
  if (printed.has(index)) put(entry, "span", "printed", "printed");
  entry.addEventListener("click", () => go(index));
});
for (const chart of document.querySelectorAll("#charts .chart")) {
  add(chart, "line", {class: "cursor", y1: 0, y2: 100});
  chart.parentElement.addEventListener("click", (event) => {
    const {left, width} = chart.getBoundingClientRect();
    const turn = Math.floor((last - data.opening) * (event.clientX - left) / width);
    go(data.opening + 1 + Math.max(0, turn));
  });
}
find("board").toggleAttribute("hidden", !data.drawn);
find("plain").toggleAttribute("hidden", data.drawn);
find("slider").max = last;
find("slider").addEventListener("input", (event) => go(Number(event.target.value)));
const asked = () => Number(location.hash.slice(1)) || 0;
addEventListener("hashchange", () => go(asked()));
show(asked());

// The games of a tournament's report: which are listed, in which order, and what is shown of one.

const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const STEP = 100; // games that are listed at once
const [PAIR, FIRST, SECOND, WINNER, ENDING, TURNS, REASON] = [0, 1, 2, 3, 4, 5, 6];
let chosen = []; // places of the games that are listed
let listed = 0;

/** An element with words, added to a parent; words never become anything else than words. */
function put(parent, name, words, kind) {
  const element = document.createElement(name);
  if (words !== undefined) element.textContent = words;
  if (kind) element.className = kind;
  parent.append(element);
  return element;
}

function link(parent, words, target) {
  put(parent, "a", words).href = target;
  parent.append(" ");
}

/** `alpha wins as B`, or that nobody does. */
function winner(game) {
  if (game[WINNER] < 0) return "draw";
  return `${data.players[game[FIRST + game[WINNER]]]} wins as ${data.colours[game[WINNER]]}`;
}

/** What there is on a game: its page, its record and its moves, or the command that shows it. */
function more(parent, place) {
  const game = data.games[place], told = data.first[place], id = data.ids[place >> 1]; // a pair has two games
  const line = put(parent, "p");
  if (!told) {
    line.append("Its page: ");
    put(line, "code", `referee replay JOURNAL --pair ${data.players.length > 2 ? id : game[PAIR]} --html game.html`);
    put(parent, "p", `Pair ${id}`);
    return;
  }
  link(line, "turn by turn", data.pages[place] || `#game-${place + 1}`);
  if (told.record) link(line, "record", told.record);
  put(parent, "p", told.moves);
  put(parent, "pre", told.board);
  put(parent, "p", `CPU, in the players' order: ${told.cpu}`);
  put(parent, "p", `Pair ${id}: referee replay JOURNAL --pair ${id}`);
}

function row(place) {
  const game = data.games[place];
  const element = put(find("list"), "details", undefined, "game");
  const said = put(element, "summary",
    `${place + 1} ${data.players[game[FIRST]]} against ${data.players[game[SECOND]]}, pair ${game[PAIR]}: `);
  put(said, "b", winner(game));
  const counts = !data.struck.includes(game[FIRST]) && !data.struck.includes(game[SECOND]);
  said.append(`, ${game[TURNS]} turns (${data.reasons[game[REASON]]})${counts ? "" : "; does not count"}`);
  element.addEventListener("toggle", () => more(element, place), { once: true });
}

function listMore() {
  const until = Math.min(chosen.length, listed + STEP);
  while (listed < until) row(chosen[listed++]);
  find("more").hidden = listed === chosen.length;
}

function choose() {
  const [player, ending, order, least, most] = ["player", "ending", "order", "least", "most"].map((id) => find(id).value);
  chosen = data.games.map((_, place) => place).filter((place) => {
    const game = data.games[place];
    return (!player || game[FIRST] === +player || game[SECOND] === +player) && (!ending || game[ENDING] === +ending)
      && (!least || game[TURNS] >= +least) && (!most || game[TURNS] <= +most);
  });
  const key = { long: (game) => [-game[TURNS]], short: (game) => [game[TURNS]], ending: (game) => [-game[ENDING]],
    player: (game) => [Math.min(game[FIRST], game[SECOND]), Math.max(game[FIRST], game[SECOND])] }[order];
  if (key) {
    const keys = new Map(chosen.map((place) => [place, key(data.games[place])]));
    const difference = (one, other, i) => (keys.get(one)[i] - keys.get(other)[i]) || 0;
    chosen.sort((one, other) => difference(one, other, 0) || difference(one, other, 1) || one - other);
  }
  const left = data.total > data.games.length ? `; the first ${data.games.length} of ${data.total} are known here` : "";
  find("count").textContent = `${chosen.length} ${chosen.length === 1 ? "game" : "games"}${left}`;
  find("list").replaceChildren();
  listed = 0;
  listMore();
}

// A game's page within this one, where all are in one file; its address is #game-N.

function show() {
  const place = +(location.hash.match(/^#game-([0-9]+)$/) || [])[1] - 1;
  const old = find("shown");
  if (old) old.remove();
  if (!data.inside[place]) return;
  const [title, body] = data.inside[place], [style, script, kind] = data.frame;
  const shown = put(document.body, "section");
  shown.id = "shown";
  const buttons = put(shown, "nav");
  for (const [words, to] of [["Previous game", place], ["All games", 0], ["Next game", place + 2]]) {
    const button = put(buttons, "button", words);
    button.disabled = to !== 0 && !data.inside[to - 1];
    button.addEventListener("click", () => { location.hash = to ? `game-${to}` : "games"; });
  }
  const frame = put(shown, "iframe");
  frame.title = title;
  frame.srcdoc = `<!doctype html><html lang="en"><head><meta charset="utf-8">`
    + `<meta name="color-scheme" content="light dark"><style>${style}</style></head>`
    + `<body><main class="${kind}">${body}</main><script>${script}</` + `script></body></html>`;
}

const endings = new Set(data.games.map((game) => game[ENDING]));
for (const [id, names] of [["player", data.players], ["ending", data.endings]]) {
  names.forEach((name, place) => {
    if (id === "player" || endings.has(place)) put(find(id), "option", name).value = place;
  });
}
find("choices").hidden = false;
find("choices").addEventListener("input", choose);
find("more").addEventListener("click", listMore);
addEventListener("hashchange", show);
choose();
show();

// The board with its turns: what is shown of a game, recorded or under way, and which turn of it.

import {button, clock, figure, make, written} from "./parts.js";

const ICONS = {
  first: "M5 5h2.5v14H5zM20 5v14L9 12z", back: "M17 5v14L6 12z", play: "M7 4v16l13-8z", pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  forward: "M7 5v14l11-7z", last: "M16.5 5h2.5v14h-2.5zM4 5v14l11-7z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  add(svg, "path", {d: ICONS[name]});
  return svg;
}

const control = (name, words, act) => button(icon(name), act, {"aria-label": words, title: words, class: "icon"});

/** A board that shows one state of a game: its line, or its text where there is no drawing. */
export class Board {
  constructor() {
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("role", "group");
    this.plain = make("pre", {hidden: true});
    this.element = make("div", {class: "wide", tabindex: "-1"}, this.svg, this.plain);
  }

  draw(game, drawn, state, change, words) {
    this.svg.toggleAttribute("hidden", !drawn);
    this.plain.hidden = drawn;
    if (drawn) drawBoard(this.svg, game, state, change);
    else this.plain.textContent = state;
    this.svg.setAttribute("aria-label", words);
    bringIntoView(this.element, this.svg.querySelector(".lifted"));
  }
}

/** Where the board is wider than its room, a place is brought to the middle of that. */
function bringIntoView(room, place) {
  if (!place || room.scrollWidth <= room.clientWidth) return;
  const {left, width} = place.getBoundingClientRect();
  room.scrollLeft += left + width / 2 - room.getBoundingClientRect().left - room.clientWidth / 2;
}

/** A game: its board, buttons to go through its turns, their list, and what each player used. */
export class Stage {
  constructor(data, {onTurn = () => null} = {}) {
    this.data = data;
    this.onTurn = onTurn;
    this.shown = -1;
    this.timer = null;
    this.board = new Board();
    this.now = make("p", {class: "now"});
    this.slider = make("input", {type: "range", min: "0", "aria-label": "turn", oninput: () => this.go(+this.slider.value)});
    this.controls = {
      first: control("first", "to the start (Home)", () => this.go(0)),
      back: control("back", "one turn back (left)", () => this.go(this.shown - 1)),
      play: control("play", "play (space)", () => this.play()),
      forward: control("forward", "one turn forward (right)", () => this.go(this.shown + 1)),
      last: control("last", "to the end (End)", () => this.go(this.last)),
    };
    this.list = make("ol", {class: "turns", tabindex: "0", "aria-label": "turns"});
    this.figures = make("div", {class: "figures"});
    this.output = make("div", {class: "output"});
    const buttons = make("div", {class: "controls", role: "group", "aria-label": "turns"}, Object.values(this.controls));
    this.left = make("div", {}, this.board.element, buttons, this.slider, this.now, this.figures);
    this.right = make("div", {}, make("h2", {}, "Turns"), this.list);
    this.element = make("div", {class: `stage ${data.game.split(":")[0]}`}, this.left, this.right);
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.grow(0);
  }

  get last() {
    return this.data.states.length - 1;
  }

  /** The number of a turn, 0 in the opening. */
  turn(index = this.shown) {
    return Math.max(0, index - this.data.opening);
  }

  close() {
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.keys);
  }

  heading(index) {
    if (index === 0) return "start";
    return index > this.data.opening ? `turn ${index - this.data.opening}` : "opening";
  }

  /** What was played, as pairs of player and words. */
  played(index) {
    const step = this.data.steps[index - 1];
    if (step.refused) return Object.entries(step.refused).map(([player, words]) => [player, `${words}: not played`]);
    return Object.entries(step.chosen).map(([player, action]) => [player, written(action)]);
  }

  /** The list of turns is as long as the game; what is behind a place is written anew. */
  grow(from) {
    while (this.list.children.length > from) this.list.lastChild.remove();
    for (let index = from; index <= this.last; index++) {
      const said = index ? this.played(index) : [];
      const entry = button("", () => this.go(index));
      entry.append(make("span", {class: "number"}, this.heading(index)),
        ...said.map(([player, words]) => make("span", {class: `player p${player}`}, `${this.data.colours[player]} ${words}`)));
      this.list.append(make("li", {}, entry));
    }
    this.slider.max = this.last;
  }

  /** The data have more turns, or fewer: who looked at the end goes on looking there. */
  follow() {
    const atEnd = this.shown >= this.list.children.length - 1;
    const length = Math.min(this.list.children.length, this.data.states.length);
    const changed = this.data.states.length < this.list.children.length;
    this.grow(changed ? this.last : length);
    if (atEnd || this.shown > this.last) {
      this.shown = Math.min(this.shown, this.last - 1);
      this.show(this.last);
    } else {
      this.show(this.shown);
    }
  }

  show(index) {
    const {data} = this;
    const to = Math.max(0, Math.min(this.last, index));
    const step = data.steps[to - 1];
    const still = to !== this.shown + 1;
    const change = step && step.chosen ? {before: data.states[to - 1], chosen: step.chosen, still} : null;
    const actions = to ? this.played(to).map(([player, words]) => `${data.colours[player]} ${words}`).join("; ") : "";
    const words = to ? `${this.heading(to)} of ${data.steps.length - data.opening}: ${actions}` : "the start";
    this.board.draw(data.game, data.drawn, data.states[to], change, `the board, ${words}`);
    this.shown = to;
    this.now.textContent = words;
    this.slider.value = to;
    this.slider.setAttribute("aria-valuetext", words);
    for (const name of ["first", "back"]) this.controls[name].disabled = to === 0;
    for (const name of ["forward", "last"]) this.controls[name].disabled = to === this.last;
    this.mark();
    this.fill(step);
    this.onTurn(to);
  }

  /** The turn in the list is marked, and brought into the list's view, without moving the page. */
  mark() {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = this.list.children[this.shown];
    if (!item) return;
    item.firstChild.setAttribute("aria-current", "step");
    const [top, height] = [item.offsetTop, item.offsetHeight];
    const {scrollTop, clientHeight} = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    if (top + height > scrollTop + clientHeight) this.list.scrollTop = top + height - clientHeight;
  }

  /** What each player used in the turn, what its search said, and what it printed. */
  fill(step) {
    this.figures.replaceChildren();
    this.output.replaceChildren();
    for (const [, player, text] of this.data.output.filter(([index]) => index === this.shown)) {
      this.output.append(make("h3", {}, `${this.data.names[player]} printed`), make("pre", {tabindex: "0"}, text.replace(/\n$/, "")));
    }
    if (!step || !step.cpu) return;
    const heads = ["time", "memory", "depth", "score", "nodes"];
    const rows = [0, 1].map((player) => {
      const said = (step.searches || {})[player] || {};
      const cells = [clock(step.cpu[player]), `${step.megabytes[player].toFixed(1)} MB`, figure(said.depth), figure(said.score), figure(said.nodes)];
      const name = make("th", {scope: "row"}, make("span", {class: `player p${player}`}, this.data.names[player]));
      return make("tr", {}, name, cells.map((cell) => make("td", {}, cell)));
    });
    const head = make("tr", {}, make("th", {scope: "col"}, this.heading(this.shown)), heads.map((one) => make("th", {scope: "col"}, one)));
    this.figures.append(make("div", {class: "wide", tabindex: "0"}, make("table", {}, make("thead", {}, head), make("tbody", {}, rows))));
  }

  go(index) {
    this.stop();
    this.show(index);
  }

  play() {
    if (this.timer) return this.stop();
    if (this.shown === this.last) this.show(0);
    this.controls.play.replaceChildren(icon("pause"));
    this.controls.play.setAttribute("aria-label", "pause (space)");
    const next = () => {
      this.show(this.shown + 1);
      if (this.shown === this.last) this.stop();
      else this.timer = setTimeout(next, 700);
    };
    this.timer = setTimeout(next, 200);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.controls.play.replaceChildren(icon("play"));
    this.controls.play.setAttribute("aria-label", "play (space)");
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const {tagName} = event.target;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(tagName)) return;
    if (event.key === " " && (["BUTTON", "A", "SUMMARY"].includes(tagName) || event.target.closest("svg.board .able"))) return;
    const act = {ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play"}[event.key];
    if (!act) return;
    event.preventDefault();
    if (!this.controls[act].disabled) this.controls[act].click();
  }
}

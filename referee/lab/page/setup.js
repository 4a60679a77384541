// A position set up by clicks: a piece is chosen, then the places where it goes; the rules say what it comes to.

import {ask} from "./ask.js";
import {Board} from "./board.js";
import {button, make} from "./parts.js";

// By game: the pieces to choose from, the text with a piece on a place, and the text with the other to move.
const EDITORS = {
  kalaha: {
    pieces: [["one more", 1], ["one fewer", -1], ["none", 0]],
    put(text, place, piece) {
      const [mover, ...counts] = text.split(" ");
      const size = counts.length / 2;
      const pond = place.length > 1 ? Number(place.slice(1)) - 1 : size - 1;
      const at = (place[0] === "A" ? 0 : size) + pond;
      counts[at] = piece === 0 ? 0 : Math.max(0, Number(counts[at]) + piece);
      const has = (from) => counts.slice(from, from + size - 1).some((count) => Number(count));
      return [has(0) && has(size) ? mover.replace("F", "A") : mover, ...counts].join(" ");
    },
    other: (text) => text.replace(/^\w/, (mover) => mover === "A" ? "B" : "A"),
  },
  fanorona: {
    pieces: [["a light man", "o"], ["a dark man", "x"], ["nothing", "."]],
    put(text, place, piece) {
      const [board, mover] = text.split(" ");
      const at = "ABCDEFGHI".indexOf(place[0]) + 9 * Number(place[1]);
      return `${board.slice(0, at)}${piece}${board.slice(at + 1)} ${mover}`;
    },
    other: (text) => text.replace(/ [12].*/, (rest) => rest[1] === "1" ? " 2" : " 1"),
  },
  expendibots: {
    pieces: [["one white more", "W"], ["one black more", "B"], ["nothing", ""]],
    put(text, place, piece) {
      const name = place.replace(" ", "");
      const [mover, plies, ...stacks] = text.split(" ");
      const here = stacks.find((one) => one.endsWith(name));
      const others = stacks.filter((one) => one !== here);
      const count = here?.[0] === piece ? parseInt(here.slice(1), 10) + 1 : 1;
      return [mover, plies, ...others, ...(piece ? [`${piece}${count}${name}`] : [])].join(" ");
    },
    other: (text) => text.replace(/^\w+/, (mover) => mover === "white" ? "black" : "white"),
  },
  pentago: {
    pieces: [["a white stone", "w"], ["a black stone", "b"], ["nothing", "."]],
    put(text, place, piece) {
      const [row, column] = place.match(/\d/g).map(Number);
      const at = 6 * row + column;
      return `${text.slice(0, at)}${piece}${text.slice(at + 1)}`;
    },
    other: (text) => text.replace(/[wb]$/, (mover) => mover === "w" ? "b" : "w"),
  },
  ropasci: {
    pieces: [["upper rock", "R"], ["upper paper", "P"], ["upper scissors", "S"], ["lower rock", "r"], ["lower paper", "p"],
      ["lower scissors", "s"], ["nothing", ""]],
    put(text, place, piece) {
      const name = place.replace(" ", "");
      const [turn, thrown, ...hexes] = text.split(" ");
      const here = hexes.find((one) => one.startsWith(`${name}:`));
      const tokens = here?.split(":")[1] ?? "";
      const now = !piece ? "" : tokens.toLowerCase().includes(piece.toLowerCase()) ? tokens + piece : piece;
      const all = [...hexes.filter((one) => one !== here), ...(now ? [`${name}:${[...now].sort().join("")}`] : [])];
      const count = (pattern) => all.join("").replace(/\(.*?\):/g, "").match(pattern)?.length ?? 0;
      const [upper, lower] = thrown.split("/").map(Number);
      return [turn, `${Math.max(upper, count(/[RPS]/g))}/${Math.max(lower, count(/[rps]/g))}`, ...all].join(" ");
    },
    other: null, // both choose at once
  },
};

/** The part of a form where a position is set up; `text` is "" for the start of the game. */
export class Setup {
  constructor(text, changed) {
    this.text = text;
    this.changed = changed;
    this.board = new Board();
    this.says = make("p", {class: "soft", role: "status"});
    this.input = make("input", {"aria-label": "the position as text", class: "long", autocomplete: "off", spellcheck: "false",
      onchange: () => this.take(this.input.value)});
    this.pieces = make("div", {class: "choices", role: "group", "aria-label": "what is put on a place"});
    this.element = make("details", {class: "setup", open: Boolean(text), ontoggle: () => { if (this.element.open && !this.text) this.back(); }},
      make("summary", {}, "Begin at a position"), make("p", {class: "soft"}, "Choose a piece, then the places where it goes."),
      this.pieces, this.board.element, this.says, this.input);
    const put = (event) => this.click(event.target.closest("[data-place]")?.dataset.place);
    this.board.svg.addEventListener("click", put);
    this.board.svg.addEventListener("keydown", (event) => {
      if (!["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      put(event);
    });
  }

  close() {}

  of(course, game) {
    const isOther = this.game !== undefined && this.game !== game;
    this.game = game;
    this.course = course;
    this.editor = EDITORS[game.split(":")[0]];
    const needed = game.split(":")[1];
    this.start = course.start;
    const shape = /^(\d{1,3})x(\d{1,4})$/.exec(needed ?? "");
    if (shape && game.startsWith("kalaha")) {
      const [ponds, pebbles] = shape.slice(1).map(Number);
      this.start = `A ${Array.from({length: 2}, () => [...Array(ponds).fill(pebbles), 0].join(" ")).join(" ")}`;
    }
    if (isOther) {
      this.text = "";
      this.element.open = false;
    }
    this.piece = this.editor?.pieces[0][1];
    this.drawPieces();
    if (this.text) this.take(this.text);
  }

  drawPieces() {
    if (!this.editor) return this.pieces.replaceChildren();
    const chosen = (value) => ({"aria-pressed": String(this.piece === value), class: this.piece === value ? "picked" : ""});
    const pieces = this.editor.pieces.map(([words, value]) =>
      button(words, () => { this.piece = value; this.drawPieces(); }, chosen(value)));
    const other = this.editor.other ? [button("the other to move", () => this.take(this.editor.other(this.text || this.start)))] : [];
    this.pieces.replaceChildren(...pieces, ...other, button("empty the board", () => this.clear()), button("back to the start", () => this.back()));
  }

  /** The start of the game is shown, which needs no saying. */
  back() {
    this.take(this.start);
    this.text = "";
    this.changed();
  }

  /** Nothing is left anywhere. */
  clear() {
    const places = [...this.board.svg.querySelectorAll("[data-place]")].map(({dataset}) => dataset.place);
    const nothing = this.editor.pieces.at(-1)[1];
    this.take(places.reduce((text, place) => this.editor.put(text, place, nothing), this.text || this.start));
  }

  click(place) {
    if (place && this.editor) this.take(this.editor.put(this.text || this.start, place, this.piece));
  }

  /** This is the position now, if the rules take it. */
  async take(text) {
    this.text = this.input.value = text.trim();
    const asked = (this.asked = Symbol("position"));
    if (this.course.drawn) this.draw(this.text);
    try {
      const found = await ask("position", {game: this.game, text: this.text});
      if (this.asked !== asked) return;
      if (!this.course.drawn) this.draw(found.shown);
      this.says.className = "soft";
      this.says.textContent = found.over ? `The game is over there: ${found.over}` : `${found.to_act.join(" and ")} to act, ${found.actions} legal actions.`;
    } catch (error) {
      if (this.asked !== asked) return;
      this.says.className = "note error";
      this.says.textContent = error.message;
    }
    this.changed();
  }

  draw(state) {
    const at = document.activeElement?.closest?.("[data-place]")?.dataset.place;
    try {
      this.board.draw(this.game, this.course.drawn, state, null, "the position that is set up");
    } catch {
      return; // what was typed is no position: the rules say why
    }
    for (const place of this.board.svg.querySelectorAll("[data-place]")) {
      place.classList.add("able");
      for (const [name, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", place.dataset.place]]) place.setAttribute(name, value);
    }
    if (at) placeOf(this.board.svg, at)?.focus();
  }
}

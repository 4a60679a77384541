// Tournaments: the form that starts one, and how one stands while it runs and afterwards.

import {ask, news, watch} from "./ask.js";
import {Board} from "./board.js";
import {address, ago, button, command, count, field, filled, input, isolated, keeper, link, make, note, quoted, refresh, select, stop, table} from "./parts.js";
import {gameFields, gameOf, LIMITS, limitFields, playersOf} from "./play.js";

const MORE = [...LIMITS, "opening", "seed", "sprt", "on-fault"]; // what is folded away unless one of it is filled in
const FEW = 20; // games that are listed at first
const MANY = 10000; // pairs that a test plays at most, which is no aim
const FORMATS = [["round-robin", "everybody against everybody"], ["gauntlet", "the first against all"], ["knockout", "knockout"], ["swiss", "Swiss"]];

/** A table of journals, each with its name where it does not say of which game it is. */
export const journals = (rows) => table(["tournament", "players", "pairs", "when"], rows.map((one) => [
  link(one.game ? `${one.game}: ${one.format}` : one.path, address("journal", {path: one.path})), one.players.join(", "), String(one.pairs), ago(one.changed)]));

export async function tournaments(main, given) {
  const there = await ask("there");
  let game = gameOf(there, given.game);
  const line = command();
  const keep = keeper("tournaments");
  const problem = make("p", {class: "note error", role: "alert"});
  const form = make("form", {oninput: changed, onsubmit: start});
  const course = () => there.games.find((one) => one.game === game.split(":")[0]);
  const draw = (chosen) => {
    const players = playersOf(there, game);
    const own = chosen.players?.split("\n") ?? players.map(([player]) => player).filter((player) => player !== "random").slice(0, 2);
    const boxes = players.map(([player, words]) => make("label", {class: "check"},
      make("input", {type: "checkbox", name: "players", value: player, checked: own.includes(player)}), ` ${words}`));
    form.replaceChildren(
      make("div", {class: "fields"},
        gameFields(there, game, (name, isVariant) => { game = name; if (!isVariant) draw({}); changed(); }),
        field("format", select("format", FORMATS, chosen.format ?? "round-robin")),
        field("pairs of games", input("pairs", {value: chosen.pairs ?? "10", inputmode: "numeric", size: 6})),
        field("pairs at once", input("jobs", {value: chosen.jobs ?? "", placeholder: "as many as cores", inputmode: "numeric", size: 14}))),
      make("fieldset", {}, make("legend", {}, "players"), make("div", {class: "boxes"}, boxes)),
      make("details", {open: MORE.some((name) => chosen[name])}, make("summary", {}, "Limits, openings, seed, stopping early"),
        make("div", {class: "fields"}, limitFields(chosen, course().limits),
          field("random plies first", input("opening", {value: chosen.opening ?? "", placeholder: "2", inputmode: "numeric", size: 6})),
          field("seed", input("seed", {value: chosen.seed ?? "", placeholder: "drawn", inputmode: "numeric", size: 8})),
          field("stop when it is decided", input("sprt", {value: chosen.sprt ?? "", placeholder: "0,20", size: 8}), "two differences in Elo, of two players"),
          field("if a player fails at once", select("on-fault", [["", "as the format does"], ["stop", "stop"], ["continue", "go on"], ["exclude", "leave it out"]], chosen["on-fault"] ?? "")))),
      make("p", {class: "soft"}, "Two players that meet play so many pairs: of each opening two games, seats swapped."),
      make("div", {class: "row"}, make("button", {class: "main"}, "Start")), problem);
  };
  const given_now = () => ({...filled(form, ["players"]), game, variant: ""});
  async function changed() {
    keep({...given_now(), players: given_now().players.join("\n")});
    problem.textContent = await line.of("tournament", given_now());
  }
  async function start(event) {
    event.preventDefault();
    try {
      const program = await ask("start", {action: "tournament", form: given_now()});
      location.hash = address("journal", {path: (await ask("watch", {program})).about.journal});
    } catch (error) {
      problem.textContent = error.message;
    }
  }
  draw(given);
  main.append(make("h1", {}, "A tournament"), form, line.element, isolated(there.isolation));
  if (there.journal.length) {
    main.append(make("h2", {}, "Tournaments in this folder"), journals(there.journal));
  }
  await changed();
}

/** A tournament, from its journal: it may run. */
export async function journal(main, {path}, {until}) {
  const status = make("p", {class: "status", role: "status"});
  const controls = make("div", {class: "row"});
  const heading = make("h1", {}, "A tournament");
  const room = make("div", {class: "report"});
  const games = make("div", {});
  const line = command();
  const looking = command();
  looking.show(`referee standings ${quoted(path)}`);
  const problem = make("p", {class: "note error", role: "alert"});
  const unable = make("p", {class: "note error"});
  const under = new UnderWay();
  main.append(heading, status, controls, problem, unable, under.element, room, line.element, looking.element, games);
  let isDrawing = false;
  let shownPairs = -1;

  async function draw() {
    if (isDrawing) return;
    isDrawing = true;
    try {
      const there = await ask("there");
      const running = there.programs.find(({about, code}) => about.journal === path && code === null);
      const last = there.programs.find(({about}) => about.journal === path);
      if (running) follow(running.program);
      let found = null;
      try {
        found = await ask("journal", {path});
      } catch (error) {
        status.textContent = running ? "The tournament begins …" : last ? "The tournament did not begin." : error.message;
        if (last?.said) problem.textContent = last.said;
      }
      refresh(controls,
        running ? button("stop", () => stop(running.program), {class: "main", "data-program": running.program}) : null,
        !running && found && !found.is_over ? button("go on", go, {class: "main"}) : null,
        !running && !found && last ? link("ask for another", address("tournaments", {...last.about, journal: "", players: last.about.players?.join("\n")}), {class: "act"}) : null);
      if (last && !running) problem.textContent = last.code > 1 && last.code !== 130 ? last.said : "";
      if (running) line.show(running.command);
      if (!found) return;
      const of = found.expected > found.pairs && found.expected < MANY ? ` of ${found.expected}` : "";
      status.textContent = running ? `The tournament is running: ${found.pairs}${of} pairs by now.`
        : found.is_over ? `The tournament is over: ${count(found.pairs, "pair")} in the journal.` : `${count(found.pairs, "pair")} in the journal${of && `,${of}`}.`;
      unable.textContent = found.unable.join("\n");
      const failed = found.stopped_by.join(" and ");
      if (!running && !found.is_over) problem.textContent ||= await line.of("go on", {journal: path}) || (failed
        && `It stopped since ${failed} failed before a first action: see Faults below. Begin anew with a mended player, or without it.`);
      if (found.pairs === shownPairs) return;
      shownPairs = found.pairs;
      room.innerHTML = found.html; // made by view/report.py, which escapes all that is a player's
      const title = room.querySelector("h1");
      heading.textContent = title.textContent;
      title.remove();
      for (const wide of room.querySelectorAll(".wide")) wide.tabIndex = 0;
      const rows = found.records.map((one) => [link(one.path, address("record", {path: one.path})), String(one.pair), one.winner || "drawn", one.reason]);
      const isOpen = games.querySelector("details")?.open;
      const listed = (some) => table(["record", "pair", "winner", "result"], some);
      games.replaceChildren(...(rows.length ? [make("h2", {}, "Games"), listed(rows.slice(0, FEW))] : []),
        ...(rows.length > FEW ? [make("details", {open: isOpen}, make("summary", {}, `${rows.length - FEW} more`), listed(rows.slice(FEW)))] : []));
    } finally {
      isDrawing = false;
    }
  }

  /** Shows the boards of its games while it runs. */
  async function follow(program) {
    if (under.program === program) return;
    under.program = program;
    try {
      const {whole, leave} = await watch(program, (event) => under.hear(event));
      until(leave);
      for (const event of whole.boards) under.hear(event);
    } catch {
      under.program = null; // it has ended in between
    }
  }

  async function go() {
    try {
      await ask("start", {action: "go on", form: {journal: path}});
      problem.textContent = "";
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  await draw();
  until(news(() => draw().catch(() => null)));
}

/** The games under way: a board each. */
class UnderWay {
  constructor() {
    this.program = null;
    this.list = make("ul", {class: "cards"});
    this.element = make("section", {hidden: true, "aria-label": "games under way"}, make("h2", {}, "Games under way"), this.list);
    this.shown = new Map(); // cards by pair
    this.left = []; // cards of pairs that have ended: the next pairs take their places, so that nothing jumps
  }

  hear(event) {
    if (event.pair_under_way) this.show(event.pair_under_way, event);
    if (event.pair && this.shown.has(event.pair)) {
      this.left.push(this.shown.get(event.pair));
      this.shown.delete(event.pair);
    }
    if (event.event === "ended") {
      this.shown.clear();
      this.left = [];
      this.list.replaceChildren();
    }
    this.element.hidden = !this.list.children.length;
  }

  show(pair, {game, drawn, shown, title}) {
    if (!this.shown.has(pair)) this.shown.set(pair, this.left.shift() ?? this.card());
    const {board, words} = this.shown.get(pair);
    board.draw(game, drawn, shown, null, `the board of ${title}`);
    words.textContent = title;
  }

  card() {
    const board = new Board();
    board.svg.setAttribute("role", "img");
    const words = make("p", {class: "soft"});
    this.list.append(make("li", {}, board.element, words));
    return {board, words};
  }
}

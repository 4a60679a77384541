// A recorded match: looked at turn by turn, and understood; and the profile of a turn.

import {ask, watch} from "./ask.js";
import {Stage} from "./board.js";
import {charts} from "./charts.js";
import {address, button, clock, command, field, figure, filled, input, isolated, keeper, link, make, note, quoted, refresh, select, stop, table} from "./parts.js";
import {playersOf} from "./play.js";

const BY_HAND = "human";

export async function record(main, given, {until}) {
  const {path} = given;
  const [there, found] = await Promise.all([ask("there"), ask("record", {path})]);
  const {data} = found;
  const keep = keeper("record");
  const stage = new Stage(data, {onTurn: () => { drawn.mark(); panel.of(stage.shown); keep({path, turn: stage.turn() || ""}); }});
  until(() => stage.close());
  const drawn = charts(stage);
  const panel = new Panel(there, found, path, stage, until);
  const line = command();
  line.show(`referee replay ${quoted(path)}`);
  main.classList.add(data.game.split(":")[0]); // whose colours the players' marks have
  const onward = found.goes_on && !found.is_over && found.players.length === 2
    ? link("go on with it", address("play", {game: data.game, first: found.players[0], second: found.players[1], from: path, ...found.options}), {class: "act main"}) : null;
  main.append(
    make("h1", {}, make("span", {class: "player p0"}, data.names[0]), " against ", make("span", {class: "player p1"}, data.names[1])),
    make("p", {class: "ending"}, found.ending),
    make("p", {class: "soft"}, [data.game, found.isolation ? `isolation ${found.isolation}` : "", found.begun ? `from ${found.begun}` : ""].filter(Boolean).join("; ")),
    make("div", {class: "row"}, onward ?? ""),
    ...worthALook(found, stage),
    stage.element, panel.element, stage.output, drawn.element, line.element);
  stage.show(given.turn ? Math.min(stage.last, data.opening + Number(given.turn)) : 0);
}

/** The turns where a score fell most; then that which lost, and each player's slowest. */
function worthALook(found, stage) {
  const {data, falls, slowest} = found;
  const to = (turn, player, name, words) => make("li", {}, button(
    [`turn ${turn}: `, make("span", {class: `player p${player}`}, name), words],
    () => { stage.go(data.opening + turn); stage.element.scrollIntoView({block: "nearest"}); }));
  const fallen = falls.map(({turn, player, before, after, by}) => to(turn, player, data.colours[player],
    ` ${figure(before)} → ${figure(after)}${by === player ? "" : ` for ${data.colours[by]}`}`));
  const silent = falls.find(({player, by}) => by !== player);
  const told = silent ? `; ${data.names[silent.player]} tells none, so what ${data.names[silent.by]}'s rose by after its turn` : "";
  const last = data.steps.length - data.opening;
  const refused = last > 0 ? Object.keys(data.steps.at(-1).refused ?? {}) : [];
  const others = [
    ...refused.map((player) => to(last, player, data.names[player], " lost here")),
    ...slowest.filter(({turn, player}) => !(turn === last && refused.includes(String(player)))).map(({turn, player, seconds}) => to(turn, player, data.names[player], ` took ${seconds < 0.1 ? `${+(1000 * seconds).toPrecision(2)} ms` : clock(seconds)}`))];
  const list = (kind, title, rows) => rows.length
    ? [make("details", {open: true, class: kind}, make("summary", {}, title), make("ol", {class: "flow"}, rows))] : [];
  return [
    ...list("falls", `Where a score fell most${told}`, fallen),
    ...list("slowest", refused.length ? "Where it was lost, and the slowest turns" : "The slowest turns", others)];
}

/** Follows a command for a part of a page: `show` hears of it now, and after each line that it writes. */
async function follow(program, show) {
  const hear = (event) => {
    if (event.event === "ended") Object.assign(state, {code: event.code, said: event.said});
    else state.events.push(event);
    show(state);
  };
  const {whole: state, leave} = await watch(program, hear);
  show(state);
  return leave;
}

/** What is to be understood of the turn that is shown. */
class Panel {
  constructor(there, found, path, stage, until) {
    Object.assign(this, {there, found, path, stage});
    this.heading = make("h2", {});
    this.about = make("p", {class: "soft"});
    this.samples = input("samples", {placeholder: "2000", inputmode: "numeric", size: 5});
    this.started = new Map(); // by what and where was asked: the command
    for (const {action, about, program} of there.programs) {
      const key = `${action} ${about.turn ?? ""}`;
      if ((about.record ?? about.from) === path && !this.started.has(key)) this.started.set(key, program);
    }
    const level = isolated(there.isolation);
    this.asking = this.question("What would they play here?", "analyse", level, () => this.analysis());
    this.timing = this.question("Where did its time go?", "profile", make("p", {class: "soft"}, "It is measured in processes of its own that are not confined."), () => this.timed());
    this.going = this.question("Play on from here", "play_on", level, () => this.onward());
    this.questions = [this.asking, this.timing, this.going];
    this.element = make("section", {"aria-label": "understand this turn"}, this.heading, this.about,
      make("div", {class: "questions"}, this.questions.map(({element}) => element)));
    until(() => this.questions.forEach((one) => one.leave?.()));
    this.fill();
  }

  get game() { return this.found.data.game; }

  get course() { return this.there.games.find(({game}) => game === this.game.split(":")[0]); }

  /** Where the commands begin: the turn of the record. */
  get turn() { return this.number || ""; }

  question(title, action, about, form) {
    const room = make("div", {class: "answer", role: "status"});
    const line = command();
    const fields = make("form", {oninput: () => line.of(action, form())});
    const one = {action, form, line, room, fields};
    fields.addEventListener("submit", (event) => { event.preventDefault(); this.start(one); });
    one.element = make("div", {class: "question"}, make("h3", {}, title), about.cloneNode(true), fields, line.element, room);
    return one;
  }

  async start(one) {
    one.room.replaceChildren(note("begins …"));
    const key = `${one.action} ${this.turn}`;
    try {
      const program = await ask("start", {action: one.action, form: one.form()});
      this.started.set(key, program);
      this.own = program;
    } catch (error) {
      one.room.replaceChildren(note(error.message, true));
      return;
    }
    this.attend(one);
  }

  /** Shows what was asked at this turn, while it is answered and afterwards; or at which turns it was. */
  async attend(one) {
    one.leave?.();
    one.leave = null;
    const program = one.program = this.started.get(`${one.action} ${this.turn}`);
    if (program === undefined) {
      const asked = [...this.started.keys()].filter((key) => key.startsWith(`${one.action} `)).map((key) => +key.split(" ")[1]).filter(Boolean);
      one.room.replaceChildren(...(asked.length ? [make("p", {class: "row soft"}, "Asked already: ", asked.sort((a, b) => a - b).map((turn) =>
        button(`turn ${turn}`, () => this.stage.go(this.found.data.opening + turn))))] : []));
      return;
    }
    const isHere = () => one.program === program;
    try {
      const leave = await follow(program, (state) => { if (isHere()) this.answer(one, state); });
      if (isHere()) one.leave = leave; else leave();
    } catch {
      if (isHere()) one.room.replaceChildren(); // the lab has forgotten it
    }
  }

  answer(one, state) {
    const runs = state.code === null;
    const rows = one.action === "analyse" ? opinions(state.events) : one.action === "play_on" ? scored(state.events, state.about) : null;
    const isProfile = one.action === "profile";
    const place = isProfile && state.code === 0 ? address("profile", {path: /--save=(\S+)/.exec(state.command)[1]}) : "";
    if (place && this.own === state.program) {
      this.own = null;
      location.hash = place;
    }
    refresh(one.room,
      runs ? make("p", {class: "soft"}, isProfile ? measuring(state.events) : "running …") : null,
      rows, place ? link("look at its profile", place, {class: "act"}) : null,
      state.code && state.said ? note(state.said, true) : null,
      runs ? button("stop", () => stop(state.program), {"data-program": state.program}) : null);
  }

  /** The fields, which stay as they are from turn to turn. */
  fill() {
    const {there, found, course} = this;
    const programs = found.players.filter((one) => one !== BY_HAND);
    const players = playersOf(there, this.game, {more: programs});
    const own = there.own.find(({game}) => game === this.game.split(":")[0])?.player;
    const likely = new Set([...found.players, own]);
    const boxes = players.map(([player, words]) => make("label", {class: "check"},
      make("input", {type: "checkbox", name: "agents", value: player, checked: likely.has(player) && player !== "random"}), ` ${words}`));
    this.asking.fields.append(make("div", {class: "boxes"}, boxes),
      make("div", {class: "row"}, field("seconds each", input("seconds", {value: "1", inputmode: "decimal", size: 5})),
        make("button", {class: "main"}, "Ask")));
    const named = (seat) => found.players[seat] && found.players[seat] !== BY_HAND ? found.players[seat] : own ?? "random";
    const [one, two] = found.data.colours;
    const limit = course?.limits.action_seconds === undefined ? "time" : "action-time";
    this.going.fields.append(make("div", {class: "row"},
      field(one, select("first", players, named(0))), field(two, select("second", players, named(1))),
      field("games", input("games", {value: "20", inputmode: "numeric", size: 4})),
      field(limit === "time" ? "seconds a game" : "seconds an action",
        input(limit, {value: found.options[limit] ?? "", inputmode: "decimal", size: 5, placeholder: "course's"})),
      make("button", {class: "main"}, "Play on")));
  }

  analysis() {
    return {...filled(this.asking.fields, ["agents"]), game: this.game, record: this.path, turn: this.turn};
  }

  onward() {
    return {...filled(this.going.fields), game: this.game, from: this.path, turn: this.turn};
  }

  timed() {
    const {data, players} = this.found;
    const [player] = this.timing.fields.elements.player ? [+filled(this.timing.fields).player] : this.acted;
    const colour = this.acted.length > 1 ? data.colours[player] : "";
    return {game: this.game, agent: players[player], record: this.path, turn: this.turn, colour, samples: this.samples.value};
  }

  /** The turn that is shown has changed. */
  of(index) {
    const {data} = this.found;
    const turns = data.steps.length - data.opening;
    const number = Math.min(turns, Math.max(1, index - data.opening));
    const step = data.steps[data.opening + number - 1];
    const atEnd = index > 0 && index - data.opening === turns && this.found.goes_on && step?.chosen;
    this.number = turns && !atEnd ? number : 0;
    this.heading.textContent = this.number ? `Understand turn ${number}` : "Understand this position";
    this.about.replaceChildren(this.number ? `All of this begins where turn ${number} was to be played. ` : "All of this begins where the record ends. ",
      this.found.players.length === 2 ? link("Start a match there", address("play", {
        game: this.game, first: this.found.players[0], second: this.found.players[1], from: this.path, turn: this.turn, ...this.found.options})) : "");
    this.actors(this.number ? step : null);
    for (const one of this.questions) {
      if (one !== this.timing || this.acted.length) one.line.of(one.action, one.form());
      this.attend(one);
    }
  }

  /** Whose time may be measured: the programs that acted in the turn. */
  actors(step) {
    const {data, players} = this.found;
    this.acted = step ? step.players.filter((player) => players[player] && players[player] !== BY_HAND) : [];
    const several = this.acted.length > 1;
    const words = several ? "Profile the turn" : ["Profile ", ...this.acted.map((player) => data.names[player])];
    this.timing.line.show("");
    this.timing.fields.replaceChildren(this.acted.length ? make("div", {class: "row"},
      several ? field("whose", select("player", this.acted.map((player) => [String(player), data.names[player]]))) : "",
      field("samples", this.samples), make("button", {class: "main"}, words)) : make("p", {class: "soft"}, "No program acted in this turn."));
  }
}

/** What a profile is at. */
export function measuring(events) {
  const at = events.filter(({step}) => step).at(-1);
  return at ? `The turn is measured, ${at.number} of ${at.of}: ${at.step} …` : "The player is started …";
}

/** What players answered to `analyse`, side by side. */
export function opinions(events) {
  const rows = events.filter(({agent}) => agent !== undefined);
  if (!rows.length) return null;
  return table(["player", "would play", "score", "depth", "nodes", "seconds", "expects"], rows.map((one) => one.fault
    ? [one.agent, one.fault, "", "", "", "", ""]
    : [one.agent, make("b", {}, one.action), figure(one.score), figure(one.depth), figure(one.nodes), figure(one.cpu), one.line.slice(0, 8).join("  ")]));
}

/** The score of many games from one position, with its bar. */
export function scored(events, about) {
  const games = events.filter(({winner, number}) => winner !== undefined && number !== undefined);
  const summary = events.find((one) => one.summary);
  if (!games.length) return null;
  const points = games.reduce((sum, {winner}) => sum + (winner === 0 ? 1 : winner === null ? 0.5 : 0), 0);
  const share = (100 * points) / games.length;
  const ends = summary?.interval?.map((one) => 100 * one);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "bar", "aria-hidden": "true"})) svg.setAttribute(key, value);
  add(svg, "rect", {class: "ground", x: 0, y: 2, width: 100, height: 6});
  add(svg, "rect", {class: "share", x: 0, y: 2, width: share, height: 6});
  if (ends) add(svg, "path", {class: "interval", d: `M${ends[0]} 5H${ends[1]}M${ends[0]} 1V9M${ends[1]} 1V9`});
  const said = ends ? ` (95 %: ${ends[0].toFixed(1)} to ${ends[1].toFixed(1)})` : "";
  const [{turns, reason, winner: first}] = games;
  const alike = games.length > 2 && games.every((one) => one.turns === turns && one.reason === reason && one.winner === first);
  return make("div", {}, make("p", {}, `${about.first} as first: ${points} of ${games.length} games, ${share.toFixed(1)} %${said}`), svg,
    make("p", {class: "soft"}, `${games.length} of ${about.games || 1} games; ${alike ? `each of ${turns} turns and with the same end: ${reason}. `
      + "Where it is one game again and again, the error does not know" : `the last: ${games.at(-1).reason}`}`));
}

/** A saved profile. */
export async function profile(main, {path}, {until}) {
  const found = await ask("profile", {path});
  const room = make("div", {class: "profiled"});
  room.innerHTML = found.html; // made by profile/page.py, which escapes all that is a player's
  const line = command();
  line.show(found.command);
  const at = /^turn (\d+) of (.+)$/.exec(found.where);
  const back = at ? make("p", {}, link("back to the match", address("record", {path: at[2], turn: at[1]}), {class: "act"})) : "";
  main.append(back, room, line.element);
  enliven(room);
  for (const wide of room.querySelectorAll(".wide")) wide.tabIndex = 0;
}

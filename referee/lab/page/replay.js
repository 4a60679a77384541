// A recorded match: looked at turn by turn, and understood; and the profile of a turn.

import {ask, watch} from "./ask.js";
import {Stage} from "./board.js";
import {charts} from "./charts.js";
import {address, button, command, field, figure, filled, input, link, make, note, say, select, table} from "./parts.js";
import {playersOf} from "./play.js";

const BY_HAND = "human";

export async function record(main, given, {until}) {
  const {path} = given;
  const [there, found] = await Promise.all([ask("there"), ask("record", {path})]);
  const {data} = found;
  const stage = new Stage(data, {onTurn: () => { drawn.mark(); panel.of(stage.shown); remember(); }});
  until(() => stage.close());
  const drawn = charts(stage);
  const panel = new Panel(there, found, path, until);
  const line = command();
  line.show(`referee replay ${quoted(path)}`);
  const onward = found.goes_on && !found.is_over && found.players.length === 2
    ? link("go on with it", address("play", {game: data.game, first: found.players[0], second: found.players[1], from: path, ...found.options}), {class: "act main"}) : null;
  main.append(
    make("h1", {}, make("span", {class: "player p0"}, data.names[0]), " against ", make("span", {class: "player p1"}, data.names[1])),
    make("p", {class: "ending"}, found.ending),
    make("p", {class: "soft"}, [data.game, found.isolation ? `isolation ${found.isolation}` : "", found.begun ? `from ${found.begun}` : ""].filter(Boolean).join("; ")),
    make("div", {class: "row"}, onward ?? ""),
    fallen(found, stage) ?? "",
    stage.element, stage.figures, panel.element, stage.output, drawn.element, line.element);
  let here = location.hash;
  const remember = () => {
    if (location.hash !== here) return; // another page has been asked for
    history.replaceState(null, "", address("record", {path, turn: stage.turn() || ""}));
    here = location.hash;
  };
  stage.show(given.turn ? Math.min(stage.last, data.opening + Number(given.turn)) : 0);
}

const quoted = (word) => /^[\w.,:=/@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The turns where what a player's search says fell most. */
function fallen(found, stage) {
  if (!found.falls.length) return null;
  const rows = found.falls.map(({turn, player, before, after}) => make("li", {}, button(
    [`turn ${turn}: `, make("span", {class: `player p${player}`}, found.data.names[player]), ` ${figure(before)} → ${figure(after)}`],
    () => { stage.go(found.data.opening + turn); stage.element.scrollIntoView({block: "nearest"}); })));
  return make("details", {open: true, class: "falls"}, make("summary", {}, "Where a score fell most"), make("ol", {class: "flow"}, rows));
}

/** Runs a command for a part of a page; `show` hears of it after each line that it writes. */
async function run(action, form, show, until) {
  const program = await ask("start", {action, form});
  let state = null;
  const early = [];
  const hear = (event) => {
    if (event.event === "ended") Object.assign(state, {code: event.code, said: event.said});
    else state.events.push(event);
    show(state);
  };
  const {whole, leave} = await watch(program, (event) => state ? hear(event) : early.push(event));
  until(leave);
  state = whole;
  show(state);
}

/** What is to be understood of the turn that is shown. */
class Panel {
  constructor(there, found, path, until) {
    Object.assign(this, {there, found, path, until});
    this.heading = make("h2", {});
    this.about = make("p", {class: "soft"});
    this.questions = make("div", {class: "questions"});
    this.element = make("section", {"aria-label": "understand this turn"}, this.heading, this.about, this.questions);
    this.asking = this.question("What would they play here?", "analyse", "Ask", () => this.analysis());
    this.timing = make("div", {class: "question"});
    this.going = this.question("Play on from here", "play_on", "Play on", () => this.onward());
    this.questions.append(this.asking.element, this.timing, this.going.element);
    this.fill();
  }

  get game() { return this.found.data.game; }

  /** Where the command begins: the turn of the record. */
  get place() { return {record: this.path, turn: this.number || ""}; }

  question(title, action, words, form) {
    const room = make("div", {class: "answer", role: "status"});
    const line = command();
    const fields = make("form", {oninput: () => line.of(action, form())});
    fields.addEventListener("submit", async (event) => {
      event.preventDefault();
      room.replaceChildren(note("begins …"));
      const number = this.number;
      const show = (state) => {
        const rows = action === "analyse" ? opinions(state.events) : scored(state.events, state.about);
        room.replaceChildren(...[
          make("p", {class: "soft"}, number ? `At turn ${number}${state.code === null ? ", running …" : ""}` : state.code === null ? "running …" : ""),
          rows, state.code && state.said ? note(state.said, true) : null,
          state.code === null ? button("stop", () => ask("stop", {program: state.program})) : null].filter(Boolean));
      };
      try {
        await run(action, form(), show, this.until);
      } catch (error) {
        room.replaceChildren(note(error.message, true));
      }
    });
    const level = make("p", {class: "soft"}, `Each in a process of its own; ${this.there.isolation}.`);
    const element = make("div", {class: "question"}, make("h3", {}, title), level, fields, line.element, room);
    return {element, fields, line, room, words, action, form};
  }

  /** The fields, which stay as they are from turn to turn. */
  fill() {
    const {there, found} = this;
    const players = playersOf(there, this.game, {more: found.players.filter((one) => one !== BY_HAND)});
    const own = there.own.find(({game}) => game === this.game.split(":")[0])?.player;
    const likely = new Set([...found.players, own]);
    const boxes = players.map(([player, words]) => make("label", {class: "check"},
      make("input", {type: "checkbox", name: "agents", value: player, checked: likely.has(player) && player !== "random"}), ` ${words}`));
    this.asking.fields.append(make("div", {class: "boxes"}, boxes),
      make("div", {class: "row"}, field("seconds each", input("seconds", {value: "1", inputmode: "decimal", size: 5})),
        make("button", {class: "main"}, "Ask")));
    const named = (seat) => found.players[seat] && found.players[seat] !== BY_HAND ? found.players[seat] : own ?? "random";
    const [one, two] = found.data.colours;
    this.going.fields.append(make("div", {class: "row"},
      field(one, select("first", players, named(0))), field(two, select("second", players, named(1))),
      field("games", input("games", {value: "20", inputmode: "numeric", size: 4})),
      field("seconds an action", input("action-time", {value: found.options["action-time"] ?? "", inputmode: "decimal", size: 5, placeholder: "course's"})),
      make("button", {class: "main"}, "Play on")));
  }

  analysis() {
    return {...filled(this.asking.fields, ["agents"]), game: this.game, ...this.place};
  }

  onward() {
    return {...filled(this.going.fields), game: this.game, from: this.path, turn: this.number || ""};
  }

  /** The turn that is shown has changed. */
  of(index) {
    const {data} = this.found;
    const turns = data.steps.length - data.opening;
    const number = Math.min(turns, Math.max(1, index - data.opening));
    const atEnd = index > 0 && index - data.opening === turns && this.found.goes_on;
    this.number = turns && !atEnd ? number : 0;
    const step = data.steps[data.opening + number - 1];
    this.heading.textContent = this.number ? `Understand turn ${number}` : "Understand this position";
    this.about.replaceChildren(this.number ? `All of this begins where turn ${number} was to be played. ` : "All of this begins where the record ends. ",
      this.found.players.length === 2 ? link("Start a match there", address("play", {
        game: this.game, first: this.found.players[0], second: this.found.players[1], from: this.path, turn: this.number || "", ...this.found.options})) : "");
    this.profiles(this.number ? step : null);
    for (const one of [this.asking, this.going]) one.line.of(one.action, one.form());
  }

  /** A button for each player that acted in the turn. */
  profiles(step) {
    const {data, players} = this.found;
    const asked = step ? step.players.filter((player) => players[player] && players[player] !== BY_HAND) : [];
    const room = make("div", {class: "answer", role: "status"});
    const line = command();
    const form = (player) => ({game: this.game, agent: players[player], ...this.place, colour: step.players.length > 1 ? data.colours[player] : ""});
    const buttons = asked.map((player) => button([`Profile ${data.names[player]}`], async () => {
      line.of("profile", form(player));
      room.replaceChildren(note("The turn is played again and again and measured; that takes some seconds …"));
      try {
        await run("profile", form(player), (state) => {
          if (state.code === 0) location.hash = address("profile", {path: /--save=(\S+)/.exec(state.command)[1]});
          else if (state.code !== null) room.replaceChildren(note(state.said || "The profile was stopped.", true));
        }, this.until);
      } catch (error) {
        room.replaceChildren(note(error.message, true));
      }
    }, {class: "main"}));
    this.timing.replaceChildren(make("h3", {}, "Where did its time go?"),
      make("p", {class: "soft"}, "It is measured in processes of its own that are not confined."),
      asked.length ? make("div", {class: "row"}, buttons) : make("p", {class: "soft"}, "No program acted in this turn."), line.element, room);
    if (asked.length) line.of("profile", form(asked[0]));
  }
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
  const reasons = games.slice(-1).map(({reason}) => reason).join("");
  return make("div", {}, make("p", {}, `${about.first} as first: ${points} of ${games.length} games, ${share.toFixed(1)} %${said}`), svg,
    make("p", {class: "soft"}, `${games.length} of ${about.games || 1} games; the last: ${reasons}`));
}

/** A saved profile. */
export async function profile(main, {path}, {until}) {
  const found = await ask("profile", {path});
  const room = make("div", {class: "profiled"});
  room.innerHTML = found.html; // made by profile/page.py, which escapes all that is a player's
  const at = /^turn (\d+) of (.+)$/.exec(found.where);
  const back = at ? make("p", {}, link("back to the match", address("record", {path: at[2], turn: at[1]}), {class: "act"})) : "";
  main.append(back, room);
  enliven(room);
  for (const wide of room.querySelectorAll(".wide")) wide.tabIndex = 0;
}

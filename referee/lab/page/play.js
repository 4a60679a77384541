// A match: the form that starts it, the match under way, and other commands while they run.

import {ask, watch} from "./ask.js";
import {Stage} from "./board.js";
import {charts} from "./charts.js";
import {Hand} from "./hand.js";
import {INTERRUPTED, address, button, clock, command, field, filled, input, isolated, keeper, link, make, note, refresh, select, stop} from "./parts.js";
import {measuring, opinions, scored} from "./replay.js";
import {Setup} from "./setup.js";
import {steps} from "./check.js";

export const LIMITS = ["time", "action-time", "first-time", "space", "nodes"];
const BY_HAND = "human";

/** The game that is asked for; else that of a player, or of the folder's first one. */
export function gameOf(there, game, player) {
  if (there.games.some((one) => one.game === game?.split(":")[0])) return game;
  const known = there.player.filter((one) => one.game && (!player || one.player === player));
  return known[0]?.game ?? there.own.find((one) => one.game && one.player === player)?.game ?? there.games[0].game;
}

/** Fields for a game and its variant, where it has any; `chosen` hears of the new name, and if only the variant is new. */
export function gameFields(there, game, chosen, attributes = {}) {
  const [name, variant = ""] = game.split(":");
  const known = there.games.find((one) => one.game === name).variants.map((one) => one.split(":")[1]);
  const list = make("datalist", {id: "variants"}, known.map((value) => make("option", {value})));
  return [
    field("game", select("game", there.games.map((one) => [one.game, one.game]), name, {...attributes, onchange: (event) => chosen(event.target.value)})),
    known.length ? field("variant", input("variant", {...attributes, value: variant, list: "variants", placeholder: `none, ${known[0]}`, size: 8,
      onchange: (event) => chosen([name, event.target.value.trim()].filter(Boolean).join(":"), true)})) : "",
    known.length ? list : ""];
}

/** The players that may play a game, to choose from. */
export function playersOf(there, game, {byHand = false, more = []} = {}) {
  const name = game.split(":")[0];
  const own = there.own.filter((one) => !one.game || one.game === name);
  const fits = there.player.filter((one) => !one.game || one.game.split(":")[0] === name || more.includes(one.player));
  const known = [...fits.map(({player}) => player), ...own.map(({player}) => player), BY_HAND];
  return [
    ...more.filter((one) => one && !known.includes(one)).map((one) => [one, one, "named"]),
    ...fits.map(({player, what}) => [player, `${player} (${what})`, "in this folder"]),
    ...own.map(({player, what}) => [player, `${player} (${what})`, "everywhere"]),
    ...(byHand ? [[BY_HAND, "by hand", "everywhere"]] : []),
  ];
}

/** Fields for limits; empty ones leave the course's. */
export function limitFields(given, course) {
  const left = (name, unit) => course[name] === undefined ? "no limit" : `${course[name]} ${unit}`;
  const number = (name, hint) => input(name, {value: given[name] ?? "", inputmode: "decimal", placeholder: hint, size: 8});
  return [
    field("seconds a game", number("time", left("game_seconds", "s"))),
    field("seconds an action", number("action-time", left("action_seconds", "s"))),
    field("for the first", number("first-time", left("first_seconds", "s"))),
    field("megabytes", number("space", left("megabytes", "MB"))),
    field("nodes an action", number("nodes", "not told")),
  ];
}

export async function play(main, asked, {until}) {
  const there = await ask("there");
  const given = asked.limits === "record" ? {...asked, ...(await ask("record", {path: asked.from})).options} : asked;
  let game = gameOf(there, given.game, given.first);
  const line = command();
  const keep = keeper("play");
  const problem = make("p", {class: "note error", role: "alert"});
  const setup = new Setup(given.position ?? "", () => changed());
  const form = make("form", {onsubmit: start, oninput: changed});
  const course = () => there.games.find((one) => one.game === game.split(":")[0]);
  const draw = (chosen) => {
    const agent = `${game.split(":")[0]}_agent`;
    const has = there.own.some(({player}) => player === agent);
    const first = chosen.first ?? (has ? agent : "greedy");
    const second = chosen.second ?? (first === "greedy" ? "random" : "greedy");
    const players = playersOf(there, game, {byHand: true, more: [first, second]});
    const [one, two] = course().colours;
    const begins = chosen.from ? make("p", {class: "note"}, "From ",
      link(chosen.from, address("record", {path: chosen.from, turn: chosen.turn})), chosen.turn ? `, turn ${chosen.turn}` : ", where it ended") : null;
    form.replaceChildren(
      make("div", {class: "fields"},
        gameFields(there, game, (name, isVariant) => { game = name; setup.of(course(), game); if (!isVariant) draw({}); changed(); }, {disabled: Boolean(chosen.from)}),
        field(`first (${one})`, select("first", players, first)),
        field(`second (${two})`, select("second", players, second)),
        field("pace", select("delay", [["0", "as fast as they play"], ["0.3", "0.3 s after a turn"], ["1", "1 s after a turn"]], chosen.delay ?? "0.3"))),
      begins ?? "",
      make("details", {open: Boolean(chosen.more)}, make("summary", {}, "Limits, opening, seed"),
        make("div", {class: "fields"}, limitFields(chosen, course().limits),
          field("random plies first", input("opening", {value: chosen.opening ?? "", inputmode: "numeric", placeholder: "0", size: 6, disabled: Boolean(chosen.from)})),
          field("seed", input("seed", {value: chosen.seed ?? "", inputmode: "numeric", placeholder: "drawn", size: 8})))),
      chosen.from ? "" : setup.element,
      make("div", {class: "row"}, make("button", {class: "main"}, "Start"),
        make("label", {class: "check"}, make("input", {type: "checkbox", name: "paused", value: "1", checked: Boolean(chosen.paused)}), " paused at first")),
      problem);
  };
  const pace = () => form.elements.delay?.value ?? "0.3";
  const form_of = () => ({...filled(form), game, variant: "", delay: pace() === "0" ? "" : pace(), from: given.from ?? "", turn: given.turn ?? "", position: given.from ? "" : setup.text});
  async function changed() {
    keep({...form_of(), delay: pace()});
    problem.textContent = await line.of("play", form_of());
  }
  async function start(event) {
    event.preventDefault();
    try {
      const number = await ask("start", {action: "play", form: form_of()});
      location.hash = address("match", {program: number});
    } catch (error) {
      problem.textContent = error.message;
    }
  }
  setup.of(course(), game);
  draw({...given, more: [...LIMITS, "opening", "seed"].some((name) => given[name])});
  main.append(make("h1", {}, "Play and watch"), form, line.element,
    isolated(there.isolation));
  until(() => setup.close());
  await changed();
}

/** A match under way. */
export async function match(main, given, {until}) {
  const program = Number(given.program);
  let stage = null, hand = null, state = null, thinkingSince = performance.now(), hasOffered = false;
  let soon = null, hasTurns = false, hasPrinted = false; // what is to be drawn in the next frame
  const status = make("p", {class: "status", role: "status"});
  const clocks = make("ul", {class: "clocks"});
  const controls = make("div", {class: "row"});
  const line = command();
  const problem = make("p", {class: "note error", role: "alert"});
  const room = make("div", {});
  const below = make("div", {});
  const heading = make("h1", {}, "A match");
  const keep = keeper("match");
  const watched = await watch(program, hear).catch((error) => error);
  if (watched instanceof Error) return earlier(main, given.record, watched.message);
  const {whole, leave} = watched;
  until(leave);
  state = whole;
  line.show(whole.command);
  const told = make("code", {});
  const telling = make("p", {class: "soft", hidden: true}, "What was pressed last is a line that the same command reads with --control: ", told);
  main.append(heading, status, clocks, controls, problem, room, below, line.element, telling);
  const timer = setInterval(drawClocks, 250);
  until(() => { clearInterval(timer); stage?.close(); });
  begin();

  function steer(request) {
    told.textContent = JSON.stringify(request);
    telling.hidden = false;
    ask("steer", {program, request}).catch((error) => { problem.textContent = error.message; });
  }

  function begin() {
    if (!state.match?.data) return draw();
    keep({program, record: state.record});
    stage?.close();
    stage = new Stage(state.match.data, {});
    hand = new Hand(stage.board, (action) => steer({do: "play", player: state.match.now.by_hand, turn: state.match.now.turn, action}));
    stage.board.element.before(hand.element);
    room.replaceChildren(stage.element, stage.output);
    heading.textContent = state.match.data.names.join(" against ");
    main.classList.add(state.match.data.game.split(":")[0]); // whose colours the players' marks have
    stage.show(stage.last);
    draw();
  }

  function hear(event) {
    const {data} = state.match;
    if (event.now) state.match.now = event.now;
    problem.textContent = event.event === "refused" ? event.sentence : "";
    if (event.event === "begin") {
      ask("watch", {program}).then((now) => { state = now; begin(); });
      return;
    }
    if (event.event === "ask") thinkingSince = performance.now();
    if (event.event === "ended") Object.assign(state, {code: event.code, said: event.said});
    if (data && (event.event === "opened" || event.event === "turn")) {
      if (event.event === "opened") data.opening += 1;
      data.steps.push(event.step);
      data.states.push(event.state);
      hasTurns = true;
    }
    if (data && event.event === "printed") {
      hasPrinted = true;
      data.output.push([event.turn ? data.opening + event.turn : 0, event.player, event.text]);
    }
    if (data && event.event === "taken back") {
      const left = data.opening + event.turns;
      data.steps.length = left;
      data.states.length = left + 1;
      data.output = data.output.filter(([index]) => index <= left);
      stage.follow();
    }
    soon ??= requestAnimationFrame(() => { // however many turns are played until then
      soon = null;
      if (hasTurns) stage.follow();
      else if (hasPrinted) stage.show(stage.shown);
      hasTurns = hasPrinted = false;
      draw();
    });
  }

  function draw() {
    const {now, data} = state.match;
    const over = now.over || state.code !== null;
    const names = data?.names ?? [];
    const asked = now.asked.map((player) => names[player]).join(" and ");
    const byHand = now.by_hand !== null && now.by_hand !== undefined;
    status.textContent = now.over ?? (state.code !== null
      ? (state.code === INTERRUPTED ? "The match was stopped; its record can be gone on with." : state.said || "The match has ended.")
      : !data ? "The players are being started …"
        : byHand ? `${names[now.by_hand]} is played by hand.`
          : now.paused && !thinking() ? paused(now, names) : asked ? `${asked} ${now.asked.length > 1 ? "are" : "is"} thinking …` : "The next turn is played …");
    const seats = over || !data ? [] : [0, 1].filter((player) => !data.humans.includes(player)).map((player) => now.hands.includes(player)
      ? button(`give ${names[player]} back`, () => steer({do: "give", player}))
      : button(`take over ${names[player]}`, () => steer({do: "take", player})));
    refresh(controls, over ? ended() : [
      now.paused ? button("go on", () => steer({do: "go"}), {class: "main"}) : button("pause", () => steer({do: "pause"}), {class: "main"}),
      data ? button("step", () => steer({do: "step"})) : "",
      data ? button("take back", () => steer({do: takesBack()})) : "",
      ...seats,
      byHand ? button("resign", () => steer({do: "resign", player: state.match.now.by_hand})) : "",
      button("stop", () => stop(program)),
    ]);
    hand?.offer(over || stage.shown !== stage.last ? [] : now.legal ?? [], names[now.by_hand], !over && now.hands.length > 0);
    if (hand && byHand && !hasOffered) { // who plays may be known before there is a board
      hasOffered = true;
      if (stage.board.element.getBoundingClientRect().bottom > innerHeight) hand.element.scrollIntoView({block: "start"});
    }
    drawClocks();
    if (over && stage && !below.firstChild) {
      const drawn = charts(stage);
      stage.onTurn = drawn.mark;
      below.append(drawn.element);
      drawn.mark();
    }
  }

  /** Who plays against a program takes back what they chose last; else it is the last turn, whoever played it. */
  function takesBack() {
    const {now, data} = state.match;
    const own = data.steps.slice(data.opening).some(({players}) => players.some((player) => now.hands.includes(player)));
    return now.hands.length === 1 && own ? "undo" : "back";
  }

  function thinking() {
    return state.match.now.asked.length && !state.match.now.paused;
  }

  function ended() {
    const path = state.record;
    return [
      path ? link("look at it turn by turn", address("record", {path}), {class: "act main"}) : null,
      link("play again", address("play", {...state.about, delay: state.about.delay || "0"}), {class: "act"}),
    ];
  }

  function drawClocks() {
    const {now, data} = state.match;
    if (!data) return;
    refresh(clocks, now.clocks.map(({used, left}, player) => {
      const isWaiting = now.by_hand !== null && now.by_hand !== undefined && now.by_hand !== player; // for a person
      const isAsked = now.asked.includes(player) && !isWaiting && state.code === null && !now.over;
      const passed = isAsked && thinking() ? `, thinking for ${clock((performance.now() - thinkingSince) / 1000)}` : "";
      const words = `${clock(used)} used${left === null ? "" : `, ${clock(Math.max(0, left))} left`}${passed}`;
      return make("li", {class: isAsked ? "running" : ""}, make("span", {class: `player p${player}`}, data.names[player]), " ", words);
    }));
  }
}

/** A match of an earlier lab: what there is of it. */
function earlier(main, record, words) {
  main.append(make("h1", {}, "A match"), note(words), make("div", {class: "row"}, record
    ? link("look at its record, and go on there", address("record", {path: record}), {class: "act main"})
    : link("look what is there", address(""), {class: "act main"})));
}

/** Why nothing is played now, and who is to choose when it goes on. */
function paused(now, names) {
  const own = now.hands.map((player) => names[player]).join(" and ");
  return own ? `Paused: go on, or step, to play. ${own} ${now.hands.length > 1 ? "are" : "is"} played by hand.` : "Paused.";
}

/** Any other command: what it says. */
export async function program(main, given, {until}) {
  const number = Number(given.program);
  const room = make("div", {});
  const line = command();
  let state = null;
  const {whole, leave} = await watch(number, (event) => {
    if (event.event === "ended") Object.assign(state, {code: event.code, said: event.said});
    else state.events.push(event);
    draw();
  });
  until(leave);
  state = whole;
  line.show(whole.command);
  main.append(make("h1", {}, "A command"), line.element, room);
  draw();

  function draw() {
    const {events, code, said, action, about} = state;
    const texts = events.filter(({text}) => text !== undefined).map(({text}) => text).join("\n");
    refresh(room, [
      make("p", {class: "status", role: "status"}, code === null ? (action === "profile" ? measuring(events) : "running …") : code === 0 ? "done" : code === INTERRUPTED ? "stopped" : `ended with code ${code}`),
      code === null ? button("stop", () => stop(number)) : null,
      said ? note(said, code > 1) : null,
      action === "analyse" ? opinions(events) : null,
      action === "play_on" ? scored(events, about) : null,
      action === "check" ? steps(events.filter(({step}) => step), about.agent) : null,
      texts ? make("pre", {tabindex: "0"}, texts) : null,
    ]);
  }
}

// Tournaments: the form that starts one, and how one stands while it runs and afterwards.

import {ask, news} from "./ask.js";
import {address, ago, button, command, field, filled, input, link, make, note, select, table} from "./parts.js";
import {gamesOf, limitFields, playersOf} from "./play.js";

const FORMATS = [["round-robin", "everybody against everybody"], ["gauntlet", "the first against all"], ["knockout", "knockout"], ["swiss", "Swiss"]];

export async function tournaments(main, given) {
  const there = await ask("there");
  let game = gamesOf(there).some(([name]) => name === given.game) ? given.game : there.games[0].game;
  const line = command();
  const problem = make("p", {class: "note error", role: "alert"});
  const form = make("form", {oninput: changed, onsubmit: start});
  const course = () => there.games.find((one) => one.game === game.split(":")[0]);
  const draw = () => {
    const players = playersOf(there, game);
    const own = players.filter(([player]) => player !== "random");
    const boxes = players.map(([player, words]) => make("label", {class: "check"},
      make("input", {type: "checkbox", name: "players", value: player, checked: own.slice(0, 2).some(([one]) => one === player)}), ` ${words}`));
    form.replaceChildren(
      make("div", {class: "fields"},
        field("game", select("game", gamesOf(there), game, {onchange: (event) => { game = event.target.value; draw(); changed(); }})),
        field("format", select("format", FORMATS, "round-robin")),
        field("pairs a pairing", input("pairs", {value: "10", inputmode: "numeric", size: 6})),
        field("pairs at once", input("jobs", {placeholder: "as many as cores", inputmode: "numeric", size: 6}))),
      make("fieldset", {}, make("legend", {}, "players"), make("div", {class: "boxes"}, boxes)),
      make("details", {}, make("summary", {}, "Limits, openings, seed, stopping early"),
        make("div", {class: "fields"}, limitFields({}, course().limits),
          field("random plies first", input("opening", {placeholder: "2", inputmode: "numeric", size: 6})),
          field("seed", input("seed", {placeholder: "drawn", inputmode: "numeric", size: 8})),
          field("stop when it is decided", input("sprt", {placeholder: "0,20", size: 8}), "two differences in Elo, of two players"),
          field("if a player fails at once", select("on-fault", [["", "as the format does"], ["stop", "stop"], ["continue", "go on"], ["exclude", "leave it out"]], "")))),
      make("div", {class: "row"}, make("button", {class: "main"}, "Start")), problem);
  };
  const given_now = () => ({...filled(form, ["players"]), game});
  async function changed() { problem.textContent = await line.of("tournament", given_now()); }
  async function start(event) {
    event.preventDefault();
    try {
      const program = await ask("start", {action: "tournament", form: given_now()});
      location.hash = address("journal", {path: (await ask("watch", {program})).about.journal});
    } catch (error) {
      problem.textContent = error.message;
    }
  }
  draw();
  main.append(make("h1", {}, "A tournament"), form, line.element, make("p", {class: "soft"}, `Each player has a process of its own; ${there.isolation}.`));
  if (there.journal.length) {
    main.append(make("h2", {}, "Those that are there"), table(["tournament", "players", "pairs", "when"], there.journal.map((one) => [
      link(`${one.game}: ${one.format}`, address("journal", {path: one.path})), one.players.join(", "), String(one.pairs), ago(one.changed)])));
  }
  await changed();
}

/** A tournament, from its journal: it may run. */
export async function journal(main, {path}, {until}) {
  const status = make("p", {class: "status", role: "status"});
  const controls = make("div", {class: "row"});
  const room = make("div", {class: "report"});
  const games = make("div", {});
  const line = command();
  const problem = make("p", {class: "note error", role: "alert"});
  main.append(status, controls, problem, room, games, line.element);
  let isDrawing = false;
  let shownPairs = -1;

  async function draw() {
    if (isDrawing) return;
    isDrawing = true;
    try {
      const there = await ask("there");
      const running = there.programs.find(({about, code}) => about.journal === path && code === null);
      const last = there.programs.find(({about}) => about.journal === path);
      let found = null;
      try {
        found = await ask("journal", {path});
      } catch (error) {
        status.textContent = running ? "The tournament begins …" : error.message;
        if (last?.said) problem.textContent = last.said;
      }
      controls.replaceChildren(...[
        running ? button("stop", () => ask("stop", {program: running.program}), {class: "main"}) : null,
        !running && found ? button("go on", go, {class: "main"}) : null,
      ].filter(Boolean));
      if (last && !running) problem.textContent = last.code > 1 && last.code !== 130 ? last.said : "";
      if (!found) return;
      status.textContent = running ? `The tournament is running: ${found.pairs} pairs by now.` : `${found.pairs} pairs are in the journal.`;
      if (running) line.show(running.command);
      else problem.textContent ||= await line.of("go on", {journal: path});
      if (found.pairs === shownPairs) return;
      shownPairs = found.pairs;
      room.innerHTML = found.html; // made by view/report.py, which escapes all that is a player's
      for (const wide of room.querySelectorAll(".wide")) wide.tabIndex = 0;
      const rows = found.records.map((one) => [link(one.path, address("record", {path: one.path})), String(one.pair), one.reason]);
      games.replaceChildren(...(rows.length ? [make("h2", {}, "Games"), table(["record", "pair", "result"], rows)] : []));
    } finally {
      isDrawing = false;
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

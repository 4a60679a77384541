// A check, step by step as it runs, each objection with the lines it is about; and the zip to hand in.

import {ask, watch} from "./ask.js";
import {address, button, command, count, field, figure, filled, input, keeper, link, make, note, refresh, select, stop} from "./parts.js";
import {gameFields, gameOf, playersOf} from "./play.js";

const SIGNS = {pass: "✓", remark: "!", fail: "✗", "not tried": "–"};

export async function check(main, given, {until}) {
  const there = await ask("there");
  let game = gameOf(there, given.game, given.agent);
  let state = null; // of the command that runs
  const players = (agent) => playersOf(there, game, {more: [agent]}).filter(([name]) => !["random", "greedy"].includes(name));
  const line = command();
  const packing = command();
  const keep = keeper("check");
  const problem = make("p", {class: "note error", role: "alert"});
  const room = make("div", {});
  const status = make("p", {class: "status", role: "status"});
  const form = make("form", {oninput: changed, onsubmit: (event) => { event.preventDefault(); run("check"); }});
  const draw = (chosen) => {
    const known = players(chosen.agent);
    const agent = chosen.agent ?? known[0]?.[0];
    form.replaceChildren(
      make("div", {class: "fields"},
        gameFields(there, game, (name, isVariant) => { game = name; if (!isVariant) draw({}); changed(); }),
        field("player", select("agent", known, agent)),
        field("share of the limits", input("share", {value: chosen.share ?? "", placeholder: "1", inputmode: "decimal", size: 5})),
        field("zip", input("out", {value: chosen.out ?? zipOf(agent), size: 16}))),
      make("div", {class: "row"}, make("button", {class: "main"}, "Check"), button("Pack", () => run("pack"))), problem);
  };
  const given_now = () => ({...filled(form), game, variant: ""});
  async function changed(event) {
    if (!given.program) keep(given_now());
    if (event?.target.name === "agent") form.elements.out.value = zipOf(event.target.value);
    problem.textContent = await line.of("check", given_now());
    await packing.of("pack", given_now());
    if (!event || ["agent", "game"].includes(event.target?.name)) await last();
  }

  /** What the last check said. */
  async function last() {
    const {agent} = given_now();
    try {
      const found = agent ? await ask("check", {game, agent}) : null;
      status.textContent = found ? `The last check: ${sum(found)}` : "This player has not been checked here.";
      room.replaceChildren(found ? steps(found.steps) : "");
    } catch (error) {
      status.textContent = error.message;
    }
  }

  async function run(action) {
    const about = given_now();
    room.replaceChildren();
    problem.textContent = "";
    try {
      const program = await ask("start", {action, form: about});
      location.replace(address("check", {...about, program}));
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  async function follow(program) {
    let heard = Promise.resolve(); // one after another, though each may ask for its sources
    const next = (event) => { heard = heard.then(() => hear(event)).catch((error) => { problem.textContent = error.message; }); };
    const {whole, leave} = await watch(program, next);
    until(leave);
    state = {...whole, events: []};
    say();
    whole.events.forEach(next);
    if (whole.code !== null) heard = heard.then(over);
    await heard;
  }

  async function hear(event) {
    if (event.event === "ended") {
      Object.assign(state, {code: event.code, said: event.said});
      return over();
    }
    state.events.push(event);
    if (event.step) {
      if (["fail", "remark"].includes(event.state)) Object.assign(event, await ask("sources", {agent: state.about.agent, step: event}));
      refresh(room, steps(state.events.filter(({step}) => step)));
    }
    say();
  }

  function say() {
    if (state.code !== null) return;
    const done = state.events.filter(({step}) => step).length;
    const what = state.action === "pack" ? `${state.about.agent} is packed, and the zip is checked` : `${state.about.agent} is checked: ${done} of ${there.steps} steps are done`;
    refresh(status, `${what} … `, button("stop", () => stop(state.program)));
  }

  async function over() {
    const packed = state.events.find((one) => one.packed !== undefined);
    const whole = state.events.find((one) => one.steps);
    if (packed) {
      const checked = await Promise.all(packed.check.steps.map((step) => ["fail", "remark"].includes(step.state) ? ask("sources", {agent: state.about.agent, step}) : step));
      status.replaceChildren(...(packed.packed ? [`${packed.zip} is written: ${count(packed.files.length, "file")}, ${figure(packed.bytes)} bytes. `,
        link("save the zip", `zip/${packed.zip.split("/").map(encodeURIComponent).join("/")}`, {download: packed.zip.split("/").at(-1), class: "act main"})]
        : [`${packed.zip} is not written: ${sum(packed.check)}`]));
      room.replaceChildren(steps(checked));
    } else if (whole) {
      status.textContent = sum(whole);
    } else {
      status.textContent = "";
      room.append(note(state.said || "It was stopped.", true));
    }
  }

  draw(given);
  main.append(make("h1", {}, "Check and pack"), make("p", {class: "soft"},
    "A check runs the player as you, in processes of its own that are not confined: check strangers' code in a machine of its own."), form, line.element, packing.element, status, room);
  problem.textContent = await line.of("check", given_now());
  await packing.of("pack", given_now());
  if (given.program) await follow(Number(given.program)).catch(last);
  else await last();
}

const zipOf = (agent) => `${(agent ?? "player").replace(/\.(py|zip)$/, "").split(/[/:]/).at(-1)}.zip`;

function sum({objections, remarks}) {
  const said = objections ? count(objections, "objection") : "nothing to object to";
  return remarks ? `${said}; ${count(remarks, "remark")}` : said;
}

/** The steps of a check: what was found, what to do, and the lines of source. */
export function steps(rows) {
  return make("ol", {class: "steps"}, rows.map((one) => make("li", {class: one.state.replace(" ", "-")},
    make("h3", {}, make("span", {class: "sign", "aria-hidden": "true"}, SIGNS[one.state] ?? "?"), ` ${one.step} `, make("span", {class: "unseen"}, one.state)),
    make("p", {class: /\n *\+-/.test(one.found) ? "found drawn" : "found", tabindex: /\n *\+-/.test(one.found) ? "0" : null}, one.found),
    [...new Set(one.found.match(/records\/[\w.-]+\.txt/g) ?? [])].map((path) => make("p", {}, link("look at that game", address("record", {path})))),
    one.advice ? make("p", {class: "advice"}, one.advice) : null,
    (one.sources ?? []).map(({file, line, lines}) => make("figure", {class: "source"}, make("figcaption", {}, `${file}, line ${line}`),
      make("pre", {tabindex: "0"}, lines.map(([number, text]) => make("span", {class: number === line ? "hot" : ""}, `${String(number).padStart(5)}  ${text}\n`))))))));
}

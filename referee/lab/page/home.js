// The first page: what is in the folder, and what is under way.

import {ask, news} from "./ask.js";
import {Board} from "./board.js";
import {INTERRUPTED, address, ago, button, count, link, make, note, refresh, stop, table} from "./parts.js";
import {journals} from "./tournament.js";

const FEW = 10; // matches that are listed at first,
const MANY = 200; // and at most
const DOING = {
  play: "match", play_on: "games from a position", analyse: "analysis", profile: "profile", tournament: "tournament",
  check: "check", pack: "hand-in", "go on": "tournament",
};

export async function home(main, given, {until}) {
  const draw = async () => {
    const there = await ask("there");
    refresh(main, page(there));
  };
  await draw();
  until(news(() => draw().catch(() => null)));
  const look = () => { if (!document.hidden) draw().catch(() => null); };
  document.addEventListener("visibilitychange", look);
  until(() => document.removeEventListener("visibilitychange", look));
}

function page(there) {
  const unfinished = there.record.filter((one) => !one.is_over && !one.goes_on && !underWay(there, one) && one.players.length === 2);
  const over = there.record.filter((one) => one.is_over);
  return [
    make("h1", {}, "What is there"),
    make("p", {class: "soft"}, there.folder),
    !there.is_there ? note("This folder is not there any more.", true) : there.writable ? "" : note("This folder cannot be written to, so no match, tournament or check can be kept here: start the lab in a folder of your own.", true),
    section("Games", make("ul", {class: "cards"}, there.games.map(game))),
    section("Under way", programs(there.programs.filter(({code}) => code === null))),
    section("Unfinished matches", unfinished.length ? halves(unfinished.slice(0, FEW)) : null),
    unfinished.length > FEW ? folded("unfinished", `${unfinished.length - FEW} earlier`, halves(unfinished.slice(FEW))) : null,
    section("Players", players(there)),
    section("Tournaments", there.journal.length ? journals(there.journal) : null),
    section("Profiles", there.profile.length ? table(["profile", "of", "when"], there.profile.map((one) => [
      link(`${one.agent}, ${one.game}`, address("profile", {path: one.path})), one.where, ago(one.changed),
    ])) : null),
    section("Matches", over.length ? matches(there, over.slice(0, FEW)) : note("No match has been recorded here yet; what is played here will be.")),
    over.length > FEW ? folded("earlier", count(over.length - FEW, "earlier match", "earlier matches"), matches(there, over.slice(FEW, MANY))) : null,
    folded("ended", "Commands that have ended since the lab was started", programs(there.programs.filter(({code}) => code !== null))),
  ].filter(Boolean);
}

const halves = (rows) => table(["match", "when", ""], rows.map((one) => [recordLink(one), ago(one.changed),
  link("go on", address("play", {game: one.game, first: one.players[0], second: one.players[1], from: one.path, limits: "record"}), {class: "act"})]));

const matches = (there, rows) => table(["match", "result", "when"], rows.map((one) => [recordLink(one), [outcome(there, one), one.reason], ago(one.changed)]));

const unfolded = new Set(); // what has been opened stays open when there is news
const folded = (name, heading, content) => content && make("details", {open: unfolded.has(name),
  ontoggle: ({target}) => { if (target.open) unfolded.add(name); else unfolded.delete(name); }}, make("summary", {}, heading), content);

const section = (heading, content) => content && make("section", {}, make("h2", {}, heading), content);

/** Whether a program writes this record now. */
const underWay = (there, one) => there.programs.some(({code, record}) => code === null && record.endsWith(one.path));

const recordLink = (one) => link(`${one.game}: ${one.players.join(" against ") || one.path}`, address("record", {path: one.path}));

/** Who won a match: said of the one of its players that is in the folder, if it is one. */
function outcome(there, {players, scores}) {
  const own = players.map((name) => there.player.some(({player}) => player === name || player === `./${name}`));
  if (!scores) return "";
  if (own[0] === own[1]) return scores[0] === scores[1] ? "drawn: " : `${players[scores.indexOf(1)]} won: `;
  const score = scores[own.indexOf(true)];
  return make("b", {class: score === 0 ? "bad" : "good"}, score === 0 ? "lost: " : score === 1 ? "won: " : "drawn: ");
}

function game(one) {
  const board = new Board();
  board.draw(one.game, one.drawn, one.start, null, `the start of ${one.game}`);
  board.svg.setAttribute("role", "img");
  const words = {game_seconds: "s a game", action_seconds: "s an action", first_seconds: "s for the first", megabytes: "MB"};
  const limits = Object.entries(one.limits).map(([name, value]) => `${value} ${words[name]}`).join(", ");
  return make("li", {}, make("h3", {}, one.game), board.element, make("p", {class: "soft"}, limits),
    link("Watch a match", address("play", {game: one.game}), {class: "act main", "aria-label": `Watch a match of ${one.game}`}));
}

/** What a command does, in a few words. */
function doing({action, about}) {
  const players = about.first ? `${about.game}: ${about.first} against ${about.second}` : about.agent ?? about.journal ?? about.game ?? "";
  return `${DOING[action] ?? action}, ${players}`;
}

function programs(rows) {
  if (!rows.length) return null;
  return make("ul", {class: "plain"}, rows.map((one) => {
    const to = one.action === "play" ? address("match", {program: one.program})
      : one.about.journal ? address("journal", {path: one.about.journal}) : address("program", {program: one.program});
    const state = one.code === null ? "is running" : one.code === 0 ? "is done" : one.code === INTERRUPTED ? "was stopped" : `ended with code ${one.code}`;
    const stopping = one.code === null ? button("stop", () => stop(one.program), {"data-program": one.program}) : null;
    return make("li", {}, link(doing(one), to), " ", make("span", {class: "soft"}, state), " ",
      make("code", {}, one.command), " ", stopping);
  }));
}

function players(there) {
  const none = there.player.length ? null : make("p", {class: "note"}, "There is no player in this folder yet; ",
    make("code", {}, "referee new kalaha my_team"), " writes a first one.");
  const ours = there.own.filter(({game}) => game);
  return make("div", {}, none, table(["player", "last check", ""], [...there.player, ...ours].map((one) => {
    const checks = there.check.filter(({agent}) => agent === one.player);
    const said = checks.map((check) => link(
      `${check.game}: ${check.objections ? count(check.objections, "objection") : "nothing to object to"}`,
      address("check", {game: check.game, agent: one.player}), {class: check.objections ? "bad" : "good"}));
    return [[make("span", {}, one.player), make("br"), make("small", {class: "soft"}, [one.game, one.what].filter(Boolean).join(", "))], said.length ? said.flatMap((link) => [link, " "]) : make("span", {class: "soft"}, "not checked yet"),
      [link("play", address("play", {game: one.game, first: one.player}), {class: "act", "aria-label": `play ${one.player}`}), " ",
        link("check", address("check", {game: one.game, agent: one.player}), {class: "act", "aria-label": `check ${one.player}`})]];
  })), make("p", {class: "soft"}, "random and greedy play any game, and so do you, by hand."));
}

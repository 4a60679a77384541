// The lab: which page is shown, by the address behind the #.

import {connect} from "./ask.js";
import {home} from "./home.js";
import {check} from "./check.js";
import {make, note} from "./parts.js";
import {match, play, program} from "./play.js";
import {profile, record} from "./replay.js";
import {journal, tournaments} from "./tournament.js";

const PAGES = {"": home, play, match, program, record, profile, journal, tournaments, check};
const TITLES = {"": "the lab", play: "play", match: "a match", program: "a command", record: "a recorded match",
  profile: "a profile", journal: "a tournament", tournaments: "tournaments", check: "check and pack"};
const main = document.getElementById("main");
let ends = []; // what the page that is shown wants done when it goes
let shows = 0;

async function show() {
  for (const end of ends.splice(0)) end();
  const [name, query] = location.hash.replace(/^#\/?/, "").split("?");
  const page = PAGES[name];
  shows += 1;
  const mine = shows;
  const room = make("div", {class: "page"});
  room.dataset.address = location.hash; // which page is shown, for who waits for it
  const until = (end) => { if (mine === shows) ends.push(end); else end(); };
  document.title = `${TITLES[name] ?? "nothing"} – the lab`;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.getAttribute("href") === `#/${name}`;
    if (here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  try {
    if (!page) throw new Error("There is no such page here.");
    await page(room, Object.fromEntries(new URLSearchParams(query)), {until});
  } catch (error) {
    room.replaceChildren(make("h1", {}, "This cannot be shown"), note(error.message, true));
  }
  if (mine !== shows) return;
  const isFirst = main.querySelector(".page") === null;
  main.replaceChildren(room);
  if (!isFirst) {
    scrollTo(0, 0);
    main.focus({preventScroll: true});
  }
}

document.getElementById("skip").addEventListener("click", () => main.focus());
addEventListener("hashchange", show);
connect((isThere) => {
  const gone = document.getElementById("gone");
  gone.hidden = isThere;
  gone.textContent = isThere ? "" : "The lab does not answer. Start it again in a terminal (its address is new then); nothing that was written is lost.";
});
show();

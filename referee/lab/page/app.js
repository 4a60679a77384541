// The lab: which page is shown, by the address behind the #.

import {ask, connect} from "./ask.js";
import {home} from "./home.js";
import {check} from "./check.js";
import {button, command, copy, make, note} from "./parts.js";
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

const HOW = {
  gone: "The lab does not answer.",
  other: "Another program answers where the lab was, or the lab under a new address, which its terminal shows.",
  refused: "The lab is there, but takes no more windows: close one.",
};
const gone = document.getElementById("gone");
const again = command();
const way = make("div", {}, "Nothing that was written is lost. To go on here, type this in a terminal, and give it this page's address when it asks:",
  again.element, button("copy this page's address", () => copy(location.href.replace(/#.*/, ""), "The address")));
const how = make("p", {});
gone.append(how, way);
connect((state) => {
  gone.hidden = state === "there";
  way.hidden = state === "refused";
  if (how.textContent !== (HOW[state] ?? "")) how.textContent = HOW[state] ?? ""; // who listens hears it once
  if (state === "there") ask("again").then((line) => again.show(line));
});
show();

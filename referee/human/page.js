// A human's page: shows what the program publishes, turns clicks into steps, and steps into an action.

"use strict";

const NAMED = 12; // possible places that a message lists
const tab = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
const find = (id) => document.getElementById(id);
const svg = document.querySelector("#board svg");

let shown = {version: -1};
let picked = []; // steps of the action that is being put together
let sent = false; // an action is on its way: until there is news, or it is refused
let received = 0; // when what is shown was, in the page's clock
let keyed = false; // the last input was a key, not a click
let at = ""; // the place that had the focus last
let drawnClocks = ""; // what the clocks say

follow();
setInterval(drawClocks, 200);

/** Asks for news until the program has ended. */
async function follow() {
  let heard = false;
  while (!heard) {
    try {
      const answer = await fetch(`state?since=${shown.version}&tab=${tab}`);
      if (!answer.ok) throw new Error(await answer.text());
      const news = await answer.json();
      heard = Boolean(news.closed) && news.version === shown.version; // asked once more: so the program knows
      received = performance.now() - 1000 * news.age;
      if (news.version !== shown.version) take(news);
    } catch {
      if (shown.closed) return;
      find("status").textContent = "The program does not answer. If it has ended, this page is all that is left.";
      await new Promise((resolve) => setTimeout(resolve, 1000));
      shown = {...shown, version: -1};
    }
  }
}

/** Shows what is new. */
function take(news) {
  const before = shown;
  shown = news;
  sent = false;
  if (!news.begun) {
    find("status").textContent = news.closed || "The players are being started …";
    return;
  }
  const isNewTurn = before.number !== news.number || before.turn !== news.turn || !news.legal.length;
  if (isNewTurn) picked = before.begun ? [] : begunBefore(news);
  if (isNewTurn || news.notice) say(news.notice, true);
  document.title = `${news.game}: ${news.titles[news.you]}`;
  find("title").textContent = `${news.game}: ${news.titles.join(" against ")}`;
  if (before.text !== news.text || before.number !== news.number) drawTable(before);
  drawTurns();
  drawChoices();
  drawClocks();
}

/** What was picked in this turn before the page was loaded again. */
function begunBefore(news) {
  const kept = JSON.parse(sessionStorage.getItem("picked") || "{}");
  return kept.number === news.number && kept.turn === news.turn && news.legal.length ? kept.picked : [];
}

function drawTable(before) {
  svg.toggleAttribute("hidden", !shown.drawn);
  const pre = document.querySelector("#board pre");
  pre.hidden = shown.drawn;
  pre.textContent = shown.picture;
  if (shown.drawn) drawBoard(svg, shown.game, shown.text, shown.change && {...shown.change, still: !before.begun});
}

// Choosing

/** The steps that may come next, in the order of the legal actions. */
function nextSteps(steps = picked) {
  const fitting = shown.legal.filter(([, all]) => steps.every((step, index) => all[index] === step));
  return [...new Set(fitting.map(([, all]) => all[steps.length]).filter(Boolean))];
}

/** Takes the first of the steps that a click may mean, or says what would be possible. */
function pick(meant) {
  if (!shown.begun || shown.over || shown.closed) return;
  if (!mayChoose()) {
    say(shown.chosen ? `You have chosen ${shown.chosen}; now the other player has to.` : "It is not your turn.");
    return;
  }
  say("");
  const possible = nextSteps();
  const step = meant.find((one) => possible.includes(one));
  const again = meant.find((one) => nextSteps([]).includes(one));
  if (step) {
    picked = [...picked, step];
  } else if (again) {
    picked = picked[0] === again ? [] : [again];
  } else {
    const names = possible.map(nameOf);
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
    const what = picked.length ? ` after ${picked.map(nameOf).join(", ")}` : "";
    say(`${nameOf(meant[0])} is not legal${what}; legal is ${names.slice(0, NAMED).join(", ")}${more}.`);
  }
  const whole = shown.legal.find(([, all]) => all.length === picked.length && all.every((one, n) => one === picked[n]));
  if (whole) {
    sent = true;
    picked = [];
    send("play", whole[0]);
  }
  drawChoices();
}

function mayChoose() {
  return shown.legal.length > 0 && !sent && !shown.chosen && !shown.over && !shown.closed;
}

/** Tells the program; what it refuses is said. */
async function send(what, action) {
  const body = JSON.stringify({do: what, action, number: shown.number, turn: shown.turn});
  try {
    const answer = await fetch("do", {method: "POST", headers: {"Content-Type": "application/json"}, body});
    const {sentence} = await answer.json();
    if (sentence) refused(sentence);
  } catch {
    refused("The program does not answer; nothing was done.");
  }
}

function refused(sentence) {
  sent = false;
  say(sentence);
  drawChoices();
}

const nameOf = (step) => step.slice(step.indexOf(" ") + 1).replace(/^/, step.startsWith("quadrant") ? "quadrant " : "");

/** The steps that a click on this element may mean. */
function stepsAt(element) {
  const place = element.closest("[data-place]");
  const quadrant = element.closest("[data-quadrant]");
  return [
    ...(place ? [`place ${place.dataset.place}`] : []),
    ...(quadrant ? [`quadrant ${quadrant.dataset.quadrant}`] : []),
  ];
}

/** Whether the step needs a button: no place on the board, or one that the board does not have. */
function needsButton(step) {
  return step.startsWith("button ") || step.startsWith("place ") && !(shown.drawn && placeOf(svg, nameOf(step)));
}

function drawChoices() {
  sessionStorage.setItem("picked", JSON.stringify({number: shown.number, turn: shown.turn, picked}));
  const next = mayChoose() ? nextSteps() : [];
  const isAble = (element, key, kind) => next.includes(`${kind} ${element.dataset[key]}`);
  const focused = document.activeElement;
  for (const [key, kind] of [["place", "place"], ["quadrant", "quadrant"]]) {
    for (const element of svg.querySelectorAll(`[data-${key}]`)) {
      const able = isAble(element, key, kind);
      element.classList.toggle("able", able);
      element.classList.toggle("picked", picked.includes(`${kind} ${element.dataset[key]}`));
      for (const [name, value] of [["tabindex", "0"], ["role", "button"]]) {
        if (able) element.setAttribute(name, value); else element.removeAttribute(name);
      }
      if (able && element.parentNode !== svg) element.parentNode.append(element); // so that its rim is in sight
    }
  }
  focused.focus();
  const buttons = next.filter(needsButton).map((step) => choice(nameOf(step), () => pick([step])));
  // What was chosen by a button stays in sight, and can be chosen otherwise.
  const first = picked[0] || "";
  if (mayChoose() && needsButton(first)) {
    for (const step of nextSteps([]).filter(needsButton)) {
      const button = choice(nameOf(step), () => { picked = []; pick([step]); });
      button.classList.toggle("picked", step === first);
      buttons.push(button);
    }
  }
  if (picked.length && mayChoose()) {
    const back = choice("start over", () => { picked = []; say(""); drawChoices(); });
    back.className = "back";
    buttons.push(back);
  }
  find("choices").replaceChildren(...buttons);
  keepFocus();
  find("status").textContent = statusLine(next);
  const over = Boolean(shown.over || shown.closed);
  find("hint").disabled = !mayChoose();
  find("undo").disabled = !mayChoose() || Boolean(shown.no_undo);
  find("undo").title = shown.no_undo || "";
  for (const name of ["hint", "undo", "resign"]) find(name).hidden = over;
  find("quit").hidden = Boolean(shown.closed);
  find("next").hidden = !shown.over || Boolean(shown.closed);
}

/** What had the focus may be gone: who uses keys goes on at the same place, or the first to choose. */
function keepFocus() {
  const kept = document.activeElement.closest("#controls, #turns, #choices, .able");
  if (!keyed || kept || !mayChoose()) return;
  const same = at && placeOf(svg, at)?.closest(".able");
  (same || document.querySelector("#board .able, #choices button"))?.focus();
}

function choice(words, act) {
  const button = document.createElement("button");
  button.textContent = words;
  button.addEventListener("click", act);
  return button;
}

function statusLine(next) {
  if (shown.over) return `The game is over: ${shown.over}`;
  if (shown.closed) return shown.closed;
  const others = shown.asked.filter((player) => player !== shown.you).map((player) => shown.titles[player]);
  if (shown.chosen) return `You chose ${shown.chosen}. Waiting for ${others.join(" and ") || "the others"} …`;
  if (sent) return "Your action is on its way …";
  if (!shown.legal.length) return others.length ? `${others.join(" and ")} is thinking …` : "…";
  const kinds = new Set(next.map((step) => needsButton(step) ? "button" : step.split(" ")[0]));
  const what = [
    ...(kinds.has("place") ? ["a marked place"] : []),
    ...(kinds.has("quadrant") ? ["the quadrant to twist"] : []),
    ...(kinds.has("button") ? ["a button"] : []),
  ].join(" or ");
  const so = picked.length ? `${picked.map(nameOf).join(", ")}: ` : "";
  return `Your turn (${shown.colours[shown.you]}). ${so}${so ? "c" : "C"}hoose ${what}.`;
}

function say(words, isNews = false) {
  find("message").textContent = words;
  find("message").className = isNews ? "said" : "";
}

// Turns and clocks

function drawTurns() {
  const rows = new Map();
  shown.list.forEach(([turn, player, action], index) => {
    const key = turn || `opening ${index}`;
    rows.set(key, [...(rows.get(key) || []), `${shown.colours[player]} ${action}`]);
  });
  const items = [...rows].map(([turn, actions]) => {
    const item = document.createElement("li");
    item.textContent = `${typeof turn === "number" ? `${turn}.` : "opening:"} ${actions.join(", ")}`;
    return item;
  });
  find("turns").replaceChildren(...items);
  find("turns").scrollTop = find("turns").scrollHeight;
}

function drawClocks() {
  if (!shown.begun) return;
  const passed = shown.closed ? 0 : (performance.now() - received) / 1000;
  const clocks = shown.clocks.map(({used, left}, player) => {
    const mine = player === shown.you;
    const running = shown.asked.includes(player) && (mine ? mayChoose() : !mayChoose()) && !shown.closed;
    const now = mine && running ? passed : 0; // a player's own time is CPU time, told after each turn
    const words = [`${shown.titles[player]}: ${seconds(used + now)}`];
    if (left !== null) words.push(`${seconds(Math.max(0, left - now))} left`);
    if (running && !mine) words.push(`thinking ${seconds(passed)}`);
    return {words: words.join(", "), running};
  });
  const said = JSON.stringify(clocks);
  if (said === drawnClocks) return; // whatever is put there anew is painted anew
  drawnClocks = said;
  find("clocks").replaceChildren(...clocks.map(({words, running}) => {
    const item = document.createElement("li");
    item.textContent = words;
    item.classList.toggle("running", running);
    return item;
  }));
}

function seconds(amount) {
  const whole = Math.floor(amount / 60);
  const rest = amount - 60 * whole;
  return whole ? `${whole}:${String(Math.floor(rest)).padStart(2, "0")}` : `${rest.toFixed(1)} s`;
}

// Clicks and keys

svg.addEventListener("click", (event) => {
  const meant = stepsAt(event.target);
  if (meant.length) pick(meant);
});
svg.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  pick(stepsAt(event.target));
});
svg.addEventListener("focusin", (event) => { at = event.target.dataset.place || at; });
addEventListener("keydown", () => { keyed = true; }, true);
addEventListener("pointerdown", () => { keyed = false; }, true);
addEventListener("pagehide", () => {
  navigator.sendBeacon("do", new Blob([JSON.stringify({do: "closed", tab})], {type: "application/json"}));
});
find("hint").addEventListener("click", () => say("The agent is asked …", true));
for (const name of ["hint", "undo", "next"]) find(name).addEventListener("click", () => send(name));
for (const name of ["resign", "quit"]) {
  const button = find(name);
  const words = button.textContent;
  button.addEventListener("click", () => {
    const isSure = button.textContent !== words;
    button.textContent = isSure ? words : button.dataset.sure;
    if (!isSure) return;
    if (!mayChoose()) say("This is done as soon as the other player has answered.", true);
    send(name);
  });
  button.addEventListener("blur", () => { button.textContent = words; });
}

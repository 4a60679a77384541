// The parts that all pages are made of; words never become anything else than words.

import {ask} from "./ask.js";

export const INTERRUPTED = 130; // the code of a command that was stopped

/** An element with attributes, and in it others or words. */
export function make(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
      element.isLive = true; // it is exchanged as a whole: see refresh
    } else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...content.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return element;
}

/**
 * Puts this into a room, where what stays the same stays: so what is pressed or focused just then is not lost.
 * Two elements that do other things when they are pressed must not look alike.
 */
export function refresh(room, ...content) {
  const pressable = () => [...room.querySelectorAll("a, button, summary, [tabindex]")];
  const focused = room.contains(document.activeElement) ? document.activeElement : null;
  const [words, place] = [focused?.textContent, pressable().indexOf(focused)];
  fit(room, content.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  if (!focused || focused.isConnected) return;
  const now = pressable();
  (now.find((one) => one.textContent === words) ?? now[Math.min(place, now.length - 1)])?.focus({preventScroll: true});
}

function fit(parent, content) {
  const there = [...parent.childNodes];
  content.forEach((one, index) => {
    const old = there[index];
    if (!old) parent.append(one);
    else if (one instanceof Node ? old.isEqualNode(one) : old.nodeType === Node.TEXT_NODE && old.data === one) return;
    else if (one instanceof Element && old.nodeName === one.nodeName && !old.isLive && !one.isLive && one.cloneNode().isEqualNode(old.cloneNode())) fit(old, [...one.childNodes]);
    else old.replaceWith(one);
  });
  for (const old of there.slice(content.length)) old.remove();
}

export const button = (words, act, attributes = {}) =>
  make("button", {type: "button", onclick: act, ...attributes}, words);

/** The address of a page here: its name, and what it is to show. */
export function address(page, given = {}) {
  const known = Object.entries(given).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const query = new URLSearchParams(known.map(([key, value]) => [key, String(value)])).toString();
  return `#/${page}${query ? `?${query}` : ""}`;
}

export const link = (words, to, attributes = {}) => make("a", {href: to, ...attributes}, words);

/** Says something to who looks, and to who listens. */
export function say(words) {
  const room = document.getElementById("said");
  room.textContent = words;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { room.textContent = ""; }, 6000);
}

/** A field with its name before it. */
export function field(name, input, hint = "") {
  return make("label", {class: "field"}, make("span", {}, name), input, hint ? make("small", {}, hint) : null);
}

/** A list to choose from, of [value, words], in groups if they have a third part. */
export function select(name, options, chosen, attributes = {}) {
  const list = make("select", {name, ...attributes});
  const groups = new Map();
  for (const [value, words, group] of options) {
    if (group && !groups.has(group)) groups.set(group, list.appendChild(make("optgroup", {label: group})));
    (group ? groups.get(group) : list).append(make("option", {value, selected: value === chosen}, words));
  }
  return list;
}

export const input = (name, attributes = {}) => make("input", {name, autocomplete: "off", ...attributes});

/** What stands in the fields of a form, by their names; of several with one name a list. */
export function filled(form, several = []) {
  const found = Object.fromEntries(several.map((name) => [name, []]));
  for (const [name, value] of new FormData(form)) {
    if (several.includes(name)) {
      if (value) found[name].push(value);
    } else {
      found[name] = value;
    }
  }
  return found;
}

/** Copies words; where a browser does not do that, what shows them is marked. */
export async function copy(words, what, shown = null) {
  try {
    await navigator.clipboard.writeText(words);
    say(`${what} is copied.`);
  } catch {
    if (shown) getSelection().selectAllChildren(shown);
    say(shown ? `${what} is marked; copy it with Ctrl-C.` : `${what} is ${words}`);
  }
}

/** Interrupts a program, and says why where that cannot be. */
export const stop = (program) => ask("stop", {program}).catch((error) => say(error.message));

/** The command that does the same, to copy; `show` changes it. */
export function command() {
  const code = make("code", {tabindex: "0", role: "group", "aria-label": "the command that does the same"});
  const element = make("div", {class: "command", hidden: true}, code, button("copy", () => copy(code.textContent, "The command", code)));
  return {
    element,
    show(line) {
      code.textContent = line;
      element.hidden = !line;
    },
    /** Shows the words of an action, or what it lacks. */
    async of(action, form) {
      const asked = (this.asked = Symbol(action));
      try {
        const line = await ask("command", {action, form});
        if (this.asked === asked) this.show(line);
        return "";
      } catch (error) {
        if (this.asked === asked) this.show("");
        return error.message;
      }
    },
  };
}

const ISOLATED = {
  full: "it reads its own files and Python alone, writes none and has no network",
  process: "its time and memory are limited; what it reads and writes is not, it does that as you",
  portable: "its time and memory are looked at again and again; what it reads and writes is not limited, it does that as you",
};

/** How players are kept from everything else, which a line of the referee names. */
export function isolated(line) {
  const level = /level (\w+)/.exec(line)?.[1];
  return make("p", {class: "soft", title: line}, `Each player has a process of its own: ${ISOLATED[level] ?? line} (isolation level ${level}).`);
}

/** So many of something. */
export const count = (number, what, several = `${what}s`) => `${number} ${number === 1 ? what : several}`;

/** A word as it is typed in a shell. */
export const quoted = (word) => /^[\w.,:=/@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Keeps what a page's form says in the address, so that a reload, or a look back, finds it again. */
export function keeper(page) {
  let here = location.hash;
  return (given) => {
    if (location.hash !== here) return; // another page has been asked for
    history.replaceState(null, "", address(page, given));
    here = location.hash;
  };
}

/** A message in a page, an error if it is one. */
export const note = (words, isError = false) => make("p", {class: isError ? "note error" : "note"}, words);

export function table(heads, rows, caption) {
  const head = make("tr", {}, heads.map((one) => make("th", {scope: "col"}, one)));
  const body = rows.map((cells) => make("tr", {}, cells.map((cell, index) =>
    make("td", {"data-head": heads[index]}, ...(Array.isArray(cell) ? cell : [cell])))));
  const label = caption ? make("caption", {class: "unseen"}, caption) : null;
  return make("div", {class: "wide", tabindex: "0"},
    make("table", {}, label, make("thead", {}, head), make("tbody", {}, body)));
}

/** How long ago, in words. */
export function ago(seconds) {
  const passed = Date.now() / 1000 - seconds;
  if (passed < 60) return "just now";
  for (const [name, length] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    const count = Math.floor(passed / length);
    if (count) return `${count} ${name}${count === 1 ? "" : "s"} ago`;
  }
  return "";
}

/** Seconds, as a clock shows them. */
export function clock(amount) {
  const whole = Math.floor(amount / 60);
  const rest = amount - 60 * whole;
  return whole ? `${whole}:${String(Math.floor(rest)).padStart(2, "0")}` : `${rest.toFixed(amount < 10 ? 2 : 1)} s`;
}

/** An action as the course's Python writes it. */
export function written(action) {
  if (Array.isArray(action)) return `(${action.map(written).join(", ")})`;
  return typeof action === "string" ? `'${action}'` : String(action);
}

export const figure = (value) =>
  value === null || value === undefined ? "" : Math.abs(value) >= 1000 || Number.isInteger(value)
    ? value.toLocaleString("en", {maximumFractionDigits: 0}).replaceAll(",", "\u2009") : String(+value.toPrecision(3));

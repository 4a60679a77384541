// The connection of this window: questions and their answers, and news of what it looks at.

const listeners = new Map(); // by program: what hears of its events
const onNews = new Set();
const open = new Map(); // questions without an answer yet, by id
const DONE = ["start", "steer", "stop"]; // asks for something to be done, once
let socket = null;
let wasThere = false;
let number = 0;
let waits = 250; // milliseconds before the next attempt to connect

/** The answer to a question; an Error with a sentence where there is none. */
export function ask(what, given = {}) {
  return new Promise((resolve, reject) => {
    const isThere = socket?.readyState === WebSocket.OPEN;
    if (wasThere && !isThere && DONE.includes(what)) throw new Error("The lab does not answer, so nothing was done.");
    number += 1;
    open.set(number, {what, resolve, reject, message: JSON.stringify({id: number, ask: what, given})});
    if (isThere) socket.send(open.get(number).message);
  });
}

/** What a program is by now; `hear` hears of all that happens after that, until `leave` is called. */
export async function watch(program, hear) {
  const whole = await ask("watch", {program});
  listeners.set(program, hear); // before the next message is read
  return {whole, leave: () => leave(program, hear)};
}

function leave(program, hear) {
  if (listeners.get(program) !== hear) return;
  listeners.delete(program);
  ask("leave", {program}).catch(() => null);
}

/** Calls this when files have changed, or programs began or ended; gives what ends that. */
export function news(call) {
  onNews.add(call);
  return () => onNews.delete(call);
}

/**
 * Connects, and again when the connection is lost: then the page is loaded anew, since the lab may be.
 * `tell` hears how it is: "there", "gone", "other" where something else answers, "refused".
 */
export function connect(tell) {
  const address = new URL("socket", location.href.replace(/#.*/, ""));
  address.protocol = "ws:";
  socket = new WebSocket(address);
  socket.onopen = () => {
    if (wasThere) return location.reload();
    wasThere = true;
    waits = 250;
    for (const {message} of open.values()) socket.send(message);
    tell("there");
  };
  socket.onmessage = ({data}) => {
    const message = JSON.parse(data);
    if (message.id) answered(message);
    else if (message.program) listeners.get(message.program)?.(message.event);
    else for (const call of onNews) call();
  };
  socket.onclose = () => {
    for (const [id, {what}] of open) if (DONE.includes(what)) answered({id, sentence: "The connection was lost: look whether this was done."});
    later(tell);
  };
}

/** Tries again in a while; an address that holds the token is asked for only where that is known already. */
function later(tell) {
  setTimeout(async () => {
    const who = await whoIsThere();
    if (who === "ours") {
      if (waits > 1000) tell("refused"); // though it was there before, too
      connect(tell);
    } else {
      tell(who);
      later(tell);
    }
  }, waits);
  waits = Math.min(4000, 2 * waits);
}

/** Who listens at this page's port: "ours" proves that it knows the token, "other" does not, "gone": nobody. */
async function whoIsThere() {
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (data) => [...new Uint8Array(data)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  try {
    const said = await (await fetch(`/here/${nonce}`, {cache: "no-store"})).text();
    const key = await crypto.subtle.importKey("raw", bytes(location.pathname.split("/")[1]), {name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
    return said.includes(hex(await crypto.subtle.sign("HMAC", key, bytes(`${location.host} ${nonce}`)))) ? "ours" : "other";
  } catch {
    return "gone";
  }
}

function answered({id, value, sentence}) {
  const {resolve, reject} = open.get(id) ?? {};
  open.delete(id);
  if (sentence !== undefined) reject?.(new Error(sentence));
  else resolve?.(value);
}

// The connection of this window: questions and their answers, and news of what it looks at.

const listeners = new Map(); // by program: what hears of its events
const onNews = new Set();
const open = new Map(); // questions without an answer yet, by id
let socket = null;
let number = 0;
let waits = 250; // milliseconds before the next attempt to connect

/** The answer to a question; an Error with a sentence where there is none. */
export function ask(what, given = {}) {
  return new Promise((resolve, reject) => {
    number += 1;
    open.set(number, {resolve, reject, message: JSON.stringify({id: number, ask: what, given})});
    if (socket?.readyState === WebSocket.OPEN) socket.send(open.get(number).message);
  });
}

/** Hears of a program's events until `leave` is called; what it is by now comes out. */
export async function watch(program, hear) {
  listeners.set(program, hear);
  const whole = await ask("watch", {program});
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

/** Connects, and again whenever the connection is lost; `tell` hears whether there is one. */
export function connect(tell) {
  const address = new URL("socket", location.href.replace(/#.*/, ""));
  address.protocol = "ws:";
  socket = new WebSocket(address);
  let isNew = true;
  socket.onopen = () => {
    waits = 250;
    for (const {message} of open.values()) socket.send(message);
    tell(true);
  };
  socket.onmessage = ({data}) => {
    const message = JSON.parse(data);
    if (message.id) answered(message);
    else if (message.program) listeners.get(message.program)?.(message.event);
    else for (const call of onNews) call();
  };
  socket.onclose = () => {
    if (!isNew) return;
    isNew = false;
    tell(false);
    setTimeout(() => connect(tell), waits);
    waits = Math.min(4000, 2 * waits);
  };
}

function answered({id, value, sentence}) {
  const {resolve, reject} = open.get(id) ?? {};
  open.delete(id);
  if (sentence !== undefined) reject?.(new Error(sentence));
  else resolve?.(value);
}

// A legal random player of Kalaha in JavaScript, for Node.
//
//   referee play kalaha "exec:node random_kalaha.js" random

const COLOURS = ["A", "B"];
let mine = 0;
let board = []; // each side's ponds, then its bank

function begin({ variant, colour }) {
  const [ponds, pebbles] = (variant || "6x6").split("x").map(Number);
  board = COLOURS.map(() => [...Array(ponds).fill(pebbles), 0]);
  mine = COLOURS.indexOf(colour);
}

function choose() {
  const ponds = board[mine].slice(0, -1);
  const filled = ponds.flatMap((pebbles, place) => (pebbles ? [place + 1] : []));
  return filled[Math.floor(Math.random() * filled.length)];
}

function sow(colour, pond) {
  const mover = COLOURS.indexOf(colour);
  const bank = board[mover].length - 1;
  let [side, place, left] = [mover, pond - 1, board[mover][pond - 1]];
  board[mover][place] = 0;
  for (; left > 0; left--) {
    place++;
    if (place > bank || (place === bank && side !== mover)) [side, place] = [1 - side, 0];
    board[side][place]++;
  }
  const opposite = bank - 1 - place;
  if (side === mover && place < bank && board[side][place] === 1 && board[1 - side][opposite]) {
    board[side][bank] += 1 + board[1 - side][opposite];
    board[side][place] = board[1 - side][opposite] = 0;
  }
}

function answer([request, content]) {
  if (request === "new") begin(content);
  if (request === "update") sow(...content);
  if (request === "action") return ["action", choose()];
  return request === "end" ? null : ["ok"];
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const reply = answer(JSON.parse(line));
  if (reply) console.log(JSON.stringify(reply));
});

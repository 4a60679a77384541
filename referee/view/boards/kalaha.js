// Kalaha: ponds and banks with their pebbles, A below, sown counter-clockwise.

boards.kalaha = (svg, text, change) => {
  const pebbles = kalahaCounts(text);
  const before = change && kalahaCounts(change.before);
  const size = pebbles[0].length - 1;
  const last = actionsOf(change)[0];
  view(svg, 0, 0, 10 * size + 26, 44);
  svg.style.minWidth = size > 12 ? `${2.4 * size}rem` : "";
  add(svg, "rect", {class: "wood", x: 0.5, y: 5, width: 10 * size + 25, height: 34, rx: 5});

  for (const player of [0, 1]) {
    const side = "AB"[player];
    for (const pond of range(size)) {
      const x = player ? 10 * (size - pond) + 8 : 10 * pond + 18;
      const y = player ? 14.6 : 29.4;
      const group = kalahaPond(svg, side + (pond + 1), x, y, 4.6, pebbles[player][pond], before, player, pond);
      if (last && last[0] === player && last[1] === pond + 1) group.classList.add("lifted");
      label(svg, x, player ? 2.4 : 41.8, side + (pond + 1));
    }
    const x = player ? 6.8 : 10 * size + 19.2;
    kalahaPond(svg, side, x, 22, 5, pebbles[player][size], before, player, size);
    label(svg, x, player ? 2.4 : 41.8, `bank ${side}`);
  }
};

/** Each player's ponds, pond 1 first, and the bank behind them. */
function kalahaCounts(text) {
  const counts = text.split(" ").slice(1).map(Number);
  return [counts.slice(0, counts.length / 2), counts.slice(counts.length / 2)];
}

function kalahaPond(svg, name, x, y, radius, count, before, player, index) {
  const isBank = name.length === 1;
  const what = isBank ? `bank ${name}` : name;
  const group = place(svg, name, x, y, `${what}: ${count} ${count === 1 ? "pebble" : "pebbles"}`);
  const height = isBank ? 20 : 2 * radius;
  add(group, "rect", {class: "spot pond", x: -radius, y: -height / 2, width: 2 * radius, height, rx: radius});
  kalahaPebbles(group, count, player, radius, isBank);
  label(group, 0, isBank ? 7.6 : 3.1, count, "count");
  const gained = before ? count - before[player][index] : 0;
  if (gained) {
    const words = gained > 0 ? `+${gained}` : `\u2212${-gained}`;
    label(group, 0, isBank ? -12.4 : player ? -6.7 : 6.9, words, gained > 0 ? "gain" : "loss");
  }
  return group;
}

/** Pebbles in a spiral, as many as can be told apart; the number says the rest. */
function kalahaPebbles(group, count, player, radius, isBank) {
  const shown = Math.min(count, isBank ? 60 : 19);
  const turn = Math.PI * (3 - Math.sqrt(5));
  const [wide, high] = isBank ? [radius - 1.3, 6] : [radius - 1.2, radius - 2];
  let d = "";
  for (const index of range(shown)) {
    const away = Math.sqrt((index + 0.5) / Math.max(shown, 6));
    const [x, y] = [wide * away * Math.cos(index * turn), high * away * Math.sin(index * turn) - 1.1];
    d += `M${x.toFixed(2)} ${y.toFixed(2)}h0`;
  }
  if (d) add(group, "path", {class: `pebbles p${player}`, d});
}

// Playing by hand: clicks and keys on a board become steps, and steps an action.

import {button, make} from "./parts.js";

const nameOf = (step) => (step.startsWith("quadrant") ? "quadrant " : "") + step.slice(step.indexOf(" ") + 1);

/** The steps that a click on this element may mean. */
function stepsAt(element) {
  const place = element.closest("[data-place]");
  const quadrant = element.closest("[data-quadrant]");
  return [
    ...(place ? [`place ${place.dataset.place}`] : []),
    ...(quadrant ? [`quadrant ${quadrant.dataset.quadrant}`] : []),
  ];
}

export class Hand {
  /** `play` is told the action that was chosen on the board. */
  constructor(board, play) {
    this.svg = board.svg;
    this.play = play;
    this.legal = [];
    this.picked = [];
    this.keyed = false;
    this.words = make("p", {class: "hand", role: "status"});
    this.choices = make("div", {class: "choices"});
    this.element = make("div", {class: "choosing", hidden: true}, this.words, this.choices);
    this.svg.addEventListener("click", (event) => this.pick(stepsAt(event.target)));
    this.svg.addEventListener("keydown", (event) => {
      if (!["Enter", " "].includes(event.key) || !this.legal.length) return;
      event.preventDefault();
      this.keyed = true;
      this.pick(stepsAt(event.target));
    });
  }

  /**
   * These actions may be chosen, each with its steps; none: it is nobody's turn here.
   * With `stays` the room for them stays, so that the board below does not jump from turn to turn.
   */
  offer(legal, who, stays = false) {
    if (JSON.stringify(legal) !== JSON.stringify(this.legal)) this.picked = [];
    this.legal = legal;
    this.who = who;
    this.element.hidden = !legal.length && !stays;
    this.draw();
  }

  next(steps = this.picked) {
    const fitting = this.legal.filter(([, all]) => steps.every((step, index) => all[index] === step));
    return [...new Set(fitting.map(([, all]) => all[steps.length]).filter(Boolean))];
  }

  pick(meant) {
    if (!this.legal.length || !meant.length) return;
    const possible = this.next();
    const step = meant.find((one) => possible.includes(one));
    const again = meant.find((one) => this.next([]).includes(one));
    if (step) this.picked = [...this.picked, step];
    else if (again) this.picked = this.picked[0] === again ? [] : [again];
    else return this.draw(`${nameOf(meant[0])} is not legal here. `);
    const whole = this.legal.find(([, all]) => all.length === this.picked.length && all.every((one, n) => one === this.picked[n]));
    if (whole) {
      this.offer([], this.who, true);
      this.play(whole[0]);
    } else {
      this.draw();
    }
  }

  needsButton(step) {
    return step.startsWith("button ") || step.startsWith("place ") && (this.svg.hasAttribute("hidden") || !placeOf(this.svg, nameOf(step)));
  }

  /** What may be chosen next is marked on the board, or has a button. */
  draw(problem = "") {
    const next = this.next();
    const focused = document.activeElement;
    for (const [key, kind] of [["place", "place"], ["quadrant", "quadrant"]]) {
      for (const element of this.svg.querySelectorAll(`[data-${key}]`)) {
        const step = `${kind} ${element.dataset[key]}`;
        const able = next.includes(step);
        element.classList.toggle("able", able);
        element.classList.toggle("picked", this.picked.includes(step));
        for (const [name, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", nameOf(step)]]) {
          if (able) element.setAttribute(name, value); else element.removeAttribute(name);
        }
      }
    }
    focused?.focus();
    const buttons = next.filter((step) => this.needsButton(step)).map((step) => button(nameOf(step), () => this.pick([step])));
    if (this.picked.length) buttons.push(button("start over", () => { this.picked = []; this.draw(); }));
    this.choices.replaceChildren(...buttons);
    const marked = (kind) => next.some((step) => step.startsWith(`${kind} `) && !this.needsButton(step));
    const what = [marked("place") ? "a marked place" : "", marked("quadrant") ? "the quadrant to twist" : "", next.some((step) => this.needsButton(step)) ? "a button" : ""].filter(Boolean).join(" or ");
    const so = this.picked.length ? `${this.picked.map(nameOf).join(", ")}: ` : "";
    this.words.textContent = this.legal.length ? `${problem}${this.who} by hand: ${so}choose ${what}.` : "";
    if (this.keyed && this.legal.length && document.activeElement === document.body) {
      (this.svg.querySelector(".able") ?? this.choices.querySelector("button"))?.focus();
    }
  }
}

// Finding lines: the server searches the whole log, also while it grows; here are the form, the count, the walk from
// hit to hit, and the view that shows matching lines only.

import { number, say } from "./words.js";

const TYPING_MS = 250;
const AGAIN_MS = 1000;

export class Search {
  constructor({ root, url, view, store, onChange }) {
    Object.assign(this, { url, view, store, onChange });
    const find = (name) => root.querySelector(`[data-live="${name}"]`);
    this.words = find("search");
    this.level = find("level");
    this.key = find("key");
    this.only = find("only");
    this.told = find("hits");
    this.clearKey = find("clear-key");
    this.hits = [];
    this.upto = 0;
    this.capped = false;
    this.at = -1; // which hit is the current one
    this.query = "";
    this.turn = 0;
    this.asking = null; // the question that is under way
    let typing = null;
    this.words.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.run(), TYPING_MS);
    });
    this.words.addEventListener("keydown", async (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      clearTimeout(typing); // who presses Enter has finished typing
      if (this.parameters !== this.query) this.run();
      await this.asking;
      this.step(event.shiftKey ? -1 : 1);
    });
    this.level.addEventListener("change", () => this.run());
    this.only.addEventListener("change", () => this.apply());
    find("next").addEventListener("click", () => this.step(1));
    find("previous").addEventListener("click", () => this.step(-1));
    this.clearKey.addEventListener("click", () => this.chooseKey(""));
    this.buttons = [find("previous"), find("next")];
    this.chooseKey("", false);
  }

  chooseKey(key, run = true) {
    this.chosen = key;
    this.key.textContent = key;
    this.key.parentElement.hidden = !key;
    if (run) this.run();
  }

  get parameters() {
    const query = new URLSearchParams();
    if (this.words.value.trim()) query.set("q", this.words.value.trim());
    if (this.level.value) query.set("level", this.level.value);
    if (this.chosen) query.set("key", this.chosen);
    return query.toString();
  }

  get filtering() {
    return Boolean(this.query && (this.only.checked || this.level.value || this.chosen));
  }

  run() {
    this.query = this.parameters;
    this.hits = [];
    this.upto = 0;
    this.at = -1;
    this.capped = false;
    if (!this.query) return this.apply();
    this.asking = this.ask(0);
  }

  // The matching lines after `after`; an answer that a newer question has overtaken is dropped.
  async ask(after) {
    const turn = (this.turn += 1);
    const url = new URL(this.url, location.href);
    for (const [name, value] of new URLSearchParams(this.query)) url.searchParams.set(name, value);
    url.searchParams.set("after", after);
    try {
      const answer = await fetch(url, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const found = await answer.json();
      if (turn !== this.turn) return;
      this.hits = after ? this.hits.concat(found.hits) : found.hits;
      this.upto = found.upto;
      this.capped = found.capped;
      this.apply();
    } catch (error) {
      if (turn === this.turn) this.told.textContent = say("search_failed");
      console.warn("Search:", error.message);
    }
  }

  // New lines are there: some may match.
  grown() {
    if (!this.query || this.capped || this.again) return;
    this.again = setTimeout(() => {
      this.again = null;
      if (this.query && !document.hidden && this.store.head > this.upto) this.ask(this.upto);
    }, AGAIN_MS);
  }

  apply() {
    const words = this.query ? this.words.value.trim().toLowerCase() : "";
    if (words !== this.view.options.words) this.view.set({ words });
    this.view.setFilter(this.filtering ? this.hits : null, this.filtering ? this.query : "");
    this.tell();
    this.onChange();
  }

  tell() {
    const all = this.capped ? say("capped", { n: number(this.hits.length) }) : number(this.hits.length);
    let told = "";
    if (this.query && !this.hits.length) told = say("no_hit");
    else if (this.query && this.at >= 0) told = say("hit", { n: number(this.at + 1), all });
    else if (this.query) told = say("matches", { n: all, all: number(this.upto) });
    this.told.textContent = told;
    for (const button of this.buttons) button.disabled = !this.hits.length;
  }

  step(by) {
    if (!this.hits.length) return;
    if (this.at < 0) this.at = by > 0 ? 0 : this.hits.length - 1;
    else this.at = (this.at + by + this.hits.length) % this.hits.length;
    const seq = this.hits[this.at];
    this.view.set({ current: seq });
    this.view.goTo(seq);
    this.tell();
  }
}

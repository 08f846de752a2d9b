// A window on any number of rows: only those on the screen exist.
//
// Where you are is a fraction t of the way (0 top, 1 bottom): the row at t of the log is drawn at t of the window's
// height. For rows of one height that is ordinary scrolling; for wrapped rows of any height nothing is hidden, skipped
// or drawn over, and both ends are reached exactly. Short logs are simply laid out.

import { makeRow } from "./row.js";

const ALL_LAID_OUT = 300;
const TALLEST_PX = 15_000_000; // browsers give up between 17 and 33 million
const OVERSCAN = 10;
const LEAVES_THE_END = ["Home", "PageUp", "ArrowUp"];
const HELD_MS = 2000;

export class LogView {
  // box: the scrolling element; store: lines; onFollow(following, new rows)
  constructor({ box, store, onFollow, onRows }) {
    Object.assign(this, { box, store, onFollow, onRows });
    this.sizer = document.createElement("div");
    this.sizer.className = "live-sizer";
    this.rows = document.createElement("div");
    this.rows.className = "live-rows";
    this.sizer.append(this.rows);
    box.append(this.sizer);
    this.made = new Map(); // seq -> {element, line, style}
    this.filter = null; // numbers of the rows to show, in order; null: all
    this.filterQuery = "";
    this.follow = true;
    this.seenAtUnfollow = 0;
    this.frozen = null;
    this.options = { wrap: false, time: "local", words: "", current: 0, first: 0, last: 0 };
    this.style = 0; // grows when rows have to be made anew
    this.rowHeight = 20;
    this.expected = -1; // the scroll position that we have set ourselves
    this.drawn = false;
    this.holdUntil = 0; // a glide that was under way when End was pressed is no wish to leave the end
    this.now = () => Date.now();
    box.addEventListener("scroll", () => this.scrolled(), { passive: true });
    box.addEventListener("keydown", (event) => this.key(event));
    for (const kind of ["wheel", "pointerdown", "touchstart"]) {
      box.addEventListener(kind, () => (this.holdUntil = 0), { passive: true });
    }
    new ResizeObserver(() => this.draw()).observe(box);
  }

  // --- rows ---

  get available() {
    return this.filter ? this.filter.length : this.store.head;
  }

  get count() {
    return this.frozen === null ? this.available : Math.min(this.frozen, this.available);
  }

  seqAt(index) {
    return this.filter ? this.filter[index] : index + 1;
  }

  indexOf(seq) {
    if (!this.filter) return Math.min(seq, this.count) - 1;
    let low = 0;
    let high = this.filter.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.filter[middle] < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  set(options) {
    Object.assign(this.options, options);
    this.box.classList.toggle("live-wrap", this.options.wrap);
    this.style += 1;
    this.draw();
  }

  setFilter(seqs, query = "") {
    const fresh = query !== this.filterQuery || (seqs === null) !== (this.filter === null);
    this.filter = seqs;
    this.filterQuery = query;
    if (fresh) this.setFollow(true);
    this.draw();
  }

  // --- following ---

  setFollow(follow) {
    if (follow) this.frozen = null;
    if (follow !== this.follow) {
      this.follow = follow;
      this.seenAtUnfollow = this.available;
      // rows of unequal height would move under the reader's eyes: new ones wait until the bottom is reached
      this.frozen = !follow && (this.options.wrap || this.scaled) ? this.available : null;
    }
    this.tellFollow();
    this.draw();
  }

  tellFollow() {
    this.onFollow(this.follow, this.follow ? 0 : Math.max(0, this.available - this.seenAtUnfollow));
  }

  scrolled() {
    const top = this.box.scrollTop;
    const ours = Math.abs(top - this.expected) < 2 || (this.follow && performance.now() < this.holdUntil);
    this.expected = -1;
    if (!ours) {
      const atEnd = top >= this.box.scrollHeight - this.box.clientHeight - 2;
      if (atEnd !== this.follow) this.setFollow(atEnd);
    }
    this.draw();
  }

  key(event) {
    if (event.target !== this.box || event.ctrlKey || event.metaKey || event.altKey) return;
    this.holdUntil = 0;
    if (event.key === "End") {
      event.preventDefault();
      this.holdUntil = performance.now() + HELD_MS;
      this.setFollow(true);
    } else if (LEAVES_THE_END.includes(event.key) && this.box.scrollTop > 0) {
      this.setFollow(false); // now: a line that arrives before the browser has scrolled would take the key back
      if (event.key === "Home") {
        event.preventDefault();
        this.scrollTo(0);
      }
    }
  }

  // Bring a line into view and stay there.
  goTo(seq) {
    this.setFollow(false);
    this.layOut();
    const index = this.indexOf(seq);
    if (this.count <= ALL_LAID_OUT) {
      const row = this.made.get(this.seqAt(index))?.element;
      if (row) this.scrollTo(row.offsetTop - this.box.clientHeight / 2);
    } else this.scrollTo(((index + 0.5) / this.count) * (this.stretch(this.count) - this.box.clientHeight));
    this.draw();
  }

  scrollTo(top) {
    this.box.scrollTop = top;
    this.expected = this.box.scrollTop;
  }

  // --- drawing ---

  get scaled() {
    return this.available * this.rowHeight > TALLEST_PX;
  }

  // Something has changed: draw with the next frame (a hidden tab draws nothing until it is seen).
  draw() {
    if (this.drawn) return;
    this.drawn = true;
    requestAnimationFrame(() => {
      this.drawn = false;
      this.layOut();
    });
  }

  layOut() {
    const n = this.count;
    const height = this.box.clientHeight;
    if (!height) return;
    const laidOut = n <= ALL_LAID_OUT;
    if (laidOut) {
      this.fill(0, n);
      this.rows.style.transform = "";
      this.sizer.style.height = `${this.rows.offsetHeight}px`;
      if (this.follow) this.scrollTo(this.box.scrollHeight);
    } else {
      const room = this.stretch(n) - height;
      if (this.follow) this.scrollTo(room);
      const top = Math.min(this.box.scrollTop, room);
      const t = room > 0 ? top / room : 1;
      const at = Math.min(t * n, n - 1e-6);
      const anchor = Math.floor(at);
      const first = Math.max(0, anchor - Math.ceil((t * height) / this.rowHeight) - OVERSCAN);
      const last = Math.min(n, anchor + Math.ceil(((1 - t) * height) / this.rowHeight) + OVERSCAN);
      this.fill(first, last);
      const row = this.made.get(this.seqAt(anchor)).element;
      const point = row.offsetTop + (at - anchor) * row.offsetHeight;
      this.rows.style.transform = `translateY(${Math.round(top + t * height - point)}px)`;
    }
    this.onRows();
  }

  // Give the scrolling element its height for n rows; returns it.
  stretch(n) {
    const tall = Math.min(n * this.rowHeight, TALLEST_PX);
    this.sizer.style.height = `${tall}px`;
    return Math.max(tall, this.box.clientHeight);
  }

  // Have exactly the rows first..last-1 in the document, in order; those that did not change stay as they are, so
  // that a selection survives.
  fill(first, last) {
    const lowest = first < last ? this.seqAt(first) : 0;
    const highest = first < last ? this.seqAt(last - 1) : -1;
    const kept = new Map();
    for (const [seq, made] of this.made) {
      if (seq < lowest || seq > highest) made.element.remove();
    }
    const missing = [];
    let place = this.rows.firstChild;
    for (let index = first; index < last; index += 1) {
      const seq = this.seqAt(index);
      const line = this.store.get(seq);
      if (!line) missing.push(seq);
      const old = this.made.get(seq);
      let made = old;
      if (!old || old.line !== line || old.style !== this.style) {
        made = { element: this.row(seq, line), line, style: this.style };
        if (old?.element.isConnected) {
          if (place === old.element) place = made.element;
          old.element.replaceWith(made.element);
        }
      }
      kept.set(seq, made);
      if (made.element === place) place = place.nextSibling;
      else this.rows.insertBefore(made.element, place);
    }
    while (place) {
      const next = place.nextSibling;
      place.remove();
      place = next;
    }
    this.made = kept;
    if (missing.length) this.store.want(missing, this.filterQuery || null);
    this.measure();
  }

  row(seq, line) {
    const { wrap, time, words, current, first, last } = this.options;
    return makeRow(seq, line, {
      wrap,
      time,
      words,
      now: this.now(),
      current: seq === current,
      selected: seq >= first && seq <= last,
    });
  }

  // The reader's font decides how high a row is.
  measure() {
    const row = this.rows.firstChild;
    if (!row || this.options.wrap) return;
    const height = row.offsetHeight;
    if (height && height !== this.rowHeight) {
      this.rowHeight = height;
      this.draw();
    }
  }

  grown() {
    this.tellFollow();
    this.draw();
  }
}

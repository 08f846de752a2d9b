// The lines that are in memory: pages of 200, the least recently looked at dropped first, missing ones fetched when a
// reader looks at them. A log of a million lines costs what a few screens cost.

const PAGE = 200;
const KEPT_PAGES = 100;
const AT_ONCE = 3;

export class Store {
  constructor({ pageUrl, onLines }) {
    Object.assign(this, { pageUrl, onLines });
    this.head = 0; // the last line that exists, as far as we know
    this.pages = new Map(); // number -> {lines: sparse array, used}
    this.busy = new Map(); // what is being fetched
    this.waiting = [];
    this.clock = 0;
  }

  clear() {
    this.pages.clear();
    this.head = 0;
  }

  page(number) {
    let page = this.pages.get(number);
    if (!page) this.pages.set(number, (page = { lines: new Array(PAGE), used: 0 }));
    page.used = this.clock += 1;
    return page;
  }

  // A `lines` message. Numbers that are missing in it were deleted by retention.
  add(message, { complete = true } = {}) {
    for (const line of message.lines) {
      this.page(Math.floor((line.seq - 1) / PAGE)).lines[(line.seq - 1) % PAGE] = line;
    }
    if (complete) {
      const present = new Set(message.lines.map((line) => line.seq));
      // far more than a page without lines: only mark what we would ever look at first
      for (let seq = message.after + 1; seq <= Math.min(message.last, message.after + 1000); seq += 1) {
        if (!present.has(seq)) this.page(Math.floor((seq - 1) / PAGE)).lines[(seq - 1) % PAGE] ??= { seq, gone: true };
      }
    }
    this.head = Math.max(this.head, message.last);
    this.forget();
  }

  get(seq) {
    return this.pages.get(Math.floor((seq - 1) / PAGE))?.lines[(seq - 1) % PAGE];
  }

  forget() {
    if (this.pages.size <= KEPT_PAGES) return;
    const oldest = [...this.pages].sort((a, b) => a[1].used - b[1].used);
    for (const [number] of oldest.slice(0, this.pages.size - KEPT_PAGES)) this.pages.delete(number);
  }

  // The reader looks at these numbers: fetch what is not here, the newest wish first. `filter`: search parameters
  // under which neighbours match too, so that one request brings many.
  want(seqs, filter = null) {
    this.waiting = [];
    const asked = new Set();
    for (const seq of seqs) {
      const number = Math.floor((seq - 1) / PAGE);
      const page = this.pages.get(number);
      if (page) page.used = this.clock += 1;
      if (page?.lines[(seq - 1) % PAGE]) continue;
      const key = filter ? `${filter}:${seq}` : `p${number}`;
      if (asked.has(key)) continue;
      asked.add(key);
      this.waiting.push(filter ? { key, after: seq - 1, filter } : { key, after: number * PAGE, filter });
      if (filter) break; // its answer brings the following ones
    }
    this.fetchNext();
  }

  fetchNext() {
    while (this.busy.size < AT_ONCE && this.waiting.length) {
      const wish = this.waiting.shift();
      if (!this.busy.has(wish.key)) {
        this.busy.set(wish.key, wish);
        this.fetch(wish).finally(() => {
          this.busy.delete(wish.key);
          this.onLines();
          this.fetchNext();
        });
      }
    }
  }

  async fetch({ after, filter }) {
    const url = new URL(this.pageUrl, location.href);
    for (const [name, value] of new URLSearchParams(filter ?? "")) url.searchParams.set(name, value);
    url.searchParams.set("after", after);
    url.searchParams.set("limit", PAGE);
    try {
      const answer = await fetch(url, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      for (const message of (await answer.json()).messages) {
        // what lies beyond the head comes over the live stream, in its order
        message.lines = message.lines.filter((line) => line.seq <= Math.max(this.head, after + PAGE));
        message.last = Math.min(message.last, Math.max(this.head, after));
        this.add(message, { complete: !filter });
      }
    } catch (error) {
      console.warn("Lines could not be fetched:", error.message);
      await new Promise((resolve) => setTimeout(resolve, 1500)); // asked again by the next look
    }
  }

  // Every line from first to last, of those that the filter (search parameters) shows, fetched: for copying a range.
  async range(first, last, filter = "") {
    const lines = [];
    for (let after = first - 1; after < last; ) {
      const url = new URL(this.pageUrl, location.href);
      for (const [name, value] of new URLSearchParams(filter)) url.searchParams.set(name, value);
      url.searchParams.set("after", after);
      url.searchParams.set("limit", Math.min(1000, last - after));
      const answer = await fetch(url, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const [message] = (await answer.json()).messages;
      lines.push(...message.lines.filter((line) => line.seq <= last));
      if (message.last <= after) break;
      after = message.last;
    }
    return lines;
  }
}

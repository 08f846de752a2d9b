// Keeps parts of a batch's page true while it runs. They come over the live connection, rendered once for everybody who
// looks at the same. Where that is no websocket, or brings nothing for a while, they are fetched, at most once a second.
// Nothing comes or is fetched while the tab is hidden.
//
//   new Parts({ elements, query, version, onShown })
//
// elements: with an id, and data-url for the fetch; query: the URLSearchParams that the reader may change, then show();
// onShown(): a part was replaced.

const EVERY_MS = 1000;
const PATIENCE_MS = 5000; // a rendering comes within a second or two of the change

// What stands in a part now for an element that was replaced: the one of its id, or the link to the same place.
function sameAs(old, part) {
  if (old.id) return document.getElementById(old.id);
  return [...part.querySelectorAll("a")].find((link) => link.getAttribute("href") === old.getAttribute("href"));
}

// Whoever marks words in a part is reading there: it waits until the marking is gone.
function isBeingRead(part) {
  const marked = getSelection();
  return !marked.isCollapsed && part.contains(marked.anchorNode);
}

// Forms that came for everybody have no token; the page has one.
function addTokens(part) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  for (const form of part.querySelectorAll("form[method=post]")) {
    if (token && !form.elements.csrfmiddlewaretoken) form.prepend(token.cloneNode());
  }
}

export class Parts {
  constructor({ elements, query, version, onShown }) {
    Object.assign(this, { elements, query, version, onShown });
    this.newest = version; // of the batch, as far as we were told
    this.html = new Map(); // element -> what it should show
    this.drawn = new Map(); // element -> what it shows
    this.lines = new Map(); // element -> the lines that edits apply to
    this.base = null; // the version of those lines
    this.waiting = false; // a part is behind because it is being read
    this.last = 0;
    this.timer = null;
    this.busy = false;
    document.addEventListener("sheaf:live", () => this.show());
    document.addEventListener("sheaf:parts", (event) => this.take(event.detail));
    document.addEventListener("visibilitychange", () => this.show());
    document.addEventListener("selectionchange", () => this.waiting && getSelection().isCollapsed && this.drawAll());
  }

  get isFed() {
    return document.querySelector("[data-live-task]").dataset.carrier === "websocket";
  }

  // Tell the server what the page shows from now on.
  show() {
    this.base = null;
    const wish = document.hidden ? null : { query: String(this.query), version: this.version };
    document.dispatchEvent(new CustomEvent("sheaf:show", { detail: wish }));
    if (!document.hidden && this.newest > this.version) this.later();
  }

  // The batch has this version now.
  notice(version) {
    this.newest = version;
    if (version > this.version) this.later();
  }

  // --- over the live connection ---

  take(message) {
    if (message.query !== String(this.query)) return; // the reader has moved on
    if (message.base !== null && message.base !== this.base) return this.show(); // should not be: all of it again
    for (const element of this.elements) {
      const part = message.parts[element.id];
      if (part?.html !== undefined) this.lines.set(element, part.html.split("\n"));
      for (const [from, to, lines] of part?.edits ?? []) this.lines.get(element).splice(from, to - from, ...lines);
      if (part) this.draw(element, this.lines.get(element).join("\n"));
    }
    this.base = message.version;
    this.version = message.version;
    if (this.newest <= this.version) this.rest();
  }

  // --- by fetching ---

  rest() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  later() {
    if (this.timer !== null || document.hidden) return;
    const wait = this.isFed ? PATIENCE_MS : Math.max(0, this.last + EVERY_MS - Date.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.fetchAll();
    }, wait);
  }

  async fetchAll() {
    if (this.busy || document.hidden) return;
    this.busy = true;
    this.last = Date.now();
    const version = this.newest;
    try {
      await Promise.all(this.elements.map((element) => this.fetch(element)));
      this.version = Math.max(this.version, version);
    } catch (error) {
      console.warn("The page could not be refreshed:", error.message); // the live view tells the reader
    } finally {
      this.busy = false;
      if (this.newest > this.version) this.later();
    }
  }

  async fetch(element) {
    const asked = `${element.dataset.url}?${this.query}`;
    const answer = await fetch(asked, { headers: { Accept: "text/html" }, credentials: "same-origin" });
    if (answer.redirected || !answer.ok) throw new Error(`${answer.status} for ${asked}`);
    const html = await answer.text();
    if (asked === `${element.dataset.url}?${this.query}`) this.draw(element, html);
  }

  // The reader asks for something else in one part: at once by fetching, from then on as it comes.
  async go(element) {
    this.show();
    await this.fetch(element);
  }

  // --- on the page ---

  drawAll() {
    this.waiting = false;
    for (const [element, html] of this.html) this.draw(element, html);
  }

  // Replace a part's content if it has changed, and give the keyboard back to where it was.
  draw(element, html) {
    this.html.set(element, html);
    if (html === this.drawn.get(element)) return;
    if (isBeingRead(element)) {
      this.waiting = true;
      return;
    }
    this.drawn.set(element, html);
    const held = element.contains(document.activeElement) ? document.activeElement : null;
    const scrolled = element.querySelector(".wide");
    const at = scrolled ? [scrolled.scrollLeft, scrolled.scrollTop] : null;
    element.innerHTML = html; // of our own server, escaped there
    addTokens(element);
    const wide = element.querySelector(".wide");
    if (at && wide) [wide.scrollLeft, wide.scrollTop] = at;
    if (held) sameAs(held, element)?.focus({ preventScroll: true });
    this.onShown();
  }
}

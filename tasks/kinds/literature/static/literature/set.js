// Keeps the set page true while papers are being read: counts, papers and results are fetched again when the set has
// changed, at most once a second, and not while the tab is hidden. Links that filter or turn a page act in place.

const page = document.getElementById("set");
const parts = ["status", "papers", "table"].map((id) => document.getElementById(id));
const [status, papers, table] = parts;
const EVERY_MS = 1000;
const SILENCE_MS = 4000;
const TERMINAL = ["completed", "cancelled", "failed"];

let query = new URLSearchParams(location.search);
let version = Number(page.dataset.version);
let due = false;
let busy = false;
let ended = TERMINAL.includes(page.dataset.state);
let last = 0;
let heard = Date.now();

function address(part) {
  return `${part.dataset.url}?${query}`;
}

const shown = new Map(); // part -> the HTML it shows

// Whoever marks words in a part is reading there: it waits until the marking is gone.
function isBeingRead(part) {
  const marked = getSelection();
  return !marked.isCollapsed && part.contains(marked.anchorNode);
}

// What stands in a part now for an element that was replaced: the one of its id, or the link to the same place.
function sameAs(old, part) {
  if (old.id) return document.getElementById(old.id);
  return [...part.querySelectorAll("a")].find((link) => link.getAttribute("href") === old.getAttribute("href"));
}

// Replace a part's content if it has changed, and give the keyboard back to where it was.
async function refresh(part) {
  const asked = address(part);
  if (isBeingRead(part)) {
    due = true;
    return;
  }
  const answer = await fetch(asked, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (answer.redirected || !answer.ok) throw new Error(`${answer.status} for ${asked}`);
  const html = await answer.text();
  if (asked !== address(part) || html === shown.get(part)) return; // the reader has moved on, or nothing is new
  shown.set(part, html);
  const held = part.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = part.querySelector(".wide");
  const at = scrolled ? [scrolled.scrollLeft, scrolled.scrollTop] : null;
  part.innerHTML = html; // a fragment of our own server, escaped there
  const wide = part.querySelector(".wide");
  if (at && wide) [wide.scrollLeft, wide.scrollTop] = at;
  if (held) sameAs(held, part)?.focus({ preventScroll: true });
  mark();
}

function mark() {
  const now = query.get("code") ? null : query.get("state") || "";
  for (const link of status.querySelectorAll("a[data-filter]")) {
    link.toggleAttribute("aria-current", link.dataset.filter === now);
    if (link.dataset.filter === now) link.setAttribute("aria-current", "true");
  }
}

async function refreshAll() {
  if (busy || document.hidden) return;
  busy = true;
  due = false;
  last = Date.now();
  try {
    await Promise.all(parts.map(refresh));
  } catch (error) {
    due = true; // the connection word of the live view tells the reader; the next notice tries again
    console.warn("The page could not be refreshed:", error.message);
  } finally {
    busy = false;
    if (due) later();
  }
}

let coming = null; // the part that the reader has asked for
let timer = null;
function later() {
  due = true;
  if (timer !== null) return;
  timer = setTimeout(() => {
    timer = null;
    refreshAll();
  }, Math.max(0, last + EVERY_MS - Date.now()));
}

function notice(task) {
  ended = TERMINAL.includes(task.state);
  if (task.version === version) return;
  version = task.version;
  later();
}

document.addEventListener("sheaf:task", (event) => {
  heard = Date.now();
  notice(event.detail);
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && due) later();
});

function go(changes, part) {
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  history.replaceState(null, "", `?${query}${location.hash}`);
  mark();
  coming = refresh(part).catch((error) => location.reload(error));
  return coming;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (link.matches("[data-filter], [data-code]")) {
    event.preventDefault();
    const search = link.matches("[data-filter]") && !link.dataset.filter ? { q: "" } : {};
    if ("q" in search) document.getElementById("q").value = "";
    go({ state: link.dataset.filter, code: link.dataset.code, page: "", ...search }, papers).then(() =>
      document.getElementById("papers-section").scrollIntoView({ block: "nearest" }),
    );
  } else if (link.matches("[data-part]")) {
    event.preventDefault();
    const wanted = new URLSearchParams(link.search);
    if (table.contains(link)) {
      const narrowed = Object.fromEntries(["only", "has", "col", "empty"].map((name) => [name, wanted.get(name)]));
      if (link.id === "table-all") document.getElementById("table-filter").querySelectorAll("input, select").forEach((one) => (one.value = one.name === "col" ? "file" : ""));
      go({ rows: wanted.get("rows"), sort: wanted.get("sort"), ...narrowed }, table);
    }
    else go({ page: wanted.get("page") }, papers);
  }
});

document.getElementById("paper-search").addEventListener("submit", (event) => {
  event.preventDefault();
  go({ q: document.getElementById("q").value.trim(), page: "" }, papers);
});

document.getElementById("table-filter").addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = new FormData(event.target);
  const has = wanted.get("has").trim();
  go({ has, col: has ? wanted.get("col") : "", only: wanted.get("only"), rows: "" }, table);
});
document.getElementById("only").addEventListener("change", (event) => event.target.form.requestSubmit());

// j and k walk through the rows of the table, Enter opens one as any link. Rows that are on their way are waited for.
async function walk(by) {
  await coming;
  const links = [...table.querySelectorAll("tbody th a")];
  const now = links.indexOf(document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, now < 0 ? 0 : now + by))]?.focus();
}
const keys = {
  j: () => walk(1),
  k: () => walk(-1),
  "/": () => document.getElementById("has").focus(),
  "?": () => document.getElementById("keys").showModal(),
};
document.addEventListener("keydown", (event) => {
  const taken = event.target.closest("input, textarea, select, [data-live=log]") || document.querySelector("dialog[open]");
  if (taken || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// When the live view has been silent for a while (it can't reach the server, or could not start), ask.
async function ask() {
  if (!document.hidden && Date.now() - heard > SILENCE_MS) {
    try {
      const answer = await fetch(page.dataset.json, { headers: { Accept: "application/json" }, credentials: "same-origin" });
      if (answer.ok) notice(await answer.json());
    } catch (error) {
      console.warn("The set could not be asked for:", error.message);
    }
  }
  if (!ended) setTimeout(ask, SILENCE_MS);
}
if (!ended) setTimeout(ask, SILENCE_MS);

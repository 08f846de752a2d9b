// Keeps the set page true while papers are being read (web/parts.js). Links that filter or turn a page act in place.

import { Parts } from "../web/parts.js";

const page = document.getElementById("set");
const elements = ["status", "papers", "table"].map((id) => document.getElementById(id));
const [status, papers, table] = elements;
const SILENCE_MS = 4000;
const TERMINAL = ["completed", "cancelled", "failed"];

const query = new URLSearchParams(location.search);
const parts = new Parts({ elements, query, version: Number(page.dataset.version), onShown: mark });
let ended = TERMINAL.includes(page.dataset.state);
let heard = Date.now();

function mark() {
  const now = query.get("code") ? null : query.get("state") || "";
  for (const link of status.querySelectorAll("a[data-filter]")) {
    link.toggleAttribute("aria-current", link.dataset.filter === now);
    if (link.dataset.filter === now) link.setAttribute("aria-current", "true");
  }
}

let coming = null; // the part that the reader has asked for

function notice(task) {
  ended = TERMINAL.includes(task.state);
  parts.notice(task.version);
}

document.addEventListener("sheaf:task", (event) => {
  heard = Date.now();
  notice(event.detail);
});

function go(changes, part) {
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  history.replaceState(null, "", `?${query}${location.hash}`);
  mark();
  coming = parts.go(part).catch((error) => location.reload(error));
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
      if (link.id === "table-all")
        document
          .getElementById("table-filter")
          .querySelectorAll("input, select")
          .forEach((one) => (one.value = one.name === "col" ? "file" : ""));
      go({ rows: wanted.get("rows"), sort: wanted.get("sort"), ...narrowed }, table);
    } else go({ page: wanted.get("page") }, papers);
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
  const taken =
    event.target.closest("input, textarea, select, [data-live=log]") || document.querySelector("dialog[open]");
  if (taken || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// When the live view has been silent for a while (it can't reach the server, or could not start), ask.
async function ask() {
  if (!document.hidden && Date.now() - heard > SILENCE_MS) {
    try {
      const answer = await fetch(page.dataset.json, {
        headers: { Accept: "application/json" },
        credentials: "same-origin",
      });
      if (answer.ok) notice(await answer.json());
    } catch (error) {
      console.warn("The set could not be asked for:", error.message);
    }
  }
  if (!ended) setTimeout(ask, SILENCE_MS);
}
if (!ended) setTimeout(ask, SILENCE_MS);

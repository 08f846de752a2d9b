// Keeps the plain page of a batch true while it runs: head and children are fetched again when the batch has changed, at
// most once a second and not while the tab is hidden. A child's "its log" narrows the live log down to it.

const page = document.getElementById("batch");
const parts = ["head", "children"].map((id) => document.getElementById(id));
const [head, children] = parts;
const EVERY_MS = 1000;

let query = new URLSearchParams(location.search);
let version = Number(page.dataset.version);
let last = 0;
let timer = null;

async function refresh(part) {
  const asked = `${part.dataset.url}?${query}`;
  const answer = await fetch(asked, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (answer.redirected || !answer.ok) throw new Error(`${answer.status} for ${asked}`);
  const html = await answer.text();
  if (asked !== `${part.dataset.url}?${query}`) return; // the reader has moved on
  const held = part.contains(document.activeElement) ? document.activeElement.id : "";
  part.innerHTML = html; // a fragment of our own server, escaped there
  if (held) document.getElementById(held)?.focus({ preventScroll: true });
  mark();
}

function mark() {
  const now = query.get("code") ? null : query.get("state") || "";
  for (const link of head.querySelectorAll("a[data-filter]")) {
    if (link.dataset.filter === now) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function later() {
  if (timer !== null || document.hidden) return;
  timer = setTimeout(async () => {
    timer = null;
    last = Date.now();
    try {
      await Promise.all(parts.map(refresh));
    } catch (error) {
      console.warn("The page could not be refreshed:", error.message); // the live view says that the server is away
    }
  }, Math.max(0, last + EVERY_MS - Date.now()));
}

document.addEventListener("sheaf:task", (event) => {
  if (event.detail.version === version) return;
  version = event.detail.version;
  later();
});
document.addEventListener("visibilitychange", later);

function go(changes) {
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  history.replaceState(null, "", `?${query}${location.hash}`);
  mark();
  return refresh(children).catch(() => location.reload());
}

document.addEventListener("click", (event) => {
  const log = event.target.closest("[data-live-key]");
  if (log) {
    document.dispatchEvent(new CustomEvent("sheaf:key", { detail: log.dataset.liveKey }));
    document.querySelector("[data-live-task]").scrollIntoView({ block: "nearest" });
    return;
  }
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (link.matches("[data-filter], [data-code]")) {
    event.preventDefault();
    const all = link.matches("[data-filter]") && !link.dataset.filter;
    if (all) document.getElementById("q").value = "";
    go({ state: link.dataset.filter, code: link.dataset.code, page: "", ...(all ? { q: "" } : {}) }).then(() =>
      document.getElementById("children-section").scrollIntoView({ block: "nearest" }),
    );
  } else if (link.matches("[data-part]")) {
    event.preventDefault();
    go({ page: new URLSearchParams(link.search).get("page") });
  }
});

document.getElementById("child-search").addEventListener("submit", (event) => {
  event.preventDefault();
  go({ q: document.getElementById("q").value.trim(), page: "" });
});

mark();

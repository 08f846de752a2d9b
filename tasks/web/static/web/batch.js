// Keeps the plain page of a batch true while it runs (parts.js). A child's "its log" narrows the live log down to it.

import { Parts } from "./parts.js";

const page = document.getElementById("batch");
const elements = ["head", "children"].map((id) => document.getElementById(id));
const [head, children] = elements;

const query = new URLSearchParams(location.search);
const parts = new Parts({ elements, query, version: Number(page.dataset.version), onShown: mark });

function mark() {
  const now = query.get("code") ? null : query.get("state") || "";
  for (const link of head.querySelectorAll("a[data-filter]")) {
    if (link.dataset.filter === now) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

document.addEventListener("sheaf:task", (event) => parts.notice(event.detail.version));

function go(changes) {
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  history.replaceState(null, "", `?${query}${location.hash}`);
  mark();
  return parts.go(children).catch(() => location.reload());
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

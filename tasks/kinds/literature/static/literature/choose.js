// Choosing papers in the table: by mouse, by keyboard (x, Shift+X for a range), all that match; what is chosen is kept
// while the table is drawn again, sorted, filtered, and while a paper is read and one comes back. Exports of it.

const page = document.getElementById("set");
const table = document.getElementById("table");
const bar = document.getElementById("chosen");
const scope = document.getElementById("scope");
const post = document.getElementById("export-chosen");
const kept = `sheaf-chosen-${page.dataset.set}`;

function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(kept) || "[]");
  } catch (error) {
    console.info("The choice of papers is not kept:", error.message); // storage is switched off
    return [];
  }
}

const chosen = new Set(remembered());
let from = null; // where a range begins

const boxes = () => [...table.querySelectorAll("tbody input.choose")];
const idOf = (box) => Number(box.value);
const matching = () => Number(table.querySelector("[data-count]")?.dataset.count || 0);

function show() {
  const here = boxes();
  for (const box of here) {
    box.checked = chosen.has(idOf(box));
    box.closest("tr").classList.toggle("chosen-row", box.checked);
  }
  const all = table.querySelector("thead input.choose");
  if (all) {
    const n = here.filter((box) => box.checked).length;
    all.checked = n > 0 && n === here.length;
    all.indeterminate = n > 0 && n < here.length;
  }
  bar.hidden = chosen.size === 0;
  bar.querySelector("[data-n]").textContent = bar.dataset.words.replace("%n", chosen.size);
  const more = bar.querySelector("#choose-matching");
  more.hidden = matching() <= here.length || chosen.size >= matching();
  more.textContent = more.dataset.words.replace("%n", matching());
  const ofChosen = scope.querySelector("[value=chosen]");
  ofChosen.disabled = chosen.size === 0;
  if (ofChosen.checked && ofChosen.disabled) scope.querySelector("[value=all]").checked = true;
  scope.querySelector("[data-n=chosen]").textContent = `(${chosen.size})`;
  scope.querySelector("[data-n=shown]").textContent = `(${matching()})`;
}

function keep() {
  try {
    sessionStorage.setItem(kept, JSON.stringify([...chosen]));
  } catch {
    // said once, when it was read
  }
  if (chosen.size && scope.querySelector("[value=all]").checked) scope.querySelector("[value=chosen]").checked = true;
  show();
}

function put(box, on) {
  if (on) chosen.add(idOf(box));
  else chosen.delete(idOf(box));
}

// One row, or with `range` all from the row that was chosen last to this one.
function choose(box, on, range) {
  const here = boxes();
  const [a, b] = [here.findIndex((one) => idOf(one) === from), here.indexOf(box)];
  if (range && a >= 0) here.slice(Math.min(a, b), Math.max(a, b) + 1).forEach((one) => put(one, on));
  else put(box, on);
  from = idOf(box);
  keep();
}

table.addEventListener("click", (event) => {
  const box = event.target.closest("input.choose");
  if (!box) return;
  if (box.closest("thead")) {
    boxes().forEach((one) => put(one, box.checked));
    keep();
    return;
  }
  choose(box, box.checked, event.shiftKey);
  if (event.detail) box.closest("th").querySelector("a").focus({ preventScroll: true }); // the keys go on from here
});

document.addEventListener("keydown", (event) => {
  const taken =
    event.target.closest("input, textarea, select, [data-live=log]") || document.querySelector("dialog[open]");
  if (taken || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== "x") return;
  const box = document.activeElement.closest("#table tbody tr")?.querySelector("input.choose");
  if (!box) return;
  event.preventDefault();
  if (event.shiftKey) choose(box, true, true);
  else choose(box, !chosen.has(idOf(box)), false);
});

// What the table shows now: its filter and its order are in the page's address.
function shown() {
  const now = new URLSearchParams(location.search);
  const asked = new URLSearchParams({ table: "1" });
  for (const name of ["only", "has", "col", "sort"]) if (now.get(name)) asked.set(name, now.get(name));
  return asked;
}

document.getElementById("choose-matching").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  button.disabled = true;
  try {
    const answer = await fetch(`${table.dataset.url}?${shown()}`, {
      headers: { Accept: "application/json" },
      credentials: "same-origin",
    });
    if (!answer.ok) throw new Error(String(answer.status));
    for (const id of (await answer.json()).papers) chosen.add(id);
    keep();
  } catch {
    bar.querySelector(".said").textContent = bar.dataset.failed;
  } finally {
    button.disabled = false;
  }
});

document.getElementById("choose-none").addEventListener("click", () => {
  chosen.clear();
  from = null;
  keep();
  table.querySelector("tbody th a")?.focus({ preventScroll: true });
});

// An export of the chosen ones is posted: ten thousand numbers fit no address.
document.querySelector(".downloads").addEventListener("click", (event) => {
  const link = event.target.closest("a[data-export]");
  const wish = scope.querySelector(":checked").value;
  if (!link || wish === "all") return;
  event.preventDefault();
  const address = new URL(link.href);
  if (wish === "shown") {
    for (const [name, value] of shown()) address.searchParams.set(name, value);
    location.assign(address);
    return;
  }
  post.action = address.pathname + address.search;
  post.elements.papers.value = [...chosen].join(",");
  post.submit();
});

new MutationObserver(show).observe(table, { childList: true });
document.getElementById("results").classList.add("choosing");
scope.hidden = false;
show();

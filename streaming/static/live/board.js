// The staff's board: every batch under way, each with one row that changes as it happens. Rows are made once and
// changed in place; while the reader has paused the refresh, what changes is kept and shown afterwards.

import { connectionWord } from "./connection.js";
import { Transport } from "./transport.js";
import { clock, count, number, say, stateWord } from "./words.js";

const ENDED = new Set(["completed", "cancelled", "failed"]);
const ENDED_KEPT = 20;
const STALLED_AFTER_MS = 60_000;

const root = document.querySelector("[data-board]");
const find = (name) => root.querySelector(`[data-live="${name}"]`);
const list = find("rows");
const tasks = new Map(); // id -> fields, as far as we were told
const rows = new Map(); // id -> {element, parts, version}
const changed = new Set(); // ids whose row is behind
let running = 0;
let ahead = 0;
let paused = false;
let drawing = false;

const tellWord = connectionWord(find("connection"));
const transport = new Transport({
  socketUrl: root.dataset.socket,
  eventsUrl: root.dataset.events,
  pollUrl: root.dataset.poll,
  onMessage(message) {
    if (message.type === "board") take(message);
  },
  onState: () => tellWord(transport),
});

function take(message) {
  ({ running } = message);
  ahead = message.now - Date.now();
  const gone = new Set(message.gone);
  if (message.whole) {
    const known = new Set(message.tasks.map((task) => task.id));
    for (const [id, task] of tasks) if (!known.has(id) && !ENDED.has(task.state)) gone.add(id);
  }
  for (const id of gone) if (tasks.delete(id)) changed.add(id);
  for (const task of message.tasks) {
    if (tasks.get(task.id)?.version === task.version) continue;
    tasks.set(task.id, task);
    changed.add(task.id);
  }
  const ended = [...tasks.values()].filter((task) => ENDED.has(task.state)).sort((a, b) => b.id - a.id);
  for (const task of ended.slice(ENDED_KEPT)) {
    tasks.delete(task.id);
    changed.add(task.id);
  }
  draw();
}

// --- rows ---

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function makeRow(id) {
  const parts = {
    link: element("a", "board-title"),
    state: element("span", "live-state"),
    who: element("span", "board-who"),
    bar: element("progress", ""),
    words: element("span", "board-words"),
    note: element("span", "board-note"),
  };
  parts.link.href = root.dataset.link.replace("/0/", `/${id}/`);
  parts.bar.max = 100;
  const row = element("li", "board-row");
  row.dataset.id = id;
  row.append(...Object.values(parts));
  return { element: row, parts };
}

function words(task) {
  const due = Math.max(task.expected ?? 0, task.total);
  const said = [say("percent", { percent: task.percent })];
  said.push(say("of", { done: number(task.succeeded + task.failed + task.cancelled), due: number(due) }));
  if (task.failed) said.push(say("with_failures", { failed: number(task.failed) }));
  return said.join(" · ");
}

function note(task) {
  if (ENDED.has(task.state) || task.paused) return "";
  const quiet = Date.now() + ahead - task.updated_at;
  return quiet > STALLED_AFTER_MS ? say("stalled", { time: clock(task.updated_at) }) : "";
}

function show({ parts }, task) {
  const held = task.paused && !ENDED.has(task.state);
  parts.link.textContent = `${task.id} · ${task.title || task.kind}`;
  parts.who.textContent = task.owner ? say("by", { who: task.owner }) : "";
  parts.state.textContent = held ? `${stateWord(task.state)}, ${say("paused")}` : stateWord(task.state);
  parts.state.dataset.state = held ? "paused" : task.state;
  parts.bar.value = task.percent;
  parts.bar.setAttribute("aria-label", `${task.title || task.kind}: ${words(task)}`);
  parts.words.textContent = words(task);
  parts.note.textContent = note(task);
}

// The newest first; its place is found from the other end of the list, where most of them belong.
function place(row, id) {
  const after = [...list.children].find((other) => Number(other.dataset.id) < id);
  list.insertBefore(row, after ?? null);
}

// With the next frame, however many messages come until then; a hidden tab waits until it is seen.
function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    if (paused) return tellPaused();
    for (const id of changed) {
      const task = tasks.get(id);
      let row = rows.get(id);
      if (!task) {
        row?.element.remove();
        rows.delete(id);
        continue;
      }
      if (!row) {
        rows.set(id, (row = makeRow(id)));
        place(row.element, id);
      }
      show(row, task);
    }
    changed.clear();
    tellSum();
  });
}

function tellSum() {
  const shown = [...tasks.values()].filter((task) => !ENDED.has(task.state));
  const said = [count("running", running)];
  if (shown.length < running) said.push(say("shown", { n: number(shown.length) }));
  let [done, due] = [0, 0];
  for (const task of shown) {
    done += task.succeeded + task.failed + task.cancelled;
    due += Math.max(task.expected ?? 0, task.total);
  }
  if (due) said.push(say("all_done", { done: number(done), due: number(due) }));
  const words = said.join(" · ");
  if (find("sum").textContent !== words) find("sum").textContent = words;
  find("empty").hidden = tasks.size > 0;
}

// --- the pause of the refresh ---

function tellPaused() {
  find("waits").textContent = paused ? count("waits", changed.size) : "";
}

find("pause").addEventListener("click", () => {
  paused = !paused;
  find("pause").setAttribute("aria-pressed", String(paused));
  tellPaused();
  if (!paused) draw();
});

// What stalls sends no message: look at the clock now and then, but only while something is known.
setInterval(() => {
  if (paused || document.hidden || transport.state !== "live") return;
  for (const [id, row] of rows) row.parts.note.textContent = note(tasks.get(id) ?? { state: "completed" });
}, 5000);

list.replaceChildren(); // the server's rows, for readers without JavaScript
tellWord(transport);
transport.start();

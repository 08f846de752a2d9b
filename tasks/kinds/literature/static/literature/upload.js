// The upload page: every file given becomes a line of the receipt; three travel at once, one file a request; what the
// set has already is not sent again; a broken upload is tried again by hand and starts no second row. An archive or a
// reference list is one line too, with the counts of what was in it.

import { digest } from "../web/digest.js";
import { inside } from "./inside.js";
import { send } from "../web/send.js";

const page = document.getElementById("upload");
const words = page.dataset;
const list = document.getElementById("list");
const blank = document.getElementById("item");
const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
const icons = Object.fromEntries(
  [...document.querySelectorAll("#icons svg")].map((svg) => [
    svg.querySelector("use").getAttribute("href").split("#")[1],
    svg,
  ]),
);
const ICON = {
  waiting: "pending",
  checking: "running",
  uploading: "running",
  opening: "running",
  accepted: "succeeded",
  duplicate: "duplicate",
  refused: "refused",
  broken: "failed",
};
const LOOK = { waiting: "pending", checking: "running", uploading: "running", opening: "running", broken: "failed" };
const ON_THE_WAY = ["waiting", "checking", "uploading", "opening"];
const AT_ONCE = 3;
const HASHED = 256; // MiB: a browser holds what it hashes in memory
const MIB = 2 ** 20;

const items = new Map(); // key of the browser -> item; an item: {file, folder, name, size, state, paper | source, row}
const queue = [];
let running = 0;
let leaving = false;

const figure = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
function readable(size) {
  if (size < 1024) return `${size} B`;
  return size < MIB ? `${figure.format(size / 1024)} KB` : `${figure.format(size / MIB)} MB`;
}

function draw(item) {
  if (!item.row) {
    item.row = blank.content.firstElementChild.cloneNode(true);
    item.row.querySelector(".again").addEventListener("click", () => enqueue(item));
    item.row.querySelector(".remove").addEventListener("click", () => remove(item));
    item.row.querySelector(".same").addEventListener("click", () => readAllTheSame(item));
    list.append(item.row);
  }
  const { row } = item;
  const state = row.querySelector(".state");
  state.className = `state ${LOOK[item.state] || item.state}`;
  const icon = icons[ICON[item.state]].cloneNode(true);
  const word = document.createElement("span");
  word.textContent = words[item.state];
  state.replaceChildren(icon, word);
  row.querySelector(".name").textContent = item.folder ? `${item.folder}/${item.name}` : item.name;
  row.querySelector(".size").textContent = readable(item.size);
  row.querySelector(".why").textContent = item.why || "";
  row.querySelector(".inside")?.remove();
  if (item.source) row.querySelector(".body").append(inside(item.source, words));
  const bar = row.querySelector("progress");
  bar.hidden = item.state !== "uploading";
  bar.setAttribute("aria-label", item.name);
  row.querySelector(".again").hidden = item.state !== "broken";
  row.querySelector(".same").hidden = !item.paper?.again_url;
  row.querySelector(".remove").disabled = ["checking", "uploading", "opening"].includes(item.state);
}

// What the server answered about a file: a paper, or all that was in an archive or a list.
function settle(item, { paper, source }) {
  [item.paper, item.source] = [paper, source];
  item.state = paper
    ? paper.state
    : source.counts.accepted
      ? "accepted"
      : source.counts.duplicate
        ? "duplicate"
        : "refused";
  item.why = paper ? paper.message : "";
  draw(item);
}

function tally() {
  const all = [...items.values()];
  const n = { given: 0, accepted: 0, duplicate: 0, refused: 0 };
  for (const { state, source } of all) {
    const own = source ? source.counts : { given: 1, [state]: 1 };
    for (const name of Object.keys(n)) n[name] += own[name] || 0;
  }
  const open = all.filter((item) => item.state === "broken" || ON_THE_WAY.includes(item.state)).length;
  document.getElementById("receipt").textContent = n.given
    ? words.receipt.replace(/%(\w+)/g, (_, name) => n[name])
    : "";
  document.getElementById("receipt-file").hidden = n.given === 0;
  document.getElementById("under-way").textContent = open ? words.underWay.replace("%n", open) : "";
  document.getElementById("nothing").hidden = n.given > 0;
  list.hidden = n.given === 0;
  const start = document.getElementById("start");
  start.disabled = n.accepted === 0 || all.some((item) => ON_THE_WAY.includes(item.state));
  document.getElementById("try").disabled =
    start.disabled || all.every(({ paper, source }) => paper?.state !== "accepted" && source?.format !== "zip");
  start.textContent =
    n.accepted === 0 ? words.startNone : n.accepted === 1 ? words.startOne : words.startMany.replace("%n", n.accepted);
}

function enqueue(item) {
  item.state = "waiting";
  item.why = "";
  queue.push(item);
  draw(item);
  tally();
  pump();
}

function pump() {
  while (running < AT_ONCE && queue.length) {
    const item = queue.shift();
    running += 1;
    upload(item).finally(() => {
      running -= 1;
      tally();
      pump();
    });
  }
}

async function have(sha256) {
  const answer = await fetch(`${words.have}?sha256=${sha256}`, { headers: { Accept: "application/json" } });
  return answer.ok ? answer.json() : {};
}

async function tooLarge(file) {
  const limit =
    new TextDecoder("latin1").decode(await file.slice(0, 2).arrayBuffer()) === "PK" ? words.archiveMib : words.maxMib;
  return file.size > Number(limit) * MIB;
}

async function upload(item) {
  const body = new FormData();
  body.append("folder", item.folder);
  try {
    if (await tooLarge(item.file)) {
      body.append("filename", item.name); // too large to send: it is told, so that the receipt has it
      body.append("size", item.size);
    } else {
      item.state = "checking";
      draw(item);
      const sha256 = item.size <= HASHED * MIB && (await digest(item.file));
      const { paper = null, source = null } = sha256 ? await have(sha256) : {};
      const known = source || paper;
      if (known?.filename === item.name && known.folder === item.folder)
        return settle(item, { source, paper: source ? null : paper });
      body.append("file", item.file, item.name);
    }
    item.state = "uploading";
    draw(item);
    const bar = item.row.querySelector("progress");
    const answer = await send(
      words.files,
      body,
      token,
      (share) => (bar.value = 100 * share),
      () => {
        item.state = "opening";
        draw(item);
      },
    );
    if (answer.body?.paper || answer.body?.source) return settle(item, answer.body);
    item.why =
      answer.body?.message || (answer.status === 401 || answer.status === 403 ? words.signedOut : words.server);
  } catch (error) {
    console.warn(item.name, error);
    item.why = words.network;
  }
  item.state = "broken";
  draw(item);
}

// Changes the receipt on the server and draws it as it is then; false, with the reason on the item's line, if it refused.
async function changed(item, url) {
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  const answer = await fetch(url, { method: "POST", headers, credentials: "same-origin" });
  if (!answer.ok) {
    item.why = (await answer.json()).message || words.server;
    draw(item);
    return false;
  }
  const now = await answer.json();
  const papers = new Map(now.papers.map((paper) => [paper.id, paper]));
  const sources = new Map(now.sources.map((source) => [source.id, source]));
  for (const other of items.values()) {
    if (other.paper && papers.has(other.paper.id)) settle(other, { paper: papers.get(other.paper.id) });
    if (other.source && sources.has(other.source.id)) settle(other, { source: sources.get(other.source.id) });
  }
  return true;
}

async function readAllTheSame(item) {
  if (await changed(item, item.paper.again_url)) item.row.querySelector(".remove").focus(); // the button is gone
  tally();
}

async function remove(item) {
  const waiting = queue.indexOf(item);
  if (waiting >= 0) queue.splice(waiting, 1);
  const kept = item.paper || item.source;
  // A duplicate may take the place of what is removed.
  if (kept && !(await changed(item, kept.remove_url))) return;
  const next = item.row.nextElementSibling || item.row.previousElementSibling;
  item.row.remove();
  items.delete(item.key);
  tally();
  (next?.querySelector(".remove") || document.querySelector("[data-picks]")).focus();
}

function give(file, folder) {
  const key = `${folder}/${file.name}/${file.size}`;
  const known = items.get(key);
  if (known) {
    known.file = file; // chosen again after a break: go on with it
    if (known.state === "broken") enqueue(known);
    return;
  }
  const item = { key, file, folder, name: file.name, size: file.size };
  items.set(key, item);
  enqueue(item);
}

const folderOf = (path) => path.split("/").slice(0, -1).filter(Boolean).join("/");
const hiddenFile = (name) => name.startsWith(".") || name === "Thumbs.db" || name === "desktop.ini";

async function walk(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    if (!hiddenFile(file.name)) give(file, folderOf(entry.fullPath));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // a hundred at a time
    if (!some.length) return;
    for (const inner of some) await walk(inner);
  }
}

const drop = document.getElementById("drop");
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragenter" || name === "dragover");
  });
}
document.addEventListener("drop", async (event) => {
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length) for (const entry of entries) await walk(entry);
  else for (const file of event.dataTransfer.files) give(file, "");
});
function take(input) {
  for (const file of input.files) if (!hiddenFile(file.name)) give(file, folderOf(file.webkitRelativePath || ""));
  input.value = "";
}
for (const button of document.querySelectorAll("[data-picks]")) {
  const input = document.getElementById(button.dataset.picks);
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => take(input));
}

window.addEventListener("beforeunload", (event) => {
  const open = [...items.values()].some((item) => ON_THE_WAY.includes(item.state));
  if (open && !leaving) event.preventDefault();
});
document.getElementById("start-form").addEventListener("submit", () => (leaving = true));

function restore(answer) {
  const given = answer.paper || answer.source;
  const key = `${given.folder}/${given.filename}/${given.size}`;
  const item = {
    key: items.has(key) ? `${key}#${given.id}` : key,
    folder: given.folder,
    name: given.filename,
    size: given.size,
  };
  items.set(item.key, item);
  settle(item, answer);
}

const pasting = document.getElementById("paste");
pasting.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = document.getElementById("paste-said");
  const box = pasting.querySelector("textarea");
  said.textContent = words.opening;
  const body = new FormData(pasting);
  try {
    const answer = await send(pasting.action, body, token, () => {});
    const taken = answer.body?.paper || answer.body?.source;
    said.textContent = taken ? "" : answer.body?.message || words.server;
    if (!taken) return;
    for (const [key, item] of items) {
      if ((item.source || item.paper)?.remove_url !== taken.remove_url) continue;
      item.row.remove(); // the same list pasted again is the same line
      items.delete(key);
    }
    restore(answer.body);
    box.value = "";
    tally();
  } catch (error) {
    said.textContent = words.network;
    console.warn("The list could not be sent:", error.message);
  }
});

const given = JSON.parse(document.getElementById("given").textContent);
for (const source of given.sources) restore({ source });
for (const paper of given.papers) restore({ paper });
tally();
for (const button of document.querySelectorAll("[data-picks]")) {
  take(document.getElementById(button.dataset.picks)); // chosen before this script had arrived over a slow line
}

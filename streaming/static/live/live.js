// The live view of one batch: progress, connection, log. Everything it knows arrives as messages of one stream.

import { connectionWord } from "./connection.js";
import { setUpCopy } from "./copy.js";
import { LogView } from "./logview.js";
import { Progress, hasEnded } from "./progress.js";
import { Search } from "./search.js";
import { Store } from "./store.js";
import { Transport } from "./transport.js";
import { count, say } from "./words.js";

const root = document.querySelector("[data-live-task]");
const find = (name) => root.querySelector(`[data-live="${name}"]`);
const kept = (name, otherwise) => localStorage.getItem(`sheaf-live-${name}`) ?? otherwise;
const keep = (name, value) => localStorage.setItem(`sheaf-live-${name}`, value);

const progress = new Progress({ root });
const store = new Store({ pageUrl: root.dataset.log, onLines: () => view.draw() });
const view = new LogView({ box: find("log"), store, onFollow: tellFollow, onRows: tellEmpty });
view.now = () => progress.now();
const search = new Search({ root, url: root.dataset.search, view, store, onChange: tellEmpty });

let task = null;

// --- messages ---

const transport = new Transport({
  socketUrl: root.dataset.socket,
  eventsUrl: root.dataset.events,
  pollUrl: root.dataset.log,
  onMessage(message) {
    if (message.type === "task") {
      task = message;
      progress.show(message);
      document.dispatchEvent(new CustomEvent("sheaf:task", { detail: message }));
    } else if (message.type === "parts") {
      document.dispatchEvent(new CustomEvent("sheaf:parts", { detail: message }));
    } else if (message.type === "lines") {
      store.add(message);
      grown();
    } else if (message.type === "gap") {
      store.head = Math.max(store.head, message.to); // fetched when somebody looks there
      grown();
    } else if (message.type === "restart") {
      store.clear();
      progress.forget();
      search.run();
      grown();
    }
    tellEmpty();
  },
  onState: tellConnection,
});

function grown() {
  view.grown();
  search.grown();
}

// --- the page around the live view, which may show parts of the batch ---

document.addEventListener("sheaf:show", (event) => transport.show(event.detail));
document.dispatchEvent(new CustomEvent("sheaf:live"));

// --- the connection ---

const tellWord = connectionWord(find("connection"));

function tellConnection() {
  tellWord(transport);
  root.dataset.carrier = transport.carrier;
  progress.freeze(transport.state !== "live" && transport.state !== "catching_up");
}

// --- the log's surroundings ---

function tellFollow(following, fresh) {
  const pill = find("pill");
  pill.hidden = following || !fresh;
  if (!pill.hidden) pill.textContent = `↓ ${count("new", fresh)}`;
  find("follow").setAttribute("aria-pressed", String(following));
}

function tellEmpty() {
  const empty = find("empty");
  const rows = view.available;
  empty.hidden = rows > 0;
  if (rows > 0) find("size").textContent = count("lines", rows);
  else {
    find("size").textContent = "";
    if (search.filtering) empty.textContent = say("no_hit");
    else if (!task) empty.textContent = say("loading");
    else if (hasEnded(task)) empty.textContent = say("ended_empty");
    else empty.textContent = say(task.state === "draft" ? "not_started" : "waiting");
  }
}

find("pill").addEventListener("click", () => {
  view.setFollow(true);
  find("log").focus({ preventScroll: true });
});
find("follow").addEventListener("click", () => view.setFollow(!view.follow));

const wrap = find("wrap");
// on a narrow screen a line that is not wrapped shows little but its number
wrap.checked = kept("wrap", String(innerWidth < 700)) === "true";
wrap.addEventListener("change", () => {
  keep("wrap", wrap.checked);
  const { follow } = view;
  view.set({ wrap: wrap.checked });
  view.setFollow(follow);
});
const time = find("time");
time.value = kept("time", "local");
if (!time.value) time.value = "local";
time.addEventListener("change", () => {
  keep("time", time.value);
  view.set({ time: time.value });
});
view.set({ wrap: wrap.checked, time: time.value });
setInterval(() => {
  if (time.value === "relative" && !progress.frozen && !document.hidden) view.set({});
}, 5000);

// --- links to lines: #L10, #L10-L20 ---

let anchor = 0;

// Of a batch that had ended when the page came, the log is folded.
function unfold() {
  const fold = find("fold");
  if (fold) fold.open = true;
}

function select(first, last) {
  [first, last] = [Math.min(first, last), Math.max(first, last)];
  view.set({ first, last });
  find("copy").hidden = !first;
}

function fromAddress() {
  const match = /^#L(\d{1,15})(?:-L(\d{1,15}))?$/.exec(location.hash);
  if (!match) return;
  anchor = Number(match[1]);
  unfold();
  select(anchor, Number(match[2] ?? match[1]));
  root.scrollIntoView({ block: "nearest" });
  const go = () => view.goTo(Math.min(anchor, store.head));
  if (store.head >= anchor) go();
  else {
    // the head is known with the first lines
    const waiting = setInterval(() => {
      if (store.head < 1) return;
      clearInterval(waiting);
      go();
    }, 50);
  }
}

find("log").addEventListener("click", (event) => {
  const key = event.target.closest("[data-key]");
  if (key) return search.chooseKey(key.dataset.key);
  const link = event.target.closest("a.live-no");
  if (!link) return;
  event.preventDefault();
  const seq = Number(link.parentElement.dataset.seq);
  if (event.shiftKey && anchor) {
    const [first, last] = [Math.min(anchor, seq), Math.max(anchor, seq)];
    history.replaceState(null, "", `#L${first}-L${last}`);
    select(first, last);
  } else {
    anchor = seq;
    history.replaceState(null, "", `#L${seq}`);
    select(seq, seq);
  }
});
find("log").addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !anchor) return;
  anchor = 0;
  history.replaceState(null, "", location.pathname + location.search);
  select(0, 0);
});
addEventListener("hashchange", fromAddress);
// a page that lists the children asks for the lines of one
document.addEventListener("sheaf:key", (event) => {
  unfold();
  search.chooseKey(event.detail);
});

setUpCopy({
  button: find("copy"),
  told: find("told"),
  box: find("log"),
  store,
  marked() {
    const { first, last } = view.options;
    return first ? { first, last: Math.min(last, store.head) } : null;
  },
  markAll() {
    if (!store.head) return;
    anchor = 1;
    select(1, store.head);
  },
  filter: () => (search.filtering ? search.query : ""),
});

tellConnection();
tellEmpty();
fromAddress();
transport.start();

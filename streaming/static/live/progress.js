// Progress in words, a bar, an honest estimate, the tab's title, and one quiet announcement at every ten percent.
// Times are the server's: `now` of a task message against our own clock gives the difference.

import { clock, duration, number, say, stateWord } from "./words.js";

const ENDED = new Set(["completed", "cancelled", "failed"]);
const ETA_AFTER_MS = 10_000;
const ETA_AFTER_PERCENT = 5;
const STALLED_AFTER_MS = 30_000;
const MARKS = { completed: "✓", cancelled: "⊘", failed: "✗" };

export function settled(task) {
  return task.succeeded + task.failed + task.cancelled;
}

export function hasEnded(task) {
  return ENDED.has(task.state);
}

export class Progress {
  constructor({ root }) {
    const find = (name) => root.querySelector(`[data-live="${name}"]`);
    this.parts = Object.fromEntries(
      ["state", "bar", "words", "eta", "announce", "notify"].map((name) => [name, find(name)]),
    );
    this.title = document.title;
    this.task = null;
    this.percent = 0;
    this.announced = -1;
    this.ahead = 0; // the server's clock minus ours
    this.movedAt = 0;
    this.lag = [];
    this.frozen = true;
    this.askNotify();
    setInterval(() => this.task && !this.frozen && this.estimate(), 1000);
  }

  now() {
    return Date.now() + this.ahead;
  }

  // Offline: no clock goes on as if something was known.
  freeze(frozen) {
    this.frozen = frozen;
  }

  // The database was set back: what comes now may have a lower version than what we knew.
  forget() {
    this.task = null;
  }

  show(task) {
    const before = this.task;
    this.ahead = task.now - Date.now();
    if (before && before.version > task.version) return; // an older word by a slower way
    this.task = task;
    const again = before && before.generation !== task.generation;
    // forward only, within one run: a total that grows late must not pull the bar back
    this.percent = before && !again && !hasEnded(task) ? Math.max(this.percent, task.percent) : task.percent;
    this.moved(before, task);
    const due = Math.max(task.expected ?? 0, task.total);
    const { bar, words, state } = this.parts;
    if (due || hasEnded(task)) bar.value = this.percent;
    else bar.removeAttribute("value");
    const said = [say("of", { done: number(settled(task)), due: number(due) })];
    if (task.failed) said.push(say("with_failures", { failed: number(task.failed) }));
    if (task.cancelled) said.push(say("with_cancelled", { cancelled: number(task.cancelled) }));
    words.textContent = `${say("percent", { percent: this.percent })} · ${said.join(" · ")}`;
    const paused = task.paused && !hasEnded(task);
    state.textContent = paused ? `${stateWord(task.state)}, ${say("paused")}` : stateWord(task.state);
    state.dataset.state = paused ? "paused" : task.state;
    this.estimate();
    this.announce(before, task);
    const mark = MARKS[task.state] ?? say("percent", { percent: this.percent });
    document.title = task.state === "draft" ? this.title : `${mark} ${this.title}`;
  }

  moved(before, task) {
    if (!before) this.movedAt = task.updated_at;
    else if (settled(before) !== settled(task) || before.log_seq !== task.log_seq || before.state !== task.state) {
      this.lag = [...this.lag.slice(-19), task.updated_at - this.movedAt];
      this.movedAt = task.updated_at;
    }
  }

  estimate() {
    const { task } = this;
    const { eta } = this.parts;
    eta.textContent = "";
    delete eta.dataset.stalled;
    if (hasEnded(task)) {
      // of later runs the span would count the nights between; the page of a set says what they took
      if (task.generation === 1 && task.started_at && task.finished_at)
        eta.textContent = say("took", { time: duration(task.finished_at - task.started_at) });
      return;
    }
    if (task.paused || !["running", "expanding"].includes(task.state)) return;
    const mean = this.lag.length ? this.lag.reduce((a, b) => a + b, 0) / this.lag.length : 0;
    if (this.now() - this.movedAt > Math.max(STALLED_AFTER_MS, 5 * mean)) {
      eta.dataset.stalled = "";
      eta.textContent = say("stalled", { time: clock(this.movedAt) });
      return;
    }
    const spent = this.now() - task.started_at;
    const done = settled(task);
    const due = Math.max(task.expected ?? 0, task.total);
    if (!task.started_at || task.generation > 1 || spent < ETA_AFTER_MS || this.percent < ETA_AFTER_PERCENT || !done)
      return;
    const left = (spent / done) * (due - done);
    // the fewer have ended, the wider the range
    const spread = Math.min(0.5, 1 / Math.sqrt(done));
    const [from, to] = [duration(left * (1 - spread)), duration(left * (1 + spread))];
    eta.textContent = from === to ? say("eta_one", { from }) : say("eta", { from, to });
  }

  announce(before, task) {
    const step = Math.floor(this.percent / 10);
    if (before && before.state !== task.state) this.parts.announce.textContent = stateWord(task.state);
    else if (step !== this.announced && before)
      this.parts.announce.textContent = say("announce", { percent: step * 10 });
    this.announced = step;
    if (before && !hasEnded(before) && hasEnded(task)) this.notify(task);
    this.parts.notify.hidden = hasEnded(task) || !("Notification" in window) || Notification.permission !== "default";
  }

  askNotify() {
    this.parts.notify.addEventListener("click", async () => {
      await Notification.requestPermission();
      this.parts.notify.hidden = true;
    });
  }

  notify(task) {
    if (!("Notification" in window) || Notification.permission !== "granted" || !document.hidden) return;
    new Notification(say("done_title", { title: task.title, state: stateWord(task.state) }), {
      body: say("done_body", task),
      tag: `sheaf-${task.id}-${task.generation}`,
    });
  }
}

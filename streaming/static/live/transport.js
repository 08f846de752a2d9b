// One stream of messages, whatever carries it: a websocket, else server-sent events, else long polling. All three
// start after the same cursor (the last line that arrived), so changing between them loses nothing and doubles nothing.
//
// Calls onMessage(message) for each message of the contract (streaming/messages.py) and onState() when `state`,
// `carrier`, `lastHeard` or `refused` has changed. States: connecting, catching_up, live, reconnecting, offline, refused.

const CARRIERS = ["websocket", "events", "poll"];
const SILENCE_MS = 40_000; // the server speaks every 15 s
const PROBE_MS = 2_000;
const OFFLINE_AFTER_MS = 4_000;
const OPEN_WITHIN_MS = 5_000;
const LONGEST_PAUSE_MS = 5_000; // and half as much again, by chance: not all come back in the same moment
const TRY_WEBSOCKET_AGAIN_MS = 60_000;
const ACK_FRAMES = 16;
const ACK_CHARS = 64 * 1024;
const ACK_MS = 1_500;
const FINAL = new Set([4401, 4403, 4410, 4413, 4400]);

export class Transport {
  constructor({ socketUrl, eventsUrl, pollUrl, onMessage, onState }) {
    Object.assign(this, { socketUrl, eventsUrl, pollUrl, onMessage, onState });
    this.after = -500; // until something has arrived: the last lines
    this.afterAt = 0; // when that line was said: another line of its number means another log
    this.version = -1;
    this.target = 0; // catching up until this line is here
    this.state = "connecting";
    this.carrier = "websocket";
    this.lastHeard = Date.now();
    this.stale = false;
    this.refused = 0;
    this.failures = 0;
    this.leftWebsocketAt = 0;
    this.wish = null; // what the page shows of the batch, told to every websocket: {query, version}
    this.line = null; // what is open now: {close()}
    this.retry = null;
    this.tick = Date.now();
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.lost(this.line));
    document.addEventListener("visibilitychange", () => document.hidden || this.probe());
    addEventListener("pageshow", (event) => event.persisted && this.probe());
    setInterval(() => this.look(), 1000);
  }

  start() {
    this.open();
  }

  // The page shows this now (null: nothing that anybody sees). Only a websocket sends parts of a page.
  show(wish) {
    this.wish = wish;
    this.line?.show?.();
  }

  // --- state ---

  become(state) {
    if (this.state === "refused") return;
    this.state = state;
    this.onState();
  }

  look() {
    const now = Date.now();
    const slept = now - this.tick > 5000;
    this.tick = now;
    if (this.state === "refused") return;
    if (slept && !document.hidden) this.probe();
    else if (this.line && now - this.lastHeard > SILENCE_MS) this.lost(this.line);
    else if (!(this.line && this.opened) && now - this.lastHeard > OFFLINE_AFTER_MS && this.state !== "offline") {
      this.become("offline");
    }
  }

  // --- opening and losing ---

  open() {
    clearTimeout(this.retry);
    this.retry = null;
    if (this.line || this.state === "refused") return;
    if (this.carrier !== "websocket" && Date.now() - this.leftWebsocketAt > TRY_WEBSOCKET_AGAIN_MS)
      this.carrier = "websocket";
    this.opened = false;
    this.lastTried = Date.now();
    this.line = { websocket: () => this.openWebsocket(), events: () => this.openEvents(), poll: () => this.openPoll() }[
      this.carrier
    ]();
    const line = this.line;
    line.limit = setTimeout(() => this.opened || this.lost(line), OPEN_WITHIN_MS);
  }

  // Only the line that is open can be lost; what an old one still says is ignored.
  lost(line) {
    if (!line || line !== this.line) return;
    this.line = null;
    clearTimeout(line.limit);
    line.close();
    if (this.state === "refused") return;
    if (this.opened) this.failures = 0;
    else {
      this.failures += 1;
      // a door that never opened twice may be closed for good (a proxy): try the next one
      if (this.failures % 2 === 0 && navigator.onLine) {
        if (this.carrier === "websocket") this.leftWebsocketAt = Date.now();
        this.carrier = CARRIERS[(CARRIERS.indexOf(this.carrier) + 1) % CARRIERS.length];
      }
    }
    if (!navigator.onLine) this.become("offline");
    else if (this.state !== "offline") this.become("reconnecting");
    const pause = Math.min(200 * 1.7 ** this.failures, LONGEST_PAUSE_MS) * (0.5 + Math.random());
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), pause);
  }

  hurry() {
    if (!this.line) this.open();
    else this.probe();
  }

  // Is the line alive? A websocket answers hello within two seconds; of the others only the silence tells.
  probe() {
    if (!this.line) return this.open();
    const line = this.line;
    if (line.hello?.()) {
      const asked = Date.now();
      setTimeout(() => this.lastHeard < asked && this.lost(line), PROBE_MS);
    } else if (Date.now() - this.lastHeard > 20_000) {
      this.lost(line);
      this.open();
    }
  }

  // --- what arrives ---

  hear(line, message) {
    if (line !== this.line) return;
    this.lastHeard = Date.now();
    if (!this.opened) {
      this.opened = true;
      this.failures = 0;
    }
    if (message.type === "ping") this.stale = message.stale;
    else if (message.type === "bye") return this.bye(line, message.code);
    else if (message.type === "task") {
      this.version = message.version;
      this.target = Math.max(this.target, message.log_seq);
      if (this.after < 0 && message.log_seq === 0) this.after = 0;
    } else if (message.type === "board") {
      this.version = message.version;
      this.after = Math.max(this.after, 0); // a board has no lines to catch up with
    } else if (message.type === "lines") {
      if (message.last <= this.after) return; // seen already
      if (this.after >= 0 && message.after > this.after) {
        this.onMessage({ type: "gap", from: this.after + 1, to: message.after });
      }
      message.lines = message.lines.filter((one) => one.seq > this.after);
      message.after = Math.max(message.after, this.after);
      const last = message.lines.at(-1);
      this.after = message.last;
      this.afterAt = last?.seq === message.last ? last.at : 0;
    } else if (message.type === "gap" && message.to > this.after) {
      this.after = message.to;
      this.afterAt = 0;
    }
    this.onMessage(message);
    const state = this.stale || this.after < this.target ? "catching_up" : "live";
    if (state !== this.state) this.become(state);
    else if (message.type === "ping") this.onState();
  }

  bye(line, code) {
    if (FINAL.has(code)) {
      this.refused = code;
      this.become("refused");
      this.lost(line);
    } else if (code === 4412) {
      this.after = -500;
      this.afterAt = 0;
      this.target = 0;
      this.onMessage({ type: "restart" });
      this.lost(line);
    } else this.lost(line);
  }

  // --- the three carriers ---

  goOn(address) {
    const url = new URL(address, location.href);
    url.searchParams.set("after", this.after);
    if (this.afterAt) url.searchParams.set("at", this.afterAt);
    return url;
  }

  openWebsocket() {
    const url = this.goOn(this.socketUrl);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    let frames = 0;
    let acked = 0;
    let chars = 0;
    let timer = null;
    const ack = () => {
      clearTimeout(timer);
      timer = null;
      if (socket.readyState !== WebSocket.OPEN || acked === frames) return;
      acked = frames;
      chars = 0;
      socket.send(JSON.stringify({ type: "ack", frames }));
    };
    const line = {
      close() {
        clearTimeout(timer);
        socket.close();
      },
      hello: () => {
        if (socket.readyState !== WebSocket.OPEN) return false;
        socket.send(JSON.stringify({ type: "hello", after: this.after }));
        return true;
      },
    };
    line.show = () => {
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(JSON.stringify({ type: "show", ...this.wish, language: document.documentElement.lang }));
    };
    socket.onopen = () => this.wish && line.show();
    socket.onmessage = (event) => {
      frames += 1;
      chars += event.data.length;
      if (frames - acked >= ACK_FRAMES || chars >= ACK_CHARS) ack();
      else timer ??= setTimeout(ack, ACK_MS);
      this.hear(line, JSON.parse(event.data));
    };
    socket.onclose = () => this.lost(line);
    return line;
  }

  openEvents() {
    const url = this.goOn(this.eventsUrl);
    // its own way of coming back would use the address of the beginning: we open a new one instead
    const source = new EventSource(url);
    const line = { close: () => source.close() };
    source.onmessage = (event) => this.hear(line, JSON.parse(event.data));
    source.onerror = () => this.lost(line);
    return line;
  }

  openPoll() {
    const stop = new AbortController();
    const line = { close: () => stop.abort() };
    const turn = async () => {
      let wait = 0;
      while (line === this.line) {
        const url = this.goOn(this.pollUrl);
        url.searchParams.set("version", wait ? this.version : -1);
        url.searchParams.set("wait", wait);
        const answer = await fetch(url, { signal: stop.signal, cache: "no-store" });
        if (answer.status === 401) return this.hear(line, { type: "bye", code: 4401 });
        if (answer.status === 404) return this.hear(line, { type: "bye", code: 4403 });
        if (!answer.ok) throw new Error(String(answer.status));
        const { messages } = await answer.json();
        this.hear(line, { type: "ping", stale: false });
        for (const message of messages) this.hear(line, message);
        wait = 20;
      }
    };
    Promise.resolve()
      .then(turn)
      .catch(() => this.lost(line));
    return line;
  }
}

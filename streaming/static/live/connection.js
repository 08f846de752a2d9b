// The connection word: says what is known now, and since when nothing is.

import { clock, say } from "./words.js";

function refusal(code) {
  if (code === 4401) return say("refused_session");
  if (code === 4403) return say("refused_access");
  if (code === 4410) return say("refused_gone");
  return say("refused_other", { code });
}

// A function that writes the state of a transport into `element`, whenever it is called.
export function connectionWord(element) {
  let staleSince = 0;
  return ({ state, carrier, lastHeard, refused, stale }) => {
    staleSince = stale ? staleSince || Date.now() : 0;
    const words = {
      connecting: () => say("reconnecting"),
      reconnecting: () => say("reconnecting"),
      catching_up: () => (stale ? say("server_stale", { time: clock(staleSince) }) : say("catching_up")),
      live: () => say(carrier === "websocket" ? "live" : `live_${carrier}`),
      offline: () => say("offline", { time: clock(lastHeard) }),
      refused: () => refusal(refused),
    }[state]();
    if (element.textContent !== words) element.textContent = words;
    element.dataset.state = stale && state === "catching_up" ? "offline" : state;
  };
}

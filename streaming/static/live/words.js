// Codes and numbers into the reader's words. The catalogue travels with the page (streaming/words.py).

const catalogue = JSON.parse(document.getElementById("live-words").textContent);
const language = catalogue.language;
const plural = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

// Python's format places: {name}, with {{ and }} for braces. An unknown value is "…", a list of names is said in words.
function fill(template, values) {
  return template.replace(/\{\{|\}\}|\{(\w+)[^{}]*\}/g, (place, name) => {
    if (!name) return place[0];
    const value = values[name];
    if (Array.isArray(value)) return value.map((one) => catalogue.listed[one] ?? one).join(catalogue.ui.comma);
    return value === undefined || value === null ? "…" : String(value);
  });
}

export function say(key, values = {}) {
  return fill(catalogue.ui[key] ?? key, values);
}

// "1 line", "12 lines": say_one and say_many.
export function count(key, n) {
  return say(plural.select(n) === "one" ? `${key}_one` : `${key}_many`, { n: number(n) });
}

export function number(n) {
  return numbers.format(n);
}

export function stateWord(state) {
  return catalogue.states[state] ?? state;
}

// The sentence of a code; {reason} is the sentence of reason_code where there is one (as tasks/sentences.py does it).
export function sentence(code, data = {}) {
  const template = catalogue.codes[code];
  if (template === undefined) return code;
  const values = { ...data };
  if (values.reason_code !== undefined) {
    const { reason_code, ...rest } = values;
    values.reason = sentence(reason_code, rest);
  }
  return fill(template, values);
}

export function duration(ms) {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 90) return say("seconds", { n: s });
  const min = Math.round(s / 60);
  if (min < 90) return say("minutes", { n: min });
  return say("hours", { n: Math.round(min / 6) / 10 });
}

const clockLocal = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
export function clock(ms) {
  return clockLocal.format(ms);
}

const two = (n) => String(n).padStart(2, "0");
function digits(date, utc) {
  const get = (part) => date[(utc ? "getUTC" : "get") + part]();
  const milli = String(get("Milliseconds")).padStart(3, "0");
  return `${two(get("Hours"))}:${two(get("Minutes"))}:${two(get("Seconds"))}.${milli}`;
}

// A line's time for its narrow column: "local", "utc" or "relative" (to `now`, the server's clock).
export function stamp(ms, mode, now) {
  if (mode === "relative") return say("ago", { time: duration(now - ms) });
  return digits(new Date(ms), mode === "utc") + (mode === "utc" ? "Z" : "");
}

// The whole moment with its zone, for the tooltip.
export function moment(ms) {
  const date = new Date(ms);
  return `${date.toISOString()}\n${date.toLocaleString(language, { dateStyle: "full", timeStyle: "long" })}`;
}

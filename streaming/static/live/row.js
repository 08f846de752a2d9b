// One line of the log as an element. Text is only ever set as text; numbers and times are left out of a copy (CSS).

import { collapse, pieces, plain } from "./ansi.js";
import { moment, number, say, sentence, stamp } from "./words.js";

const MOST_UNWRAPPED = 4000;
const LEVELS = { 10: "debug", 20: "info", 30: "warning", 40: "error" };

export function levelName(level) {
  return LEVELS[Math.min(40, Math.max(10, Math.floor(level / 10) * 10))];
}

// The words of a line, terminal codes included.
export function wordsOf(line) {
  if (!line.code) return line.text;
  const words = sentence(line.code, line.data);
  return line.text ? `${words} ${line.text}` : words;
}

export function plainWords(line) {
  return plain(collapse(wordsOf(line)));
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Append text with each occurrence of `words` (lower case) marked.
function marked(parent, text, words) {
  if (!words) return parent.append(text);
  const low = text.toLowerCase();
  if (low.length !== text.length) return parent.append(text); // the positions would not fit
  let from = 0;
  for (let at = low.indexOf(words); at >= 0; at = low.indexOf(words, from)) {
    parent.append(text.slice(from, at), element("mark", "", text.slice(at, at + words.length)));
    from = at + words.length;
  }
  parent.append(text.slice(from));
}

// options: {wrap, time, now, words, selected, current}
export function makeRow(seq, line, options) {
  const row = element("div", "live-row");
  row.dataset.seq = seq;
  const link = element("a", "live-no", number(seq));
  link.href = `#L${seq}`;
  link.setAttribute("aria-label", say("line", { n: seq }));
  row.append(link);
  if (options.selected) row.classList.add("live-selected");
  if (options.current) row.classList.add("live-current");
  if (!line || line.gone) {
    row.classList.add("live-blank");
    row.append(element("span", "live-text", say(line ? "deleted" : "loading")));
    return row;
  }
  const level = levelName(line.level);
  row.classList.add(`live-${level}`);
  if (options.time !== "none") {
    const time = element("time", "live-time", stamp(line.at, options.time, options.now));
    time.dateTime = new Date(line.at).toISOString();
    time.title = moment(line.at);
    row.append(time);
  }
  if (level !== "info") row.append(element("span", "live-level", say(level)));
  if (line.key) {
    const key = element("button", "live-key", line.key);
    key.type = "button";
    key.dataset.key = line.key;
    row.append(key);
  }
  const text = element("span", "live-text");
  let words = collapse(wordsOf(line));
  // a sentence that begins with the child's name: the name stands before it already
  if (line.code && line.key && words.startsWith(`${line.key} `)) words = words.slice(line.key.length + 1);
  let cut = 0;
  if (!options.wrap) {
    words = words.replace(/\n/g, "⏎");
    if (words.length > MOST_UNWRAPPED) {
      cut = words.length - MOST_UNWRAPPED;
      words = words.slice(0, MOST_UNWRAPPED);
    }
  }
  for (const piece of pieces(words)) {
    if (piece.names) {
      const span = element("span", piece.names);
      marked(span, piece.text, options.words);
      text.append(span);
    } else marked(text, piece.text, options.words);
  }
  if (cut) text.append(element("i", "live-cut", say("cut", { n: number(cut) })));
  row.append(text);
  return row;
}

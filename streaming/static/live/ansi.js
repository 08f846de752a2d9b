// The safe part of terminal output: colours and weights (SGR) of one line, which stands by itself (tasks/log/colours.py).
// Everything else that begins with ESC is dropped, hyperlinks (OSC 8) included: their text stays, their address does not.

const ESCAPES = new RegExp(
  [
    "\\x1b\\[([0-9;:]*)m", // SGR, the one that counts
    "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?", // other CSI
    "\\x1b[\\]PX^_][^\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c|$)", // OSC, DCS, SOS, PM, APC up to their end
    "\\x1b[ -/]*[0-~]?", // two-letter escapes, and a lone ESC
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1a\\x1c-\\x1f\\x7f-\\x9f]", // other controls
  ].join("|"),
  "g",
);

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function apply(codes, style) {
  const numbers = codes.split(/[;:]/).map(Number);
  for (let i = 0; i < numbers.length; i += 1) {
    const n = numbers[i];
    if (n === 0) style = {};
    else if (n === 1) style = { ...style, bold: true };
    else if (n === 2) style = { ...style, dim: true };
    else if (n === 3) style = { ...style, italic: true };
    else if (n === 4) style = { ...style, underline: true };
    else if (n === 22) style = { ...style, bold: false, dim: false };
    else if (n === 23) style = { ...style, italic: false };
    else if (n === 24) style = { ...style, underline: false };
    else if (n >= 30 && n <= 37) style = { ...style, colour: COLOURS[n - 30] };
    else if (n >= 90 && n <= 97) style = { ...style, colour: COLOURS[n - 90] };
    else if (n === 39) style = { ...style, colour: "" };
    else if (n === 38 || n === 48) i += numbers[i + 1] === 5 ? 2 : 4; // 256 and true colours: not ours to honour
  }
  return style;
}

function classes(style) {
  const names = [];
  for (const name of ["bold", "dim", "italic", "underline"]) if (style[name]) names.push(`ansi-${name}`);
  if (style.colour) names.push(`ansi-${style.colour}`);
  return names.join(" ");
}

const SGR = /\x1b\[[0-9;:]*m/g;

// What a terminal would show of a progress line: after a carriage return, the text begins anew (its colour does not).
export function collapse(text) {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => {
      const parts = line.replace(/\r+$/, "").split("\r");
      const last = parts.pop();
      return (parts.join("").match(SGR) ?? []).join("") + last;
    })
    .join("\n");
}

// [{text, names}]: pieces of plain text with class names.
export function pieces(text) {
  const made = [];
  let style = {};
  let from = 0;
  const add = (until) => {
    if (until > from) made.push({ text: text.slice(from, until), names: classes(style) });
  };
  for (const match of text.matchAll(ESCAPES)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[1] !== undefined) style = apply(match[1], style);
  }
  add(text.length);
  return made;
}

export function plain(text) {
  return text.replace(ESCAPES, "");
}

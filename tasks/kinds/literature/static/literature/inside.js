// What came out of an archive or a reference list, below its line of the receipt: the counts at once; what was not
// taken and what was mended when asked for.

const filled = (words, values) => words.replace(/%(\w+)/g, (_, name) => values[name]);

function line(at, text, look) {
  const item = document.createElement("li");
  const where = document.createElement("span");
  where.className = `nowrap ${look}`;
  where.textContent = at;
  const what = document.createElement("span");
  what.textContent = text;
  item.append(where, what);
  return item;
}

export function inside(source, words) {
  const block = document.createElement("div");
  block.className = "inside small";
  const sum = document.createElement("p");
  sum.className = "quiet tabular";
  sum.textContent = `${source.format_words} · ${filled(words.receipt, source.counts)}`;
  if (source.ignored) sum.textContent += ` · ${words.ignored.replace("%n", source.ignored)}`;
  block.append(sum);
  const left = source.counts.duplicate + source.counts.refused;
  const entries = [
    ...source.trouble.map((one) =>
      line(
        one.line && source.format !== "zip"
          ? words.line.replace("%n", one.line)
          : one.file.replace(`${source.filename}/`, ""),
        one.message,
        one.state,
      ),
    ),
    ...source.problems.map((one) =>
      line(
        one.line ? words.line.replace("%n", one.line) : words.whole,
        one.message,
        one.severity === "repaired" ? "quiet" : "wait",
      ),
    ),
  ];
  if (!entries.length) return block;
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = filled(words.insideSum, { left, told: source.problems.length });
  const list = document.createElement("ul");
  list.append(...entries);
  if (left > source.trouble.length) list.append(line("…", words.more, "quiet"));
  details.append(summary, list);
  block.append(details);
  return block;
}

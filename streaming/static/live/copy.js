// Copying lines as clean text: the marked ones, whether or not they are in the document or in memory. A selection by
// mouse ends where the window's rows end, so the keys for "all" and "copy" mean the log when it has the focus.

import { plainWords } from "./row.js";
import { count, say } from "./words.js";

// The clipboard of a page that came over plain HTTP exists only as this old command.
function copyTheOldWay(text) {
  const box = document.createElement("textarea");
  box.value = text;
  box.className = "live-hidden";
  document.body.append(box);
  const focused = document.activeElement;
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  focused?.focus({ preventScroll: true });
  if (!done) throw new Error("refused");
}

async function put(text) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else copyTheOldWay(text);
}

// marked(): {first, last} or nothing; markAll(); filter(): the search parameters of what is shown.
export function setUpCopy({ button, told, box, store, marked, markAll, filter }) {
  async function copy() {
    const range = marked();
    if (!range) return;
    button.disabled = true;
    told.textContent = say("copying");
    try {
      const lines = await store.range(range.first, range.last, filter());
      await put(lines.map(plainWords).join("\n"));
      told.textContent = count("copied", lines.length);
    } catch (error) {
      told.textContent = say("copy_failed");
      console.warn("Lines could not be copied:", error.message);
    }
    button.disabled = false;
  }
  button.addEventListener("click", copy);
  box.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "a") markAll();
    else if (key !== "c" || !marked() || !getSelection().isCollapsed)
      return; // a word that is selected is what is meant
    else copy();
    event.preventDefault();
  });
}

// Judging values by keyboard and without losing one's place: a form is sent in the background, then the value is
// fetched anew. Somebody else's verdict meanwhile is shown beside what was typed, never overwritten.

const values = document.getElementById("fields");
const all = () => [...document.querySelectorAll(".evidence")].filter((one) => one.checkVisibility());
let at = null; // id of the value that the keys act on

function choose(article) {
  if (!article) return;
  document.querySelector(".evidence.chosen")?.classList.remove("chosen");
  article.classList.add("chosen");
  at = article.id;
  article.focus({ preventScroll: true });
  article.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const list = all();
  const now = list.findIndex((article) => article.id === at);
  choose(list[Math.max(0, Math.min(list.length - 1, now < 0 ? 0 : now + by))]);
}

const chosen = () => document.getElementById(at);

// Fetch the page again and take from it the value that changed, the tally, and what is missing.
async function renew(id) {
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const other = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [mine, theirs] = [document.getElementById(id), other.getElementById(id)];
  if (!mine || !theirs || Boolean(mine.closest("#missing")) !== Boolean(theirs.closest("#missing"))) {
    values.replaceChildren(...other.getElementById("fields").childNodes); // it was found, or it is found no more
  } else {
    mine.replaceWith(theirs);
  }
  const tally = other.getElementById("tally");
  if (tally) document.getElementById("tally").replaceWith(tally);
  const beside = other.getElementById("beside");
  if (beside) document.getElementById("beside")?.replaceWith(beside);
  return document.getElementById(id);
}

async function judge(form) {
  const id = form.closest(".evidence").id;
  const body = new FormData(form);
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" }, credentials: "same-origin" });
  const said = (answer.headers.get("Content-Type") || "").startsWith("application/json") ? await answer.json() : null;
  if (!said) throw new Error(String(answer.status));
  if (answer.ok || said.code === "review_overtaken") {
    const article = await renew(id);
    choose(article);
    if (answer.ok) return;
    article.querySelector(".said").textContent = said.message;
    if (form.dataset.act !== "corrected") return;
    article.querySelector("details.correct").open = true;
    article.querySelector("details.correct [name=value]").value = body.get("value"); // what was typed is not lost
    return;
  }
  form.closest(".evidence").querySelector(".said").textContent = said.message;
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-act]");
  if (!form) return;
  event.preventDefault();
  judge(form).catch(() => form.submit()); // the plain way, which tells what is wrong
});

function edit(article) {
  const details = article?.querySelector("details.correct");
  if (!details) return;
  details.open = true;
  const field = details.querySelector("[name=value]");
  field.focus();
  field.select();
}

document.addEventListener("click", (event) => {
  const leave = event.target.closest(".leave");
  if (leave) {
    leave.closest("details").open = false;
    choose(leave.closest(".evidence"));
  }
});

const keys = {
  j: () => step(1),
  k: () => step(-1),
  p: () => chosen()?.querySelector(".place")?.click(),
  c: () => chosen()?.querySelector("form[data-act=confirmed]")?.requestSubmit(),
  e: () => edit(chosen()),
  u: () => chosen()?.querySelector("form[data-act=withdrawn]")?.requestSubmit(),
  r: () => document.getElementById("mark")?.requestSubmit(),
  n: () => document.getElementById("note-text")?.focus(),
  "[": () => document.getElementById("earlier")?.click(),
  "]": () => document.getElementById("later")?.click(),
  "?": () => document.getElementById("keys")?.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target.closest("input, textarea, select");
  if (typing) {
    if (event.key !== "Escape") return;
    const details = typing.closest("details.correct");
    if (details) details.open = false;
    choose(typing.closest(".evidence"));
    typing.blur();
    return;
  }
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

if (location.hash.startsWith("#v-")) choose(document.getElementById(location.hash.slice(1)));

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
  const answer = await fetch(location.pathname + location.search, {
    headers: { Accept: "text/html" },
    credentials: "same-origin",
  });
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

const notKept = document.getElementById("not-kept");

// Says beside the value, or at the top, that something was not kept, and why; nothing that was typed is touched.
function complain(place, words) {
  if (place) place.textContent = words;
  else {
    notKept.textContent = words;
    notKept.hidden = false;
    notKept.scrollIntoView({ block: "nearest" });
  }
}

const postOf = (form) =>
  fetch(form.action, {
    method: "POST",
    body: new FormData(form),
    headers: { Accept: "application/json" },
    credentials: "same-origin",
  });

// Whoever logged in again in another tab has a new token there: take it over into the forms of this page.
async function takeToken() {
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return;
  const other = new DOMParser().parseFromString(await answer.text(), "text/html");
  const token = other.querySelector("#fields [name=csrfmiddlewaretoken]")?.value;
  if (token) for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
}

// Post a form in the background. The answer's JSON with `ok`; null when it was not kept, which has been said then.
async function send(form, place) {
  notKept.hidden = true;
  let answer;
  try {
    answer = await postOf(form);
    if (answer.status === 403) {
      await takeToken();
      answer = await postOf(form);
    }
  } catch {
    complain(place, notKept.dataset.offline);
    return null;
  }
  const said = (answer.headers.get("Content-Type") || "").startsWith("application/json") ? await answer.json() : null;
  if (answer.status === 401 || answer.redirected) complain(place, notKept.dataset.session);
  else if (!said) complain(place, notKept.dataset.refused.replace("%n", answer.status));
  else return { ok: answer.ok, ...said };
  return null;
}

async function judge(form) {
  const article = form.closest(".evidence");
  const typed = new FormData(form).get("value");
  const said = await send(form, article.querySelector(".said"));
  if (!said) return;
  if (!said.ok && said.code !== "review_overtaken") {
    article.querySelector(".said").textContent = said.message;
    return;
  }
  const fresh = await renew(article.id);
  choose(fresh);
  if (said.ok) return;
  fresh.querySelector(".said").textContent = said.message;
  if (form.dataset.act !== "corrected") return;
  fresh.querySelector("details.correct").open = true;
  fresh.querySelector("details.correct [name=value]").value = typed; // what was typed is not lost
}

async function post(form) {
  const said = await send(form, null);
  if (!said) return;
  if (!said.ok) complain(null, said.message);
  else if (said.next) location.assign(said.next);
  else location.reload();
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-act]");
  const other = event.target.closest("#mark, #mark-next, #note-form");
  if (!form && !other) return;
  event.preventDefault();
  if (form)
    judge(form).catch(() => location.reload()); // it was kept, but could not be fetched anew
  else post(other);
});

function edit(article) {
  const details = article?.querySelector("details.correct");
  if (!details) return;
  details.open = true;
  const field = details.querySelector("[name=value]");
  field.focus();
  field.select?.();
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
  d: () => {
    const form = document.getElementById("mark-next");
    if (form) form.requestSubmit();
    else document.getElementById("next-open")?.click();
  },
  o: () => document.getElementById("next-open")?.click(),
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

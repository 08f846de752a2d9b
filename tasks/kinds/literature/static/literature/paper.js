// Shows the page on which a value stands without leaving the place where one reads: the picture is swapped alone. And a
// page that promises the values of a paper that is still to be read shows them once they are there.

const aside = document.getElementById("page");
const narrow = matchMedia("(max-width: 60rem)");

async function show(link) {
  const answer = await fetch(link.href, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const other = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("page");
  aside.replaceChildren(...other.childNodes);
  document.querySelector(".evidence.open")?.classList.remove("open");
  link.closest(".evidence")?.classList.add("open");
  history.replaceState(null, "", link.search);
  if (narrow.matches) aside.scrollIntoView({ block: "start" });
}

if (aside) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="?"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    show(link).catch(() => location.assign(link.href));
  });
}

const AWAITED_MS = 2000;

// A server that doesn't answer now is asked again like a paper that isn't read yet: what the page says is still true.
async function isThere() {
  if (document.hidden) return false;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin" }).catch(
    () => null,
  );
  if (!answer?.ok) return answer?.status === 404;
  return !new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("awaited");
}

async function wait() {
  if (await isThere()) location.reload();
  else setTimeout(wait, AWAITED_MS);
}

if (document.getElementById("awaited")) setTimeout(wait, AWAITED_MS);

// The estimate on the upload page: asked for again, a moment after the receipt has changed.
const place = document.getElementById("estimate");
const receipt = document.getElementById("receipt");
let timer = 0,
  asked = 0;

async function ask() {
  const mine = ++asked;
  try {
    const answer = await fetch(place.dataset.url, { headers: { Accept: "application/json" } });
    if (!answer.ok || mine !== asked) return;
    place.textContent = (await answer.json()).sentences.join(" ");
  } catch {
    // no connection: the upload itself says so; the old estimate stays
  }
}

if (place && receipt) {
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(ask, 700);
  }).observe(receipt, { childList: true, characterData: true, subtree: true });
  ask();
}

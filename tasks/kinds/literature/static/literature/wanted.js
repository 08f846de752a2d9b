// The choice of a template on the upload page is kept as soon as it is made: whoever starts or tries the set next means
// it. Without script, or when it could not be kept, the button beside it does the same.

const select = document.getElementById("template");
const form = select?.form;

async function keep() {
  const button = form.querySelector("button");
  const held = document.activeElement === select;
  const body = new URLSearchParams({
    csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value,
    template: select.value,
  });
  select.disabled = true;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
      credentials: "same-origin",
    });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    button.hidden = true;
  } catch (error) {
    button.hidden = false; // pressed, it tells what is wrong
    console.warn("The choice of a template was not kept:", error.message);
  }
  select.disabled = false;
  if (held) select.focus();
}

if (form) {
  form.querySelector("button").hidden = true;
  select.addEventListener("change", keep);
  const kept = select.querySelector("option[selected]")?.value || "";
  if (select.value !== kept) keep(); // chosen before the script was there
}

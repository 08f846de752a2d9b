// The form of a template: another field, one less, another order. Without script the blank rows below serve.

const fields = document.getElementById("fields");
const blank = document.getElementById("blank-field");

document.getElementById("more-fields")?.addEventListener("click", () => {
  const row = blank.content.firstElementChild.cloneNode(true);
  fields.append(row);
  row.querySelector("[name=words]").focus();
});

fields.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const row = button?.closest(".wanted");
  if (!row) return;
  if (button.matches(".up")) row.previousElementSibling?.before(row);
  else if (button.matches(".down")) row.nextElementSibling?.after(row);
  else if (button.matches(".drop-field")) {
    const next = row.nextElementSibling || row.previousElementSibling;
    row.remove();
    next?.querySelector("[name=words]").focus();
    return;
  } else return;
  button.focus();
});

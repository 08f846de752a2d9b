// Posts a form and tells how much of it has gone out (fetch can't). Resolves with {status, body}: body is the JSON of
// the answer or null. Rejects when the connection breaks, when nothing moves for a minute, or when the server takes
// longer than opening a large archive may take.

const SILENCE_MS = 60000;
const OPENING_MS = 15 * 60000;

export function send(url, form, token, moved, sent = () => {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let watch = null;
    const alive = (patience = SILENCE_MS) => {
      clearTimeout(watch);
      watch = setTimeout(() => request.abort(), patience);
    };
    request.open("POST", url);
    request.responseType = "text";
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", token);
    request.upload.addEventListener("progress", (event) => {
      alive();
      if (event.lengthComputable) moved(event.loaded / event.total);
    });
    request.upload.addEventListener("load", () => {
      alive(OPENING_MS);
      sent();
    });
    request.addEventListener("loadend", () => clearTimeout(watch));
    request.addEventListener("load", () => {
      let body = null;
      if ((request.getResponseHeader("Content-Type") || "").startsWith("application/json"))
        body = JSON.parse(request.response);
      resolve({ status: request.status, body });
    });
    request.addEventListener("error", () => reject(new Error("the connection broke")));
    request.addEventListener("abort", () => reject(new Error("nothing moved for a minute")));
    alive();
    request.send(form);
  });
}

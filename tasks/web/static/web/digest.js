// SHA-256 of a file as hex. Null where the browser gives no cryptography: over plain http, save on localhost.

export async function digest(file) {
  if (!globalThis.crypto?.subtle) return null;
  const hash = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

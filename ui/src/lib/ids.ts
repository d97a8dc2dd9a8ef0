/** A fresh id for a command. Not crypto.randomUUID: that needs HTTPS, and the page is also played over plain HTTP. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

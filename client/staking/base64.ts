// Base64 of transactions, in browsers that know bytes by themselves and in those that do not yet.

/** Bytes as base64. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Base64 as bytes. Throws `DOMException` for text that is none. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

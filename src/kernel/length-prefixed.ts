// Encodes several texts as length-prefixed bytes, so different lists never have the same encoding.

/** Encodes each part as UTF-8, preceded by its length in bytes (u32, little-endian). */
export const lengthPrefixed = (parts: readonly string[]): Uint8Array => {
  const chunks = parts.map((part) => Buffer.from(part, 'utf8'));
  const out = Buffer.alloc(chunks.reduce((total, chunk) => total + 4 + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    at = out.writeUInt32LE(chunk.length, at);
    at += chunk.copy(out, at);
  }
  return out;
};

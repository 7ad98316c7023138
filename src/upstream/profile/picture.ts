// Tells by its own bytes whether a file is a picture that the page may show, and of which kind.

/** A picture of a known kind. */
export interface Picture {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/svg+xml';
  readonly bytes: Buffer;
}

const startsWith = (bytes: Buffer, signature: string, at = 0): boolean =>
  bytes.subarray(at, at + signature.length / 2).equals(Buffer.from(signature, 'hex'));

/** What the bytes are by their own first bytes; null for everything that is not one of four kinds of picture, SVG above all. */
export const recognisePicture = (bytes: Buffer): Picture | null => {
  const contentType = startsWith(bytes, '89504e470d0a1a0a')
    ? 'image/png'
    : startsWith(bytes, 'ffd8ff')
      ? 'image/jpeg'
      : startsWith(bytes, '474946383961') || startsWith(bytes, '474946383761')
        ? 'image/gif'
        : startsWith(bytes, '52494646') && startsWith(bytes, '57454250', 8)
          ? 'image/webp'
          : null;
  return contentType && { contentType, bytes };
};

/** What may stand before the root element. A document type with a subset of its own may define entities, and is none of them. */
const SVG_START = /^\ufeff?(?:\s|<\?xml[^>]*\?>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE\s+svg[^>[]*>)*<svg[\s>]/i;

/** The same, and SVG. Whoever serves it must forbid it to run anything. */
export const recogniseLogo = (bytes: Buffer): Picture | null =>
  recognisePicture(bytes) ??
  (SVG_START.test(bytes.toString('utf8')) ? { contentType: 'image/svg+xml', bytes } : null);

/** Width and height in pixels as a PNG's header says them; null for other kinds. */
export const pngSize = ({ contentType, bytes }: Picture): { width: number; height: number } | null =>
  contentType === 'image/png' && bytes.length >= 24
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null;

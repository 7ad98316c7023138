// Determines from a file's bytes whether it is a picture that the page may show, and which type it has.

export interface Picture {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/svg+xml';
  readonly bytes: Buffer;
}

const startsWith = (bytes: Buffer, signature: string, at = 0): boolean =>
  bytes.subarray(at, at + signature.length / 2).equals(Buffer.from(signature, 'hex'));

/**
 * Detects four picture types by the first bytes of the file. Returns null for everything else, including SVG.
 */
export const recognizePicture = (bytes: Buffer): Picture | null => {
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

/**
 * Text allowed before the root element. A document type with an internal subset is excluded, because it may
 * define entities.
 */
const SVG_START = /^\ufeff?(?:\s|<\?xml[^>]*\?>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE\s+svg[^>[]*>)*<svg[\s>]/i;

/** Detects the four picture types and SVG. Serve SVG only with scripts forbidden. */
export const recognizeLogo = (bytes: Buffer): Picture | null =>
  recognizePicture(bytes) ??
  (SVG_START.test(bytes.toString('utf8')) ? { contentType: 'image/svg+xml', bytes } : null);

/** Reads width and height in pixels from a PNG header; null for other types. */
export const pngSize = ({ contentType, bytes }: Picture): { width: number; height: number } | null =>
  contentType === 'image/png' && bytes.length >= 24
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null;

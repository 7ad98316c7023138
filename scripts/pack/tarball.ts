// Writes a package as a gzipped tar for npm. The same files always result in the same bytes.
import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** File time in seconds since the Unix epoch, the same constant as in npm's own tarballs. */
const TIME = 499162500;

const field = (text: string, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  if (bytes.write(text) > length || Buffer.byteLength(text) > length) throw new Error(`too long: ${text}`);
  return bytes;
};

const octal = (value: number, length: number): Buffer =>
  field(`${value.toString(8).padStart(length - 1, '0')}\0`, length);

const header = (path: string, size: number, mode: number): Buffer => {
  const cut = Buffer.byteLength(path) <= 100 ? 0 : path.indexOf('/', path.length - 100);
  const parts = [
    field(path.slice(cut === 0 ? 0 : cut + 1), 100),
    ...[octal(mode, 8), octal(0, 8), octal(0, 8), octal(size, 12), octal(TIME, 12)],
    Buffer.alloc(8, ' '),
    ...[
      field('0', 1),
      Buffer.alloc(100),
      field('ustar\x0000', 8),
      Buffer.alloc(64),
      octal(0, 8),
      octal(0, 8),
    ],
    field(path.slice(0, cut), 155),
    Buffer.alloc(12),
  ];
  const bytes = Buffer.concat(parts);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
};

/** Creates a tarball of `files` by path. Files in `executables` are marked executable. */
export const makeTarball = (
  files: ReadonlyMap<string, Buffer>,
  executables: readonly string[] = [],
): Buffer => {
  const blocks = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, bytes]) => [
      header(`package/${path}`, bytes.length, executables.includes(path) ? 0o755 : 0o644),
      bytes,
      Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
    ]);
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // Overwrites the byte that names the packer's operating system.
  packed[9] = 255;
  return packed;
};

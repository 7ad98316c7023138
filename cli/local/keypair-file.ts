// A wallet's key in the file format of Solana's command line. Read on demand, wiped immediately after use,
// never stored or shown.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { platform } from 'node:os';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { UsageError } from '../usage-error.ts';

const KEYPAIR_BYTES = 64;
const SEED_BYTES = 32;
/** Maximum file size, several times the size of 64 numbers with commas and spaces. */
const MAX_FILE_BYTES = 4096;
const OTHERS_MAY = 0o077;

// PKCS#8 prefix of an Ed25519 key; the seed follows (RFC 8410). Older Node versions cannot import raw keys.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Creates a key object for one signature. OpenSSL wipes its copy when the object is garbage-collected. */
const keyObject = (bytes: Uint8Array): KeyObject => {
  const der = Buffer.concat([PKCS8_PREFIX, bytes.subarray(0, SEED_BYTES)]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
};

const publicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES);

/**
 * Parses a JSON array of numbers without creating a string, because strings cannot be wiped. Returns null for
 * anything else.
 */
const parseNumbers = (text: Uint8Array): Uint8Array | null => {
  const bytes = new Uint8Array(KEYPAIR_BYTES);
  const refuse = (): null => {
    bytes.fill(0);
    return null;
  };
  let [length, value, digits, depth] = [0, 0, 0, 0];
  const finish = (): boolean => {
    if (digits === 0 || value > 255 || length === KEYPAIR_BYTES) return false;
    bytes[length] = value;
    [length, value, digits] = [length + 1, 0, 0];
    return true;
  };
  let afterDigits = false;
  for (const code of text) {
    const isSpace = code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
    if (isSpace) {
      if (digits > 0) afterDigits = true;
    } else if (code === 0x5b && depth === 0) depth = 1;
    else if (code >= 0x30 && code <= 0x39 && depth === 1 && !afterDigits && digits < 3) {
      value = value * 10 + (code - 0x30);
      digits += 1;
    } else if ((code === 0x2c || code === 0x5d) && depth === 1) {
      if (!finish()) return refuse();
      afterDigits = false;
      if (code === 0x5d) depth = 2;
    } else return refuse();
  }
  return depth === 2 && length === KEYPAIR_BYTES ? bytes : refuse();
};

const readBytes = (path: string): Uint8Array => {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT'
        ? `${path} does not exist; create it with holdfast keygen ${path}`
        : `cannot read the keypair file ${path}: ${code}`,
    );
  }
  const text = new Uint8Array(MAX_FILE_BYTES);
  try {
    const status = fstatSync(file);
    const { mode, size } = status;
    if (platform() !== 'win32' && (mode & OTHERS_MAY) !== 0)
      throw new UsageError(`other users can read the keypair file ${path}; fix this with: chmod 600 ${path}`);
    const bytes =
      status.isDirectory() || size > MAX_FILE_BYTES
        ? null
        : parseNumbers(text.subarray(0, readSync(file, text)));
    if (bytes === null)
      throw new UsageError(
        `${path} is not a keypair file (a JSON array of 64 numbers, as written by solana-keygen)`,
      );
    return bytes;
  } finally {
    text.fill(0);
    closeSync(file);
  }
};

const withKeypair = <Result>(path: string, use: (bytes: Uint8Array, address: string) => Result): Result => {
  const bytes = readBytes(path);
  try {
    const publicKey = publicBytes(keyObject(bytes));
    if (!publicKey.equals(bytes.subarray(SEED_BYTES)))
      throw new UsageError(`the public and private halves of the key in ${path} do not match`);
    return use(bytes, encodeBase58(publicKey));
  } finally {
    bytes.fill(0);
  }
};

/**
 * Returns the address of the file's key. Throws `UsageError` if the file is invalid or readable by others, or
 * if its two halves do not match.
 */
export const keypairAddress = (path: string): string => withKeypair(path, (_, address) => address);

/** Signs `message` with the file's key. Throws `UsageError` if the key no longer belongs to `wallet`. */
export const signWithKeypair = (path: string, wallet: string, message: Uint8Array): Uint8Array =>
  withKeypair(path, (bytes, address) => {
    if (address !== wallet) throw new UsageError(`the key in ${path} no longer belongs to ${wallet}`);
    return sign(null, message, keyObject(bytes));
  });

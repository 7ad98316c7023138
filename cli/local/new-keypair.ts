// Creates a wallet's keypair file, readable only by its owner, without overwriting an existing file or
// leaving the key in memory.
import { generateKeyPairSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { UsageError } from '../usage-error.ts';

const OWNER_ONLY = 0o600;
const HALF_BYTES = 32;

/** Formats `[1,2,…]` as bytes, because strings cannot be wiped. */
const jsonBytes = (values: Uint8Array): Buffer => {
  const text = Buffer.alloc(values.length * 4 + 2);
  let length = text.write('[');
  for (const [at, value] of values.entries()) {
    if (at > 0) length += text.write(',', length);
    if (value >= 100) text[length++] = 0x30 + Math.floor(value / 100);
    if (value >= 10) text[length++] = 0x30 + (Math.floor(value / 10) % 10);
    text[length++] = 0x30 + (value % 10);
  }
  length += text.write(']', length);
  return text.subarray(0, length);
};

const create = (path: string): number => {
  try {
    return openSync(path, 'wx', OWNER_ONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'EEXIST'
        ? `${path} already exists and may contain a key; nothing was written`
        : `${path} cannot be written: ${code}`,
    );
  }
};

/**
 * Writes a new key to `path` in solana-keygen's format and returns its address. Throws `UsageError` if the
 * file exists or cannot be written.
 */
export const createKeypairFile = (path: string): string => {
  const file = create(path);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const publicHalf = publicKey.export({ format: 'der', type: 'spki' }).subarray(-HALF_BYTES);
  const key = Buffer.concat([pkcs8.subarray(-HALF_BYTES), publicHalf]);
  const text = jsonBytes(key);
  try {
    for (let at = 0; at < text.length; ) at += writeSync(file, text, at);
    fsyncSync(file);
    return encodeBase58(publicHalf);
  } catch (error) {
    // A partial file would block the next attempt.
    rmSync(path, { force: true });
    throw new UsageError(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  } finally {
    for (const held of [pkcs8, key, text]) held.fill(0);
    closeSync(file);
  }
};

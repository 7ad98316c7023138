// A client-side wallet, created with the snippet provided by the service. It signs without involving the service.

import { spawnSync } from 'node:child_process';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Output of the snippet. */
export interface Wallet {
  readonly walletAddress: string;
  /** Secret key: 64 bytes in base58. */
  readonly secretKey: string;
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Decodes base58 text. */
export const fromBase58 = (text: string): Buffer => {
  let number = 0n;
  for (const letter of text) number = number * 58n + BigInt(ALPHABET.indexOf(letter));
  const hex = number === 0n ? '' : number.toString(16);
  const zeros = /^1*/.exec(text)![0].length;
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]);
};

/** Runs a JavaScript snippet in its own Node process, as a user would. */
export const runSnippet = (snippet: string): Wallet => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
  try {
    const file = join(folder, 'wallet.mjs');
    writeFileSync(file, snippet);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    if (status !== 0) throw new Error(`the snippet failed: ${stderr}`);
    return JSON.parse(stdout) as Wallet;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

// PKCS#8 prefix of an Ed25519 key; the 32-byte seed follows (RFC 8410).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const keyOf = (wallet: Wallet): KeyObject => {
  const seed = fromBase58(wallet.secretKey).subarray(0, 32);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
};

const toBase58 = (bytes: Buffer): string => {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
};

/** Signs a text with the wallet's key and returns the base58 signature, like signMessage of a real wallet. */
export const signText = (text: string, wallet: Wallet): string =>
  toBase58(sign(null, Buffer.from(text), keyOf(wallet)));

/**
 * Inserts the wallet's signature into an unsigned transaction. The fee payer's signature comes first. In
 * version 1, the signatures are at the end, and the second byte states their number.
 */
export const signTransaction = (transaction: string, wallet: Wallet): string => {
  const wire = Buffer.from(transaction, 'base64');
  const isVersion1 = wire[0] === 0x81;
  const message = isVersion1 ? wire.subarray(0, -64 * wire[1]!) : wire.subarray(1 + 64 * wire[0]!);
  sign(null, message, keyOf(wallet)).copy(wire, isVersion1 ? message.length : 1);
  return wire.toString('base64');
};

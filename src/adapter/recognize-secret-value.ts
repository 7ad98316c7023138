// Recognizes secret keys and recovery phrases by their value, whatever the field's name.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { decodeBase58Bytes } from '../kernel/base58.ts';
import { JsonNumber } from '../kernel/json-number.ts';

const KEYPAIR_BYTES = 64;
const SEED_BYTES = 32;
const MAX_BASE58 = 88;
/** DER prefix of a PKCS #8 Ed25519 private key, up to its seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Returns true for a keypair: its second half is the public key of its first half. No other 64 bytes match,
 * signatures included.
 */
const isKeypair = (bytes: Uint8Array): boolean => {
  const der = Buffer.concat([PKCS8_PREFIX, bytes.subarray(0, SEED_BYTES)]);
  try {
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
    return publicKey.subarray(-SEED_BYTES).equals(bytes.subarray(SEED_BYTES));
  } finally {
    der.fill(0);
  }
};

const isKeypairOf = (values: readonly unknown[]): boolean => {
  if (values.length !== KEYPAIR_BYTES) return false;
  const numbers = values.map((value) => (value instanceof JsonNumber ? Number(value.literal) : value));
  const areBytes = numbers.every(
    (one) => typeof one === 'number' && Number.isInteger(one) && one >= 0 && one <= 255,
  );
  return areBytes && isKeypair(Uint8Array.from(numbers as number[]));
};

const BYTE_LIST = /^\[?\s*\d{1,3}(?:\s*,\s*\d{1,3}){63}\s*\]?$/;
/**
 * Recovery phrases have 12, 15, 18, 21 or 24 words of three to eight letters. Even a phrase with a typo
 * reveals its secret.
 */
const PHRASE = /^(?:[a-z]{3,8}\s+){11}(?:(?:[a-z]{3,8}\s+){3}){0,4}[a-z]{3,8}$/;

/** Returns true for the text of a secret key (base58 or a list of numbers) or of a recovery phrase. */
export const isSecretText = (untrimmed: string): boolean => {
  const text = untrimmed.trim();
  if (text.length < 47) return false;
  if (BYTE_LIST.test(text)) return isKeypairOf((text.match(/\d+/g) ?? []).map(Number));
  if (text.length <= MAX_BASE58) {
    const codes = Buffer.from(text);
    const bytes = new Uint8Array(KEYPAIR_BYTES);
    try {
      if (decodeBase58Bytes(codes, 0, codes.length, bytes) === KEYPAIR_BYTES && isKeypair(bytes)) return true;
    } finally {
      bytes.fill(0);
      codes.fill(0);
    }
  }
  return text.length <= 24 * 12 && PHRASE.test(text.toLowerCase());
};

/**
 * Returns true for a field name that is short and plain enough not to be a secret, so that it can be repeated
 * to the sender.
 */
export const plainName = (name: string): boolean => /^[a-z_-]{1,32}$/i.test(name);

/**
 * Finds a field in `value`, at any depth, that contains a secret. Returns its name, or null if there is none.
 * Never returns a name that could itself be a secret.
 */
export const secretMember = (value: unknown): string | null => {
  // Iterative instead of recursive: a body may be nested thousands of levels deep.
  const open: { readonly value: unknown; readonly name: string }[] = [{ value, name: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: one, name } = next;
    const shown = plainName(name) ? name : 'secretKey';
    if (typeof one === 'string') {
      if (isSecretText(one)) return shown;
    } else if (Array.isArray(one)) {
      const words = one.every((word) => typeof word === 'string') ? one.join(' ') : '';
      if (isKeypairOf(one) || isSecretText(words)) return shown;
      for (const element of one) open.push({ value: element, name });
    } else if (typeof one === 'object' && one !== null && !(one instanceof JsonNumber))
      for (const [member, inner] of Object.entries(one)) {
        if (isSecretText(member)) return 'secretKey';
        open.push({ value: inner, name: member });
      }
  }
  return null;
};

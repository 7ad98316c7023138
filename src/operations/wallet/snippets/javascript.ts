// The JavaScript snippet that makes a wallet on the caller's machine: Node's standard library only.

/** Runs as `node wallet.mjs` on Node 18 and later; prints {walletAddress, secretKey} as JSON. */
export const javascript = `// node wallet.mjs
import { generateKeyPairSync } from 'node:crypto';

const base58 = (bytes) => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let number = BigInt('0x' + Buffer.from(bytes).toString('hex'));
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = '1' + text;
  }
  return text;
};

const { privateKey } = generateKeyPairSync('ed25519');
const { d, x } = privateKey.export({ format: 'jwk' });
const publicKey = Buffer.from(x, 'base64url');
const secretKey = Buffer.concat([Buffer.from(d, 'base64url'), publicKey]);
console.log(JSON.stringify({ walletAddress: base58(publicKey), secretKey: base58(secretKey) }));
`;

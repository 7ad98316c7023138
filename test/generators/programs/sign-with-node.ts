// Signs a transaction with Node's built-in Ed25519, so these programs need no Solana library.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const toBase58 = (bytes: Uint8Array): string => {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text;
};

/**
 * Creates a wallet. `sign` adds the wallet's signature to a base64 transaction in which only that signature
 * is missing.
 */
export const createWallet = (): { address: string; sign: (transaction: string) => string } => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    address: toBase58(new Uint8Array(spki.subarray(-32))),
    sign: (transaction) => {
      const bytes = Buffer.from(transaction, 'base64');
      // The first byte is the number of signatures. The wallet's signature comes first, and every other signer
      // has already signed.
      const signatures = bytes[0]!;
      sign(null, bytes.subarray(1 + 64 * signatures), key).copy(bytes, 1);
      return bytes.toString('base64');
    },
  };
};

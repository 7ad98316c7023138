// The minimum work of an unsigned stake: creating a key, patching the template, one signature, and base64. Also defines
// the benchmark's stake.
import { generateKeyPairSync, sign } from 'node:crypto';
import type { Address } from '@solana/kit';
import { buildTransaction, encodeWire } from '../src/chain/transactions/transaction.ts';
import { encodeBase58, writeBase58Key } from '../src/kernel/base58.ts';

const addressOf = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [wallet, voteAccount] = [addressOf(11), addressOf(13)] as [Address, Address];
const [genesisHash, blockhash] = [addressOf(16), addressOf(17)] as [Address, Address];
const [memo, lamports] = ['holdfast.example', 2_500_000_000n];
/** Input of all contestants. */
export const benchStake = { wallet, voteAccount, genesisHash, blockhash, memo, lamports };

// Finds the offsets of the new account, the blockhash and the lamports in an initial build that is not measured.
const sample = buildTransaction.stake({
  wallet,
  stakeAccount: addressOf(99),
  voteAccount,
  lamports,
  memo,
  blockhash: addressOf(98),
});
const offsetOf = (bytes: Uint8Array): number => Buffer.from(sample.messageBytes).indexOf(bytes);
const accountOffset = offsetOf(new Uint8Array(32).fill(99));
const blockhashOffset = offsetOf(new Uint8Array(32).fill(98));
const lamportsOffset = offsetOf(new Uint8Array(new BigUint64Array([lamports]).buffer));
const template = Buffer.from(encodeWire(sample));
const MESSAGE_OFFSET = 1 + 2 * 64;
const blockhashBytes = new Uint8Array(32);
writeBase58Key(blockhash, blockhashBytes);

/**
 * Performs only the necessary steps: generates a key, copies and patches the template, signs, and encodes as
 * base64.
 */
export const stakeFloor = (): string => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const wire = Buffer.from(template);
  wire.set(publicKey.export({ format: 'raw-public' } as never) as never, MESSAGE_OFFSET + accountOffset);
  wire.set(blockhashBytes, MESSAGE_OFFSET + blockhashOffset);
  wire.writeBigUInt64LE(lamports, MESSAGE_OFFSET + lamportsOffset);
  wire.set(sign(null, wire.subarray(MESSAGE_OFFSET), privateKey), 1 + 64);
  return wire.toString('base64');
};

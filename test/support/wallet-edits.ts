// Imitates wallets that change what they are asked to sign: the transaction is rebuilt with legacy web3.js
// and signed by the wallet alone.

import { getBase58Encoder } from '@solana/kit';
import { ComputeBudgetProgram, Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { TestWallet } from './wallets.ts';

/** The message with every edit applied, before it is compiled again. */
export type Draft = TransactionMessage;

/** Returns the key pair of a test wallet for legacy web3.js. */
export const keypairOf = ({ secretKey }: TestWallet): Keypair =>
  Keypair.fromSecretKey(getBase58Encoder().encode(secretKey) as Uint8Array);

/** Returns the instructions that most wallets prepend: a limit on compute units, and their price. */
export const addPriorityFee = (draft: Draft, microLamports = 1_000): void => {
  draft.instructions.unshift(
    ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
  );
};

/**
 * Decodes the transaction, edits it, compiles it as version 0, and signs it with the wallet only. Returns
 * base64.
 */
export const signedByEditingWallet = (
  wallet: TestWallet,
  transaction: string,
  edit: (draft: Draft) => void,
): string => {
  const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  const draft = TransactionMessage.decompile(message);
  edit(draft);
  const edited = new VersionedTransaction(draft.compileToV0Message());
  edited.sign([keypairOf(wallet)]);
  return Buffer.from(edited.serialize()).toString('base64');
};

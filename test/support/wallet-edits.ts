// Imitates wallets that change the transaction they are asked to sign: rebuilds it with legacy web3.js and
// signs with the wallet alone.

import { getBase58Encoder } from '@solana/kit';
import { ComputeBudgetProgram, Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { TestWallet } from './wallets.ts';

/** The message with every edit applied, before it is compiled again. */
export type Draft = TransactionMessage;

export const keypairOf = ({ secretKey }: TestWallet): Keypair =>
  Keypair.fromSecretKey(getBase58Encoder().encode(secretKey) as Uint8Array);

/** Prepends the instructions that most wallets add: a compute unit limit and price. */
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

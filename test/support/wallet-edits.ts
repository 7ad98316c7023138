// Imitates wallets that change what they are asked to sign: rebuilt with legacy web3.js, signed by the wallet
// alone.

import { getBase58Encoder } from '@solana/kit';
import { ComputeBudgetProgram, Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { TestWallet } from './wallets.ts';

/** The message before it is compiled again, with every edit applied. */
export type Draft = TransactionMessage;

/** The key pair of a test wallet for legacy web3.js. */
export const keypairOf = ({ secretKey }: TestWallet): Keypair =>
  Keypair.fromSecretKey(getBase58Encoder().encode(secretKey) as Uint8Array);

/** The instructions that most wallets prepend: a limit of compute units and their price. */
export const addPriorityFee = (draft: Draft, microLamports = 1_000): void => {
  draft.instructions.unshift(
    ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
  );
};

/** Decodes, edits, compiles as version 0 and signs with the wallet only; returns base64. */
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

// Recognises transactions that involve this service's validator, memo or donation address.
import { decodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { type Recognised, recogniseTransaction } from '../../domain/transaction/stake-verifier.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import type { Context } from '../context.ts';

export type { Recognised };

/** Recognises a decoded transaction that a wallet signed or is about to sign here. */
export const recognise = (ctx: Context, wire: WireTransaction): Recognised => {
  const { voteAccount, donationAddress, memo } = ctx.service.settings;
  return recogniseTransaction(wire, {
    voteAccount,
    donationAddress,
    memo,
    allowWalletGuards: true,
    nonceAccount: 'any',
    feePayer: 'any',
  });
};

/** A decoded and recognised transaction. */
export interface RecognisedWire {
  readonly wire: WireTransaction;
  readonly seen: Recognised;
}

/** Decodes and recognises wire bytes. Throws `INVALID_TRANSACTION`. */
export const recogniseWire = (ctx: Context, wireBytes: Uint8Array): RecognisedWire => {
  const wire = decodeWire(wireBytes);
  return { wire, seen: recognise(ctx, wire) };
};

/**
 * Returns the kind in a transaction's record: its own if it is exactly one of ours, otherwise `other`. Changes
 * of nonce accounts are not recorded.
 */
export const recordedAs = ({ ok, kind }: Recognised): TransactionKind | 'other' =>
  ok && kind !== 'nonce' ? kind : 'other';

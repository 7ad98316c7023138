// Recognizes transactions that involve this service's validator, memo or donation address.
import { decodeWire, type WireTransaction } from '../../../chain/transactions/wire-transaction.ts';
import { type Recognized, recognizeTransaction } from '../../../domain/transaction/stake-verifier.ts';
import type { TransactionKind } from '../../../domain/transaction/transaction-kinds.ts';
import type { Context } from '../../context.ts';

export type { Recognized };

export const recognize = (ctx: Context, wire: WireTransaction): Recognized => {
  const { voteAccount, donationAddress, memo } = ctx.service.settings;
  return recognizeTransaction(wire, {
    voteAccount,
    donationAddress,
    memo,
    allowWalletGuards: true,
    nonceAccount: 'any',
    feePayer: 'any',
    stakeAuthority: 'any',
  });
};

export interface RecognizedWire {
  readonly wire: WireTransaction;
  readonly seen: Recognized;
}

/**
 * Decodes and recognizes wire bytes. Throws `AppError('INVALID_TRANSACTION')` if they are not a well-formed
 * transaction.
 */
export const recognizeWire = (ctx: Context, wireBytes: Uint8Array): RecognizedWire => {
  const wire = decodeWire(wireBytes);
  return { wire, seen: recognize(ctx, wire) };
};

/**
 * Returns the kind to record: the transaction's kind if it is exactly one of ours, otherwise `other`. Changes
 * of nonce accounts are not recorded.
 */
export const recordedKind = ({ ok, kind }: Recognized): TransactionKind | 'other' =>
  ok && kind !== 'nonce' ? kind : 'other';

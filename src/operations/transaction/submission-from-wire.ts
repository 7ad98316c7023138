// Converts a received transaction to a submission and to the parameters that identify a repeated request.
import { createHash } from 'node:crypto';
import { getBase58Encoder } from '@solana/kit';
import type { Submission } from '../../chain/ports.ts';
import { FOREIGN_LIFE_BLOCKS } from '../../chain/submission/blockhash-expiry.ts';
import { encodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import type { Recognised } from '../act/recognise-transaction.ts';
import type { Context } from '../context.ts';

/** The submission of a transaction with checked signatures, and the block height from which its expiry can be proven. */
export const submissionFromWire = async (
  ctx: Context,
  wire: WireTransaction,
  seen: Pick<Recognised, 'ok'>,
): Promise<Submission> => {
  const lastValidBlockHeight =
    ctx.chain.cluster.lastValidBlockHeightOf(wire.blockhash) ??
    (await ctx.chain.cluster.blockHeight(ctx.service.lifetime)) + FOREIGN_LIFE_BLOCKS;
  return {
    wireBytes: encodeWire(wire, wire.signatures),
    signature: wire.signature!,
    blockhash: wire.blockhash,
    lastValidBlockHeight,
    ...(seen.ok ? {} : { relayed: true }),
    ...(wire.durableNonce
      ? { nonce: { account: wire.durableNonce.nonceAccount, value: wire.blockhash } }
      : {}),
  };
};

/**
 * The part that must be equal under the same idempotency key: the message without its blockhash. If the key derives the new stake account
 * (`stakeSignedHere`), it is that account and its amount, whatever a wallet adds, because the chain creates it once. The record of such a
 * stake is never pruned (`IntentLog.pruneBefore` reads the member).
 */
export const parametersOf = (
  wire: WireTransaction,
  seen: Pick<Recognised, 'stakeAccount' | 'lamports'>,
  stakeSignedHere: boolean,
): string =>
  stakeSignedHere
    ? JSON.stringify({
        stakeAccountAddress: seen.stakeAccount ?? null,
        amountLamports: seen.lamports?.toString() ?? null,
        stakeSignedHere,
      })
    : JSON.stringify({ messageSha256: hashWithoutBlockhash(wire) });

/** SHA-256 of the message with its blockhash blanked out, lower-case hex. */
export const hashWithoutBlockhash = (wire: WireTransaction): string => {
  const message = Buffer.from(wire.messageBytes);
  const blockhash = Buffer.from(getBase58Encoder().encode(wire.blockhash));
  const at = message.indexOf(blockhash);
  if (at >= 0) message.fill(0, at, at + blockhash.length);
  return createHash('sha256').update(message).digest('hex');
};

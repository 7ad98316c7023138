// Converts a received transaction into a submission, and computes the parameters that identify a repeated
// request.
import { createHash } from 'node:crypto';
import { getBase58Encoder } from '@solana/kit';
import type { Submission } from '../../chain/ports.ts';
import { FOREIGN_LIFE_BLOCKS } from '../../chain/submission/prove-never-landed.ts';
import { encodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import type { Recognized } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';

/**
 * Creates the submission of a transaction whose signatures are already verified, with the block height from
 * which its expiry can be proven.
 */
export const submissionFromWire = async (
  ctx: Context,
  wire: WireTransaction,
  seen: Pick<Recognized, 'ok'>,
): Promise<Submission> => {
  const known = ctx.chain.cluster.lastValidBlockHeightOf(wire.blockhash);
  const lastValidBlockHeight =
    known ?? (await ctx.chain.cluster.blockHeight(ctx.service.lifetime)) + FOREIGN_LIFE_BLOCKS;
  return {
    wireBytes: encodeWire(wire, wire.signatures),
    signature: wire.signature!,
    blockhash: wire.blockhash,
    lastValidBlockHeight,
    ...(seen.ok ? {} : { relayed: true }),
    // With a recent blockhash, a leading nonce advance is an instruction like any other.
    ...(wire.durableNonce && known === undefined
      ? { nonce: { account: wire.durableNonce.nonceAccount, value: wire.blockhash } }
      : {}),
  };
};

/**
 * Returns the parameters that must be equal when an idempotency key is reused: the message without its
 * blockhash. If the key derives the new stake account (`stakeSignedHere`), only that account and its amount
 * must be equal, whatever a wallet adds, because the chain creates the account only once. The record of such a
 * stake is never pruned (`IntentLog.pruneBefore` reads `stakeSignedHere`).
 */
export const parametersOf = (
  wire: WireTransaction,
  seen: Pick<Recognized, 'stakeAccount' | 'lamports'>,
  stakeSignedHere: boolean,
): string =>
  stakeSignedHere
    ? JSON.stringify({
        stakeAccountAddress: seen.stakeAccount ?? null,
        amountLamports: seen.lamports?.toString() ?? null,
        stakeSignedHere,
      })
    : JSON.stringify({ messageSha256: hashWithoutBlockhash(wire) });

/** Computes the SHA-256 of the message with its blockhash zeroed, in lower-case hex. */
export const hashWithoutBlockhash = (wire: WireTransaction): string => {
  const message = Buffer.from(wire.messageBytes);
  const blockhash = Buffer.from(getBase58Encoder().encode(wire.blockhash));
  const at = message.indexOf(blockhash);
  if (at >= 0) message.fill(0, at, at + blockhash.length);
  return createHash('sha256').update(message).digest('hex');
};

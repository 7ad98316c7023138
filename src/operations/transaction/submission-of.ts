// Turns a received transaction into a submission, and into the parameters by which a repeated request is recognised.
import { createHash } from 'node:crypto';
import { getBase58Encoder } from '@solana/kit';
import type { Submission } from '../../chain/ports.ts';
import { FOREIGN_LIFE_BLOCKS } from '../../chain/submission/confirmation-expiry.ts';
import { encodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import type { Context } from '../context.ts';

/** The submission of a transaction whose signatures were checked, with the height after which it is worth proving that it expired. */
export const submissionOf = async (ctx: Context, wire: WireTransaction): Promise<Submission> => {
  const lastValidBlockHeight =
    ctx.cluster.lastValidBlockHeightOf(wire.blockhash) ??
    (await ctx.cluster.epochPosition(ctx.lifetime)).blockHeight + FOREIGN_LIFE_BLOCKS;
  return {
    wireBytes: encodeWire(wire, wire.signatures),
    signature: wire.signature!,
    lastValidBlockHeight,
    ...(wire.durableNonce
      ? { nonce: { account: wire.durableNonce.nonceAccount, value: wire.blockhash } }
      : {}),
  };
};

/**
 * What the same idempotency key must mean again: the message itself, but for its blockhash. `stakeSignedHere`: the new stake account's key
 * is one of ours, and the record of such a stake is never pruned (`IntentLog.forgetBefore` reads it).
 */
export const parametersOf = (
  wire: WireTransaction,
  { stakeSignedHere = false }: { stakeSignedHere?: boolean } = {},
): string =>
  JSON.stringify({
    messageSha256: hashWithoutBlockhash(wire),
    ...(stakeSignedHere ? { stakeSignedHere } : {}),
  });

/** SHA-256 of the message with its blockhash blanked out, lower-case hex. */
export const hashWithoutBlockhash = (wire: WireTransaction): string => {
  const message = Buffer.from(wire.messageBytes);
  const blockhash = Buffer.from(getBase58Encoder().encode(wire.blockhash));
  const at = message.indexOf(blockhash);
  if (at >= 0) message.fill(0, at, at + blockhash.length);
  return createHash('sha256').update(message).digest('hex');
};

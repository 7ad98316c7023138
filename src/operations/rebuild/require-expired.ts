// Refuses to rebuild a transaction that has landed or still can. Invariant: at most one transaction of a
// request can land.
import type { Address, Signature } from '@solana/kit';
import type { AddressSignature } from '../../chain/ports.ts';
import { isSignedBy, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { decodeNonceAccount } from '../../domain/nonce-account.ts';
import { machineOperationsOf } from '../../domain/transaction/machine-operations.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { type RecognizedWire, recognizeWire } from '../act/intents/recognize-transaction.ts';
import { readLanded } from '../act/intents/record-landed-transaction.ts';
import { effectsOf } from '../act/intents/replaced-transaction.ts';
import { submissionOfRecord } from '../act/intents/send-recorded-submission.ts';
import type { Context } from '../context.ts';

/** Maximum lifetime of a blockhash in blocks. Used for blockhashes that another process issued. */
const LIFE_BLOCKS = 150n;
/** Number of blocks until a block is final, rounded up. */
const FINALITY_BLOCKS = 32n;
/**
 * Number of transactions that a request reads at once in the history of an account. Outsiders can add any number,
 * so all after the first ones count against the budget that the requests share.
 */
const READS_AT_ONCE = 8;
/** Maximum number of transactions that are searched. */
const HISTORY_PAGE = 1_000;

/** Creates the error for a transaction that is already on the chain. */
export const alreadyLanded = (signature: string): AppError =>
  new AppError('TRANSACTION_ALREADY_SUBMITTED', 'This transaction landed: {signature}. Nothing was built.', {
    reason: 'LANDED',
    params: { signature },
    suggestedAction: guidance`${step('transactionState', { signature })} shows its outcome. Build a new transaction for another change.`,
    body: { signature },
  });

const mayHaveLanded = (address: Address): AppError =>
  new AppError(
    'TRANSACTION_ALREADY_SUBMITTED',
    'Too many transactions mention {address} to tell whether this one landed, so nothing was built.',
    {
      reason: 'MAY_HAVE_LANDED',
      params: { address },
      suggestedAction: guidance`Look at the wallet’s accounts and balance, and build a new transaction if the change is still missing. For a signed transaction, ${step('transactionState', {})} shows the outcome.`,
      body: { address },
    },
  );

/** Throws `AppError('STILL_ALIVE')` with the estimated time until the transaction's expiry is proven. */
const refuseStillLandable = async (
  { chain: { cluster } }: Context,
  lastValidBlockHeight: bigint | undefined,
  signal: AbortSignal,
): Promise<never> => {
  const height = await cluster.blockHeight(signal);
  const left = (lastValidBlockHeight ?? height + LIFE_BLOCKS) - height;
  const blocks = (left > 0n ? left : 0n) + FINALITY_BLOCKS;
  const expiresInSeconds = Math.ceil((Number(blocks) * cluster.blockDurationMs()) / 1_000);
  throw new AppError(
    'STILL_ALIVE',
    'This transaction can still land, so nothing was built. Its expiry is proven in at most about {expiresInSeconds} s.',
    {
      reason: 'BLOCKHASH',
      params: { expiresInSeconds },
      suggestedAction: 'Sign and submit this transaction now, or rebuild it in {expiresInSeconds} s.',
      body: {
        expiresInSeconds,
        lastValidBlockHeight: lastValidBlockHeight === undefined ? null : Number(lastValidBlockHeight),
      },
    },
  );
};

/**
 * True if the finalized nonce account no longer holds `value`, so no transaction with that value can land any
 * more.
 */
const isNonceUsed = async (
  { chain: { reads } }: Context,
  nonce: Address,
  value: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const { accounts } = await reads.accounts([nonce], { signal, commitment: 'finalized' });
  const [account] = accounts;
  return !account || decodeNonceAccount(account.data)?.value !== value;
};

const waitsForNonce = (nonce: Address): AppError =>
  new AppError(
    'STILL_ALIVE',
    'This transaction can land until the nonce account {nonceAccount} is used or advanced, so nothing was built.',
    {
      reason: 'NONCE',
      params: { nonceAccount: nonce },
      suggestedAction: guidance`Sign and submit this transaction, or cancel it with ${step('advanceNonceTransaction')} and rebuild it once that has landed.`,
      body: { nonceAccount: nonce, expiresInSeconds: null, lastValidBlockHeight: null },
    },
  );

/** Throws if another transaction with this idempotency key landed for the same request or is in flight. */
const refuseKnownUnderKey = async (
  ctx: Context,
  { wire, seen: { wallet } }: RecognizedWire,
  key: string,
  signal: AbortSignal,
): Promise<void> => {
  const known = await ctx.store.intents.find({ operation: 'submit', wallet, key });
  if (known === null) return;
  const { submission } = known;
  const { signature, state, lastValidBlockHeight } = submission;
  // A refused submission was not broadcast from here, but its signed bytes may have been sent elsewhere.
  const isOpen = state === 'signed' || state === 'refused';
  const outcome = isOpen
    ? await ctx.chain.submitter.settle(submissionOfRecord(known), signal)
    : { kind: state };
  if (outcome === null || outcome.kind === 'unresolved') {
    if (submission.nonce) throw waitsForNonce(submission.nonce.account as Address);
    return refuseStillLandable(ctx, lastValidBlockHeight, signal);
  }
  // In a plan with several transactions, the key identifies the first one, so compare the effects. A rebuilt
  // transaction may have other amounts.
  const { wire: sent } = recognizeWire(ctx, submission.wireBytes);
  const isSame = effectsOf(sent, false) === effectsOf(wire, false);
  if (outcome.kind === 'confirmed' && isSame) throw alreadyLanded(signature);
};

/**
 * Throws if the transaction is on chain because the wallet sent it without this service, or if that cannot be
 * decided. Its signature is unknown in that case, so the search covers the history of an account that it changes
 * and looks for the same blockhash. If it creates an account, which is possible only once, any blockhash matches.
 */
const refuseLanded = async (ctx: Context, wire: WireTransaction, signal: AbortSignal): Promise<void> => {
  const operations = machineOperationsOf(wire);
  const created = operations.find(({ type }) => type === 'create');
  const account = operations.flatMap((one) => ('account' in one ? [one.account] : []))[0];
  const searched: Address = created?.type === 'create' ? created.account : (account ?? wire.feePayer);
  const rows = await ctx.chain.reads.signaturesFor(searched, { signal, limit: HISTORY_PAGE });
  const effects = effectsOf(wire);
  const refuseIfSame = async ({ signature, slot }: AddressSignature): Promise<void> => {
    const read = await ctx.chain.reads.transaction(signature as Signature, { signal });
    const seen = read && read.error === null ? readLanded(ctx, { ...read, signature, slot })?.wire : null;
    const isSame = seen && effectsOf(seen) === effects && (created || seen.blockhash === wire.blockhash);
    if (isSame) throw alreadyLanded(signature);
  };
  // Every transaction built here has a memo.
  const worthReading = rows.filter(({ succeeded, memo }) => succeeded && memo !== null);
  for (let at = 0; at < worthReading.length; at += READS_AT_ONCE) {
    const some = worthReading.slice(at, at + READS_AT_ONCE);
    const hasBudget = () => ctx.chain.searchBudget.take();
    if (at > 0 && !some.every(hasBudget)) throw mayHaveLanded(searched);
    await Promise.all(some.map(refuseIfSame));
  }
  if (rows.length === HISTORY_PAGE) throw mayHaveLanded(searched);
};

/**
 * Resolves if the transaction failed on chain or can provably never land. Throws
 * `AppError('TRANSACTION_ALREADY_SUBMITTED')` if it landed or may have. Throws `AppError('STILL_ALIVE')` if it
 * can still land, signed or not, or if another transaction with the same idempotency key can. Also throws
 * `AppError('UPSTREAM_UNAVAILABLE')` or `AppError('STORE_UNAVAILABLE')` if the chain or the store cannot be
 * read.
 */
export const requireExpired = async (
  ctx: Context,
  old: RecognizedWire,
  idempotencyKey: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const { wire, seen } = old;
  const { blockhash, feePayer, messageBytes, signature } = wire;
  if (idempotencyKey !== undefined) await refuseKnownUnderKey(ctx, old, idempotencyKey, signal);
  if (signature !== null && isSignedBy(feePayer, messageBytes, wire.signatures.get(feePayer)!)) {
    const recorded = await ctx.store.intents.findSubmission(signature);
    if (recorded?.state === 'confirmed') throw alreadyLanded(signature);
    const { statuses } = await ctx.chain.reads.signatureStatuses([signature], {
      signal,
      searchHistory: true,
    });
    const [status] = statuses;
    // A transaction at `processed` may be on a fork that is later abandoned, and so may its failure.
    if (status && status.confirmationStatus !== 'processed') {
      if (status.error === null) throw alreadyLanded(signature);
      return;
    }
  }
  const { cluster } = ctx.chain;
  const nonce = wire.durableNonce?.nonceAccount;
  const isOver = await (nonce === undefined
    ? cluster.isBlockhashExpired(blockhash, signal)
    : isNonceUsed(ctx, nonce, blockhash, signal));
  // Runs after the check of the expiry, so if that is proven, nothing can land in between. For a stake, the stake
  // builder searches the address itself (`find-earlier-stake.ts`).
  if (seen.kind !== 'stake') await refuseLanded(ctx, wire, signal);
  if (!isOver && nonce !== undefined) throw waitsForNonce(nonce);
  if (!isOver) await refuseStillLandable(ctx, cluster.lastValidBlockHeightOf(blockhash), signal);
};

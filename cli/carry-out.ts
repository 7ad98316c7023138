// Stakes, unstakes and withdraws with a key that stays here: built by the service, verified and signed on this machine, submitted.

import type {
  CreateStakeTransactionAnswer,
  SubmitTransactionAnswer,
} from '../client/generated/transactions-operations.ts';
import type { HoldfastClient } from '../client/holdfast-client.ts';
import { HoldfastError, isHoldfastError } from '../client/holdfast-error.ts';
import type { Verdict } from '../client/verifier.ts';
import { fromBase64, toBase64 } from '../src/chain/transactions/wire-base64.ts';
import { decodeWire, encodeWire } from '../src/chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../src/kernel/base58.ts';
import { Declined } from './not-signed.ts';
import { verifyBuilt } from './verify-built.ts';
import type { Wish } from './wish.ts';

/** A transaction that was built and found to do exactly what was asked. */
export interface Prepared {
  readonly wish: Wish;
  readonly built: CreateStakeTransactionAnswer;
  readonly verdict: Verdict;
  readonly voteAccount: string;
}

/** How far it is. */
export type Progress =
  | { readonly step: 'built'; readonly prepared: Prepared }
  /** Its blockhash died before it landed; it is built again for the same intent. */
  | { readonly step: 'expired' }
  | { readonly step: 'signed'; readonly signature: string }
  | { readonly step: 'confirmed'; readonly answer: SubmitTransactionAnswer };

/** What carrying out needs. */
export interface CarryOutOptions {
  /** The one validator that may be delegated to. Absent: the one that the service names. */
  readonly voteAccount?: string | undefined;
  readonly idempotencyKey: string;
  /** The stake account that was signed for under this key before: no other is signed for. */
  readonly stakeAccount?: string | undefined;
  /** The wallet's signature of these bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  /** May it be signed? Asked anew for every transaction that is built. */
  readonly approve: (prepared: Prepared) => Promise<boolean>;
  readonly onProgress: (progress: Progress) => void;
  /** Milliseconds, steadily rising. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** A blockhash lives about a minute: who has seen this many die should look at the network first. */
const MOST_BUILDS = 5;

const build = (client: HoldfastClient, wish: Wish, options: CarryOutOptions) => {
  const { kind: _, ...input } = wish;
  const call = { idempotencyKey: options.idempotencyKey, signal: options.signal };
  if (wish.kind === 'stake') return client.createStakeTransaction(input as never, call);
  if (wish.kind === 'unstake') return client.createUnstakeTransaction(input as never, call);
  return client.createWithdrawTransaction(input as never, call);
};

/** How long the transaction can still land, by the service's own clock: this machine's may differ. */
const lifeMs = ({ estimatedExpiresAt, _meta }: CreateStakeTransactionAnswer): number =>
  Date.parse(estimatedExpiresAt) - Date.parse(_meta.timestamp);

const signTransaction = (
  transaction: string,
  sign: CarryOutOptions['sign'],
): { signedTransaction: string; signature: string } => {
  const wire = decodeWire(fromBase64(transaction));
  const signature = sign(wire.messageBytes);
  return {
    signedTransaction: toBase64(encodeWire(wire, new Map([...wire.signatures, [wire.feePayer, signature]]))),
    signature: encodeBase58(signature),
  };
};

/** The service looked at its record of this key before it refused with one of these: nothing of it is under way. */
const ENDS: ReadonlySet<string> = new Set([
  'SUBMISSION_FAILED',
  'EPOCH_REWARDS_ACTIVE',
  'STAKE_BALANCE_CHANGED',
]);

/**
 * True where nobody here knows yet how it ended. The failure is that of the last attempt: a service that was restarted, limits or lost
 * its store since may have carried out an earlier one, whose answer was lost.
 */
const isOpenEnd = ({ errorCode, retryable, status = 0 }: HoldfastError): boolean =>
  !ENDS.has(errorCode) &&
  (retryable || status >= 500 || errorCode === 'ABORTED' || errorCode === 'BAD_ANSWER');

/** The failure with what is needed to find out how it ended; itself where it did end. */
const withSignature = (error: HoldfastError, signature: string, idempotencyKey: string): HoldfastError => {
  const { errorCode, message, operation, status, retryAfterSeconds, requestId } = error;
  if (!isOpenEnd(error)) return error;
  const suggestedAction = `It was signed and may still land. Look with: holdfast verify ${signature}; or repeat it under its idempotency key ${idempotencyKey}, which does nothing twice.`;
  const body = {
    error: 'Not known yet',
    ...error.body,
    errorCode,
    message,
    suggestedAction,
    signature,
    idempotencyKey,
  };
  return new HoldfastError({
    errorCode,
    message,
    operation,
    status,
    retryAfterSeconds,
    requestId,
    suggestedAction,
    idempotencyKey,
    body,
    cause: error,
  });
};

/**
 * Carries `wish` out once, however often its transaction has to be built. Throws `HoldfastError` for what the service or the chain
 * refuses, `NotAsAsked` for bytes that do anything else, `Declined` where `approve` says no.
 */
export const carryOut = async (
  client: HoldfastClient,
  wish: Wish,
  options: CarryOutOptions,
): Promise<{ prepared: Prepared; answer: SubmitTransactionAnswer }> => {
  const { walletAddress } = wish;
  const { idempotencyKey, signal, now, onProgress } = options;
  const voteAccount =
    options.voteAccount ??
    (await client.listStakeAccounts({ walletAddress }, { signal })).validatorVoteAccount;
  // Rebuilt for the same intent it must be the same stake account: two transactions of one address exclude each other.
  let stakeAccount = options.stakeAccount;
  for (let builds = 1; ; builds += 1) {
    const built = await build(client, wish, options);
    const receivedMs = now();
    const verdict = verifyBuilt(built.transaction, wish, { voteAccount, stakeAccount });
    stakeAccount = verdict.recognised.stakeAccount;
    const prepared: Prepared = { wish, built, verdict, voteAccount };
    onProgress({ step: 'built', prepared });
    if (!(await options.approve(prepared))) throw new Declined('Not signed; nothing was sent.');
    if (now() - receivedMs >= lifeMs(built) && builds < MOST_BUILDS) {
      onProgress({ step: 'expired' });
      continue;
    }
    const { signedTransaction, signature } = signTransaction(built.transaction, options.sign);
    onProgress({ step: 'signed', signature });
    try {
      const answer = await client.submitTransaction({ signedTransaction }, { idempotencyKey, signal });
      onProgress({ step: 'confirmed', answer });
      return { prepared, answer };
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      if (error.errorCode !== 'BLOCKHASH_EXPIRED' || builds >= MOST_BUILDS)
        throw withSignature(error, signature, idempotencyKey);
      onProgress({ step: 'expired' });
    }
  }
};

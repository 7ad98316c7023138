// Runs the client's staking flow with a key on this machine, for the command line and the stdio MCP server.

import { machineClock } from '../../client/client-clock.ts';
import { HoldfastError, isHoldfastError } from '../../client/holdfast-error.ts';
import { lamportsToSol } from '../../client/sol-amount.ts';
import { fromBase64 } from '../../client/staking/base64.ts';
import { newRecord, type TransactionRecord } from '../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import { type CarriedOut, carryOut, type StakingPorts } from '../../client/staking/run-staking-flow.ts';
import { NotAsAsked } from '../../client/staking/staking-errors.ts';
import type { RequestKind, StakingRequest, StakingService } from '../../client/staking/staking-request.ts';
import { verifyEffects, verifyRequest } from '../../client/staking/verify-against-request.ts';
import { signatureOf, takeApart, withSignature } from '../../client/staking/wire-signatures.ts';
import { goalRecord } from '../../src/domain/plan/plan-goals.ts';
import { kinds } from '../../src/domain/transaction/transaction-kinds.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import type { PolicyGuard, PolicyRequest, PolicySubject } from '../policy/policy-guard.ts';
import { PolicyRefused } from '../policy/policy-refused.ts';
import { messageHash, messageHashes } from '../policy/signed-act.ts';
import { OverBudget, type SignatureLedger } from './signature-ledger.ts';
import { type OnChain, submitUntilExpiry } from './submit-until-expiry.ts';

/** The policy that limits the key, and the function that asks a person for approval. */
export interface SigningPolicy {
  readonly guard: PolicyGuard;
  readonly subject: PolicySubject;
  /**
   * Asks a person to approve a request above the policy's threshold. Undefined if there is no person to ask.
   */
  readonly ask: ((prepared: Prepared, question: string) => Promise<boolean>) | undefined;
  /** Receives the question of a request that is not signed, for example in a dry run. */
  readonly wouldAsk?: ((question: string) => void) | undefined;
}

export interface SigningOptions
  extends Pick<
    StakingPorts,
    | 'binding'
    | 'approve'
    | 'approveDespiteOpenSignature'
    | 'nodeFacts'
    | 'provesExpired'
    | 'now'
    | 'signal'
    | 'onState'
    | 'acceptEarlier'
  > {
  readonly idempotencyKey: string;
  readonly ledger: SignatureLedger;
  /** Genesis hash of the service's chain. Default: unknown. */
  readonly cluster?: string | null | undefined;
  /** Maximum lamports that the wallet's signatures may stake in 24 hours. Default: no limit. */
  readonly mostStakeLamports?: bigint | undefined;
  /** Limits on what the key may sign. Default: none. */
  readonly policy?: SigningPolicy | undefined;
  /** Reads a transaction's outcome from the user's node; null if it is not confirmed. Default: no node is available. */
  readonly outcomeOf?: ((signature: string) => Promise<OnChain | null>) | undefined;
  /** Reads the epoch from the user's node; null if it does not respond. Default: no node is available. */
  readonly epoch?: (() => Promise<number | null>) | undefined;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** Returns the parts of a request that a repetition with the same idempotency key must not change, as JSON. */
const parametersOf = ({
  kind,
  amountLamports,
  change,
  stakeAccountAddress,
  owner,
}: TransactionRecord): string => JSON.stringify([kind, amountLamports, change, stakeAccountAddress, owner]);

/** Lamports that each kind of request takes out of the wallet in addition to the fee. They count toward the budget. */
const spent: {
  readonly [Kind in RequestKind]: (request: Extract<StakingRequest, { kind: Kind }>) => bigint;
} = {
  stake: ({ amountLamports }) => amountLamports,
  unstake: () => 0n,
  withdraw: () => 0n,
  restake: () => 0n,
  rearrange: ({ goal, amountLamports = 0n }) =>
    goalRecord(goal).allowed.includes('stake.initialize') ? amountLamports : 0n,
};

/** Returns the lamports that the request takes out of the wallet in addition to the fee. */
export const spentLamportsOf = (request: StakingRequest): bigint =>
  (spent[request.kind] as (request: StakingRequest) => bigint)(request);

/** Throws `OverBudget` before anything is built if the request alone shows that its signature would be refused. */
const requireBudget = (
  request: StakingRequest,
  { mostStakeLamports, ledger, idempotencyKey }: SigningOptions,
): void => {
  const lamports = spentLamportsOf(request);
  if (mostStakeLamports === undefined || lamports === 0n) return;
  const { walletAddress } = request;
  if (lamports > mostStakeLamports - ledger.stakedLamports(walletAddress, idempotencyKey))
    throw new OverBudget(mostStakeLamports, ledger.stakedLamports(walletAddress));
};

/** True if the stakes are equal in everything but the priority fee. */
const isSameStake = (one: TransactionRecord, other: TransactionRecord): boolean =>
  one.kind === other.kind &&
  one.amountLamports === other.amountLamports &&
  one.stakeAuthority === other.stakeAuthority;

/** Creates the refusal of an idempotency key that belongs to another request. */
const keyReused = (
  idempotencyKey: string,
  message: string,
  suggestedAction: string,
  signature?: string,
): HoldfastError => {
  const errorCode = 'IDEMPOTENCY_KEY_REUSED';
  const facts = { errorCode, message, suggestedAction, idempotencyKey };
  return new HoldfastError({
    ...facts,
    operation: 'submitTransaction',
    ...(signature !== undefined && { body: { error: 'Idempotency key reused', ...facts, signature } }),
  });
};

/** Describes a request, for example `stake of 3 SOL`. */
const requestText = ({ kind, change, amountLamports, stakeAccountAddress }: TransactionRecord): string =>
  [
    change === undefined ? kinds[kind].noun.toLowerCase() : `stake change (${change.goal})`,
    ...(amountLamports === undefined ? [] : [`of ${lamportsToSol(BigInt(amountLamports))} SOL`]),
    ...(kind === 'stake' || stakeAccountAddress === undefined ? [] : [`in ${stakeAccountAddress}`]),
  ].join(' ');

/** Refuses an idempotency key with which a different request was signed. Says what became of that request. */
const refuseOtherRequest = async (
  earlier: TransactionRecord,
  record: TransactionRecord,
  service: StakingService,
  { idempotencyKey, signal }: SigningOptions,
): Promise<never> => {
  const signature = earlier.signature!;
  const state = await service.stateOf(signature, signal).then(
    (known) => known.state,
    (error: unknown) => {
      if (isHoldfastError(error) && !signal.aborted) return 'unknown';
      throw error;
    },
  );
  const isDone = state === 'confirmed' || state === 'finalized';
  const [before, now] = [requestText(earlier), requestText(record)];
  throw keyReused(
    idempotencyKey,
    `The idempotency key ${idempotencyKey} was used for another request: ${before} (transaction ${signature}, ${isDone ? 'confirmed' : `state: ${state}`}). Nothing was signed for the ${now} requested now.`,
    isDone
      ? `Use a new idempotency key only if you want the ${now} in addition to the ${before}.`
      : 'Repeat the first request with this key until its outcome is known. With a new key, both requests may take effect.',
    signature,
  );
};

/**
 * Returns the record to start with. If a transaction was already signed with the idempotency key (`earlier`), this
 * is its record, so its outcome is checked first. A stake is built again instead, because only one can land at its
 * address. If a person was given a link to sign the request, their transaction is followed in the same way.
 * Throws `HoldfastError` if the signed transaction was for a different request.
 */
const recordOf = async (
  record: TransactionRecord,
  request: StakingRequest,
  service: StakingService,
  options: SigningOptions,
  { earlier, isLinked }: { readonly earlier: TransactionRecord | undefined; readonly isLinked: boolean },
): Promise<TransactionRecord> => {
  const { idempotencyKey, ledger, signal } = options;
  const { walletAddress } = request;
  // A later transaction of a plan requests only the remaining amount.
  if (
    earlier !== undefined &&
    (request.kind === 'stake'
      ? !isSameStake(earlier, record)
      : parametersOf(earlier) !== parametersOf(record) && (earlier.part?.index ?? 1) === 1)
  )
    return refuseOtherRequest(earlier, record, service, options);
  if (request.kind === 'stake') {
    const stakeAccountAddress = ledger.accountOf(walletAddress, idempotencyKey);
    return { ...record, ...(stakeAccountAddress === undefined ? {} : { stakeAccountAddress }) };
  }
  if (earlier === undefined) {
    const signature = isLinked && (await service.signatureOf?.(walletAddress, idempotencyKey, signal));
    return signature ? { ...record, signature } : record;
  }
  return earlier;
};

/** Throws `HoldfastError` if the idempotency key was used on another chain, where its stake account is. */
const requireSameChain = (
  walletAddress: string,
  { idempotencyKey, ledger, cluster }: SigningOptions,
): void => {
  const earlier = ledger.clusterOf(walletAddress, idempotencyKey);
  if (!cluster || earlier === undefined || earlier === cluster) return;
  throw keyReused(
    idempotencyKey,
    `The idempotency key ${idempotencyKey} was used on another chain (genesis hash ${earlier}); the service is now on ${cluster}. Nothing was signed.`,
    'Use a new idempotency key.',
  );
};

/**
 * Checks each transaction against the policy before it is approved, and asks a person if the policy requires
 * it. Calls `admit` first.
 */
const underPolicy = (
  approve: StakingPorts['approve'],
  { guard, ask, wouldAsk }: SigningPolicy,
  idempotencyKey: string,
  epoch: () => Promise<number | null>,
  admit: () => Promise<void>,
): StakingPorts['approve'] => {
  return async (prepared, reason) => {
    await admit();
    const [transactionSha256] = messageHashes(prepared) as [string];
    const request: PolicyRequest = { idempotencyKey, prepared, transactionSha256 };
    const question = guard.check(request, await epoch());
    const decision = await approve(prepared, reason);
    if (question === null) return decision;
    if (decision !== 'sign') {
      wouldAsk?.(question);
      return decision;
    }
    const answer = ask === undefined ? 'nobody' : (await ask(prepared, question)) ? 'approved' : 'declined';
    guard.answered(request, answer);
    return decision;
  };
};

/**
 * Carries out `request` once, with as many transactions as it needs. Records every signature before it is made,
 * in the ledger and, if there is a policy, in the policy's audit. Limits apply only to what is signed, not to
 * the outcome of what was signed before. Submits to the service only once: if the
 * response is lost, the error contains the signature and the idempotency key for a safe repetition. Rejects
 * like `carryOut`, with `OverBudget`, with `PolicyRefused`, or with `UsageError` if a record cannot be written.
 * `isRepeated` is set for a second try after a stake that was signed before failed the check.
 */
export const signAndSubmit = async (
  service: StakingService,
  request: StakingRequest,
  options: SigningOptions,
  isRepeated = false,
): Promise<CarriedOut> => {
  const { idempotencyKey, ledger, mostStakeLamports, sign, provesExpired, policy, ...ports } = options;
  const { approve, approveDespiteOpenSignature } = ports;
  const epoch = async (): Promise<number | null> => (await options.epoch?.()) ?? null;
  const { walletAddress } = request;
  const earlier = ledger.lastSigned(walletAddress, idempotencyKey);
  requireSameChain(walletAddress, options);
  let isAdmitted = false;
  /** Checks the request against the limits. Needed once per run, and only if something will be signed. */
  const admit = async (): Promise<void> => {
    if (isAdmitted) return;
    requireBudget(request, options);
    policy?.guard.admit(request, idempotencyKey, policy.subject, await epoch());
    isAdmitted = true;
  };
  const approving = (decide: StakingPorts['approve']): StakingPorts['approve'] =>
    policy === undefined ? decide : underPolicy(decide, policy, idempotencyKey, epoch, admit);
  /** Ledger number of the last signature of this run. */
  let id = 0n;
  /** True if another run has signed with the key since this one began, which has signed nothing. */
  const isOvertaken = (): boolean => {
    const { signature } = ledger.lastSigned(walletAddress, idempotencyKey) ?? {};
    return id === 0n && signature !== undefined && signature !== earlier?.signature;
  };
  /** The only function that signs on this machine. It writes the ledger and the audit before it signs. */
  const signOnce = async (message: Uint8Array, record: TransactionRecord, prepared: Prepared) => {
    if (isOvertaken()) throw new Error('Another run signed with this idempotency key.');
    await admit();
    const planned = { record, requestKey: idempotencyKey, message, prepared };
    const transactionSha256 = messageHash(message);
    const permit = policy?.guard.reserve({ idempotencyKey, prepared, transactionSha256 }, await epoch());
    let isReserved = false;
    try {
      id = ledger.reserve(planned, mostStakeLamports);
      isReserved = true;
      return { signature: sign(message), permit, transactionSha256 };
    } catch (error) {
      if (isReserved) ledger.release(id);
      if (permit !== undefined) policy?.guard.notSigned(permit);
      throw error;
    }
  };
  const record = newRecord(request, {
    cluster: options.cluster ?? '',
    voteAccount: options.binding.voteAccount,
    idempotencyKey,
    begunAtMs: options.now(),
  });
  const isLinked = ledger.isLinked(walletAddress, idempotencyKey, parametersOf(record));
  const first = await recordOf(record, request, service, options, { earlier, isLinked });
  // A request that was signed before may only return its outcome, which needs no permission.
  const isKnown = earlier !== undefined || isLinked;
  if (!isKnown) await admit();
  /** Time at which the transaction expires that is being followed. */
  let expiresAtMs = 0;
  return carryOut(first, {
    ...ports,
    onState: (state) => {
      expiresAtMs = state.record.expiresAtMs ?? 0;
      ports.onState?.(state);
    },
    // The service's claim that the stake already exists is accepted only if this machine signed an equal stake, or
    // a person was given a link to sign it.
    acceptEarlier: ports.acceptEarlier === true && isKnown,
    approve: approving(approve),
    ...(approveDespiteOpenSignature && {
      approveDespiteOpenSignature: (prepared, error) =>
        approving((given) => approveDespiteOpenSignature(given, error))(prepared, {
          why: 'first',
          attended: true,
        }),
    }),
    service: {
      ...service,
      submit: (bytes, key, signal, acknowledged) => {
        const signature = signatureOf(fromBase64(bytes));
        // Without a service, the node acknowledges it and is asked for the outcome anyway.
        return service.signatureOf === undefined || signature === null
          ? service.submit(bytes, key, signal, acknowledged)
          : submitUntilExpiry(
              {
                service,
                clock: { now: options.now, sleep: machineClock.sleep },
                outcomeOf: options.outcomeOf,
              },
              { bytes, signature, idempotencyKey: key, expiresAtMs },
              signal,
              acknowledged,
            );
      },
    },
    verify: verifyRequest,
    verifyEffects,
    store: {
      save: (record) => {
        if (record.signature !== undefined) ledger.signed(id, record);
      },
      // The ledger was already written before the transaction was sent.
      saveIfPossible: () => undefined,
      remove: () => undefined,
    },
    provesExpired: async (signed) => {
      const isDead = (await provesExpired?.(signed)) ?? false;
      if (isDead) {
        ledger.proveDead(signed.signature);
        policy?.guard.proveDead(signed.signature);
      }
      return isDead;
    },
    sleep: (ms) => machineClock.sleep(ms, ports.signal),
    sign: async (transaction, record, prepared) => {
      const { signature, permit, transactionSha256 } = await signOnce(
        takeApart(transaction).message,
        record,
        prepared,
      );
      if (permit !== undefined) policy!.guard.signed(permit, transactionSha256, encodeBase58(signature));
      return { how: 'signed', bytes: withSignature(transaction, request.walletAddress, signature) };
    },
    mostAttempts: 1,
  }).catch((error: unknown) => {
    // Whatever went wrong here, the first run's outcome is the answer.
    if (!options.signal.aborted && isOvertaken()) return signAndSubmit(service, request, options);
    // A stake that was signed before may have landed after the service built it again. It then fails the check.
    if (id === 0n && earlier !== undefined && error instanceof NotAsAsked && !isRepeated)
      return signAndSubmit(service, request, options, true);
    if (error instanceof PolicyRefused && error.refusal.signUrl !== undefined)
      ledger.linked(walletAddress, idempotencyKey, parametersOf(record));
    throw error;
  });
};

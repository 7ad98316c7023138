// Carries a staking request to its end: built by the service, verified here, approved, signed, submitted, followed, and built again when it expired and cannot land twice.
import type { EffectsCheck, NodeFacts } from '../../src/domain/transaction/check-effects.ts';
import { createsAccount } from '../../src/domain/transaction/transaction-kinds.ts';
import { withProblems } from '../../src/operations/verify/field-verdicts.ts';
import { HoldfastError, isHoldfastError } from '../holdfast-error.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { followTransaction, type TransactionEnd } from './follow-transaction.ts';
import { type RecordStore, requestOf, type TransactionRecord } from './pending-transaction.ts';
import { isHarmlessBeside, type OpenSignature, stillPossible } from './sign-again.ts';
import { Declined, NotAsAsked, SignatureMissing } from './staking-errors.ts';
import type { BuiltTransaction, StakingService, SubmitAnswer } from './staking-request.ts';
import type {
  ServiceBinding,
  TransactionVerdict,
  VerifyRequest,
  verifyEffects,
} from './verify-against-request.ts';
import { signatureOf } from './wire-signatures.ts';

/** A later transaction of a plan, and the part of the request that it was verified against. */
export interface FollowingTransaction extends Pick<Prepared, 'record' | 'built' | 'verdict'> {}

/** A transaction that was built and verified, ready to be approved. */
export interface Prepared {
  readonly record: TransactionRecord;
  readonly built: BuiltTransaction;
  readonly verdict: TransactionVerdict;
  /** Of a plan: its further transactions, verified like the first; `carryOut` signs them under the same approval. */
  readonly following: readonly FollowingTransaction[];
  /** All of them together, held to the request: with unknowns only a person may approve. */
  readonly effects: EffectsCheck;
  /** The one validator that may be delegated to. */
  readonly voteAccount: string;
  /** When it can no longer land, by this machine's clock: its life is the service's word, its beginning our own. */
  readonly expiresAtMs: number;
}

/** What a wallet gave back: signed bytes, or the signature where it sends by itself. */
export type Signed =
  | { readonly how: 'signed'; readonly bytes: Uint8Array }
  | { readonly how: 'sent'; readonly signature: string };

/** Why approval is asked for. */
export interface ApprovalReason {
  /**
   * `first`: nothing was approved yet. `renewed`: the caller wanted a fresh one. `stale`: approved, but too old to be signed by then.
   * `refused`: the signer did not sign, or signed something else. `expired`: signed, and it can never land any more. `changed`: what is built
   * now does something else than what was approved, because the accounts changed.
   */
  readonly why: 'first' | 'renewed' | 'stale' | 'refused' | 'expired' | 'changed';
  readonly error?: unknown;
  /** False where what expired was signed before this run, for instance before a reload: nobody waits for a question. */
  readonly attended: boolean;
}

/** How far it is. */
export type StakingStep =
  | { readonly step: 'building'; readonly record: TransactionRecord }
  | { readonly step: 'built'; readonly prepared: Prepared }
  /** The bytes do not do what was asked; `NotAsAsked` follows. */
  | { readonly step: 'mismatch'; readonly prepared: Prepared }
  | { readonly step: 'signing'; readonly prepared: Prepared }
  | {
      readonly step: 'signed';
      readonly record: TransactionRecord;
      readonly signature: string;
      /** What the wallet added of its own: a fee, guards. */
      readonly extraInstructions: TransactionVerdict['recognised']['extraInstructions'];
    }
  /** The service has the transaction: it goes on without this program. */
  | { readonly step: 'acknowledged'; readonly record: TransactionRecord }
  /** It can no longer land, or was too old to be signed; it is built again for the same request. */
  | { readonly step: 'expired'; readonly error: unknown }
  /** The accounts changed since it was planned; what is left is planned anew and asked for again. */
  | { readonly step: 'replanned'; readonly error: unknown }
  | { readonly step: 'confirmed'; readonly record: TransactionRecord; readonly answer: SubmitAnswer };

/** What the flow needs of whoever runs it. */
export interface StakingPorts {
  readonly service: StakingService;
  /** `verifyRequest`, or what loads it. */
  readonly verify: (...args: Parameters<VerifyRequest>) => TransactionVerdict | Promise<TransactionVerdict>;
  /** `verifyEffects`, or what loads it. */
  readonly verifyEffects: (...args: Parameters<typeof verifyEffects>) => EffectsCheck | Promise<EffectsCheck>;
  /** Reads the accounts that these transactions touch from a node that the user chose. Default: no such node. */
  readonly nodeFacts?:
    | ((record: TransactionRecord, verdicts: readonly TransactionVerdict[]) => Promise<NodeFacts | null>)
    | undefined;
  readonly binding: ServiceBinding;
  /** May it be signed? Asked anew for every transaction that is built. `rebuild` asks for a fresh one first. */
  readonly approve: (prepared: Prepared, reason: ApprovalReason) => Promise<'sign' | 'rebuild' | 'decline'>;
  /**
   * True where a node that the user trusts proves that a signed transaction can never land. The height is the service's word; the bytes name
   * the blockhash. Default: nothing is proven. What the service or this machine's clock says is no proof.
   */
  readonly provesDead?:
    | ((signed: {
        readonly signature: string;
        readonly lastValidBlockHeight: bigint;
        readonly signedTransaction?: string | undefined;
      }) => Promise<boolean>)
    | undefined;
  /**
   * Asks a person whether to sign although an earlier signature for the request may still land too; `error` says so. Default: nobody can be
   * asked, and the run ends with `error`, whose code is `STILL_POSSIBLE`.
   */
  readonly approveAgain?:
    | ((prepared: Prepared, error: HoldfastError) => Promise<'sign' | 'rebuild' | 'decline'>)
    | undefined;
  /** Earlier signatures for the request, which `carryOut` passes from plan to plan. Default: none. */
  readonly open?: OpenSignature[] | undefined;
  /** The wallet's signature in the given transaction. */
  readonly sign: (
    transaction: Uint8Array,
    record: TransactionRecord,
    prepared: Prepared,
  ) => Signed | Promise<Signed>;
  readonly store: RecordStore;
  /** Milliseconds, steadily rising. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onStep?: ((step: StakingStep) => void) | undefined;
  /** Can the signer be asked again after this? Default: never; the failure ends the run. */
  readonly canAskAgain?: ((error: unknown) => boolean) | undefined;
  /** The part of its life that a transaction must have left when the signer gets it. Default 0: any. Slow signers want nearly all. */
  readonly leastLifeShare?: number | undefined;
  /** How often it is built at the most; 0: what is on record is followed only. Default 5. */
  readonly mostBuilds?: number | undefined;
  /** How often the service is asked for the end at the most. Default: until it is known. */
  readonly mostAttempts?: number | undefined;
  /** A stake whose address is taken landed under this key earlier: that is its end. Default: the refusal is. */
  readonly acceptEarlier?: boolean | undefined;
}

/** A request that was carried out. */
export interface Completed {
  readonly record: TransactionRecord;
  readonly answer: SubmitAnswer;
  /** Undefined where nothing was built in this run. */
  readonly prepared: Prepared | undefined;
}

/** A blockhash lives about a minute: whoever has seen this many expire should look at the network first. */
const MOST_BUILDS = 5;

const DO_NOT_SIGN =
  'The service built something other than requested. Nothing was signed. Do not sign it elsewhere.';
const WALLET_CHANGED_IT =
  'The wallet returned something other than was approved. Nothing was sent. Turn off transaction-changing features in the wallet, or use another one.';

const lifeMs = ({ estimatedExpiresAt, _meta }: BuiltTransaction): number =>
  Date.parse(estimatedExpiresAt) - Date.parse(_meta.timestamp);

/** The failure with what is needed to find out how it ended. */
const withSignature = (error: unknown, signature: string, idempotencyKey: string): unknown => {
  if (!isHoldfastError(error)) return error;
  const { errorCode, message, operation, status, retryAfterSeconds, requestId } = error;
  const suggestedAction = `It was signed and may still land. Check with: holdfast verify ${signature}, or repeat it with its idempotency key ${idempotencyKey}, which is safe.`;
  const body = { error: 'Not known yet', ...error.body };
  return new HoldfastError({
    ...{
      errorCode,
      message,
      operation,
      status,
      retryAfterSeconds,
      requestId,
      suggestedAction,
      idempotencyKey,
    },
    body: { ...body, errorCode, message, suggestedAction, signature, idempotencyKey },
    cause: error,
  });
};

const interrupted = (): HoldfastError =>
  new HoldfastError({ errorCode: 'ABORTED', operation: 'submitTransaction', message: 'Interrupted.' });

/** The service's own words where it said that it expired. */
const expiredFor = (error: unknown): HoldfastError =>
  isHoldfastError(error, 'BLOCKHASH_EXPIRED')
    ? error
    : new HoldfastError({
        errorCode: 'BLOCKHASH_EXPIRED',
        operation: 'submitTransaction',
        message: 'The transaction kept expiring, even after rebuilding it.',
      });

/** A stake that is built under a key that was used before: the first one landed after all. */
const landedEarlier = (
  { kind }: TransactionRecord,
  error: unknown,
): { signature: string; stakeAccountAddress: string | undefined } | null => {
  if (!createsAccount(kind) || !isHoldfastError(error, 'STAKE_ADDRESS_OCCUPIED')) return null;
  const { signature, stakeAccountAddress } = (error.body ?? {}) as Record<string, unknown>;
  if (typeof signature !== 'string') return null;
  return {
    signature,
    stakeAccountAddress: typeof stakeAccountAddress === 'string' ? stakeAccountAddress : undefined,
  };
};

/**
 * Carries the record's request out once, however often its transaction has to be built; a record with a signature is followed first.
 * Built again it must be the same stake account: two transactions of one address exclude each other. Rejects with `HoldfastError` for
 * what the service or the chain refuses, `NotAsAsked` for bytes that do anything else, `Declined`, or what a port threw.
 */
export const submitAndWait = async (given: TransactionRecord, ports: StakingPorts): Promise<Completed> => {
  const { service, binding, store, now, signal, mostBuilds = MOST_BUILDS, open = [] } = ports;
  const step = (next: StakingStep): void => ports.onStep?.(next);
  let record = given;
  let prepared: Prepared | undefined;
  let extraInstructions: TransactionVerdict['recognised']['extraInstructions'] = [];
  let reason: ApprovalReason = { why: 'first', attended: true };
  let [approvedFingerprint, builtFingerprint]: (string | undefined)[] = [];

  const settle = (settled: readonly OpenSignature[]): void => {
    open.splice(0, open.length, ...open.filter((one) => !settled.includes(one)));
  };

  /** The refusal to sign `ready` beside an earlier signature that may still land; null where nothing speaks against it. */
  const earlierSignature = async (ready: Prepared): Promise<HoldfastError | null> => {
    for (const earlier of [...open]) {
      if (isHarmlessBeside(earlier, ready)) continue;
      const { signature, signedTransaction, lastValidBlockHeight = Number.MAX_SAFE_INTEGER } = earlier.record;
      const isDead = await ports.provesDead?.({
        ...{ signature: signature!, signedTransaction },
        lastValidBlockHeight: BigInt(lastValidBlockHeight),
      });
      if (isDead !== true) return stillPossible(earlier.record);
      settle([earlier]);
    }
    return null;
  };

  const complete = (answer: SubmitAnswer): Completed => {
    record = {
      ...record,
      signature: answer.signature,
      explorerUrl: answer.explorerUrl,
      signedTransaction: undefined,
      confirmedAtMs: now(),
    };
    store.saveIfPossible(record);
    step({ step: 'confirmed', record, answer });
    return { record, answer, prepared };
  };

  /** Null where it expired. */
  const follow = async (attended: boolean): Promise<Completed | null> => {
    const { signature, idempotencyKey } = record;
    step({ step: 'signed', record, signature: signature!, extraInstructions });
    const onAcknowledged = () => step({ step: 'acknowledged', record });
    const end: TransactionEnd = await followTransaction({ ...ports, onAcknowledged }, record);
    if (end.how === 'landed') {
      settle(open.filter((one) => one.record.signature === signature));
      return complete(end.answer);
    }
    if (end.how === 'open') throw withSignature(end.error ?? interrupted(), signature!, idempotencyKey);
    if (end.how === 'failed') {
      store.remove(record);
      throw end.error;
    }
    reason = { why: 'expired', error: end.error, attended };
    return null;
  };

  /** A completed run where it landed earlier. */
  const prepare = async (): Promise<Completed | Prepared> => {
    step({ step: 'building', record });
    let built: BuiltTransaction;
    try {
      built = await service.build(requestOf(record), record.idempotencyKey, signal);
    } catch (error) {
      signal.throwIfAborted();
      const earlier = ports.acceptEarlier ? landedEarlier(record, error) : null;
      if (earlier !== null) {
        const { signature, stakeAccountAddress = record.stakeAccountAddress } = earlier;
        record = { ...record, stakeAccountAddress };
        return complete({ signature });
      }
      store.remove(record);
      throw error;
    }
    const expiresAtMs = now() + lifeMs(built);
    const unsigned = { ...record, signedTransaction: undefined, signature: undefined };
    const verdict = await verifyBytes(built);
    signal.throwIfAborted();
    record = {
      ...unsigned,
      // A change keeps the accounts that the user named, and no others.
      stakeAccountAddress:
        (record.kind === 'rearrange' ? undefined : verdict.recognised.stakeAccount) ??
        record.stakeAccountAddress,
      lastValidBlockHeight: built.lastValidBlockHeight,
      expiresAtMs,
    };
    const following = await verifyFollowing(built, unsigned);
    const isLater = record.part !== undefined && record.part.index > 1;
    if (!isLater)
      record = {
        ...record,
        part: following.length > 0 ? { index: 1, of: following.length + 1 } : undefined,
      };
    signal.throwIfAborted();
    const verdicts = [verdict, ...following.map((one) => one.verdict)];
    const effects = await verifyAll(unsigned, verdicts);
    signal.throwIfAborted();
    const next = {
      record,
      built,
      verdict,
      following,
      effects,
      voteAccount: binding.voteAccount,
      expiresAtMs,
    };
    const wrong =
      verdicts.find(({ ok }) => !ok) ??
      (effects.problems.length === 0
        ? null
        : { ...verdict, ok: false, fields: withProblems(verdict.fields, effects.problems) });
    if (wrong !== null) {
      step({ step: 'mismatch', prepared: { ...next, verdict: wrong } });
      throw new NotAsAsked(DO_NOT_SIGN, 'service', wrong.fields);
    }
    const fingerprint = verdicts.map((one) => one.effectsFingerprint).join();
    // Who agrees to a renewal agrees to the same once more.
    if (approvedFingerprint !== undefined && fingerprint !== approvedFingerprint)
      reason = { why: 'changed', error: reason.error, attended: reason.attended };
    builtFingerprint = fingerprint;
    store.save(record);
    return next;
  };

  /** Each is verified by itself; `verifyAll` holds all of them together to the request. */
  const verifyFollowing = async (
    { following = [] }: BuiltTransaction,
    asked: TransactionRecord,
  ): Promise<readonly FollowingTransaction[]> => {
    const found: FollowingTransaction[] = [];
    for (const next of following) {
      const part = { ...asked, stakeAccountAddress: given.stakeAccountAddress };
      found.push({ record: part, built: next, verdict: await verifyBytes(next, part) });
    }
    return found;
  };

  const verifyAll = async (
    asked: TransactionRecord,
    verdicts: readonly TransactionVerdict[],
  ): Promise<EffectsCheck> => {
    const facts = (await ports.nodeFacts?.(asked, verdicts)) ?? null;
    return ports.verifyEffects(asked, binding, verdicts, facts);
  };

  const verifyBytes = async (
    { transaction, plan }: BuiltTransaction,
    asked: TransactionRecord = record,
  ): Promise<TransactionVerdict> => {
    try {
      const wire = fromBase64(transaction);
      if (toBase64(wire) !== transaction) throw new RangeError('it is not base64');
      return await ports.verify(wire, asked, binding, 'built', plan);
    } catch (error) {
      // The verifier could not be loaded: nothing is said of the bytes.
      if (error instanceof TypeError) throw error;
      // They cannot even be read.
      throw new NotAsAsked(DO_NOT_SIGN, 'service');
    }
  };

  /** What the signer gave, on record. What it returned is checked like what it was given, and must be what was approved. */
  const accept = async (
    signed: Signed,
    { verdict, built: reviewed }: Prepared,
  ): Promise<TransactionRecord> => {
    if (signed.how === 'sent') {
      const sent = { ...record, signature: signed.signature };
      store.saveIfPossible(sent);
      return sent;
    }
    const { lamports } = verdict.recognised;
    const approved = { ...record, ...(lamports === undefined ? {} : { amountLamports: String(lamports) }) };
    let returned: TransactionVerdict | undefined;
    let signature: string | null = null;
    try {
      returned = await ports.verify(
        ...([signed.bytes, approved, binding, 'signed'] as const),
        ...([reviewed.plan, fromBase64(reviewed.transaction)] as const),
      );
      signature = signatureOf(signed.bytes);
    } catch (error) {
      // The verifier could not be loaded.
      if (isHoldfastError(error)) throw error;
    }
    if (!returned?.ok) throw new NotAsAsked(WALLET_CHANGED_IT, 'signer', returned?.fields);
    if (signature === null)
      throw new SignatureMissing('The wallet returned the transaction unsigned. Nothing was sent.');
    ({ extraInstructions } = returned.recognised);
    const done = { ...record, signedTransaction: toBase64(signed.bytes), signature };
    store.save(done);
    return done;
  };

  /** The signed record; null where a fresh transaction is needed first. */
  const approveAndSign = async (ready: Prepared, mayRebuild: boolean): Promise<TransactionRecord | null> => {
    for (;;) {
      const earlier = await earlierSignature(ready);
      signal.throwIfAborted();
      if (earlier !== null && ports.approveAgain === undefined) throw earlier;
      const decision = await (earlier === null
        ? ports.approve(ready, reason)
        : ports.approveAgain!(ready, earlier));
      signal.throwIfAborted();
      if (decision === 'decline') {
        store.remove(record);
        throw new Declined('Not signed; nothing was sent.');
      }
      // Also of one that is too old to be signed: what replaces it must do the same.
      if (decision === 'sign') approvedFingerprint = builtFingerprint;
      const leastLeftMs = (ports.leastLifeShare ?? 0) * lifeMs(ready.built);
      const isStale = ready.expiresAtMs - now() <= leastLeftMs && mayRebuild;
      if (decision === 'rebuild' || isStale) {
        reason = { why: decision === 'rebuild' ? 'renewed' : 'stale', attended: true };
        return null;
      }
      // Whoever was asked agreed that both may land.
      if (earlier !== null) settle(open);
      step({ step: 'signing', prepared: ready });
      try {
        const signed = await ports.sign(fromBase64(ready.built.transaction), record, ready);
        signal.throwIfAborted();
        const done = await accept(signed, ready);
        open.push({ record: done, prepared: ready });
        return done;
      } catch (error) {
        signal.throwIfAborted();
        // What a signer refused can be asked for again: the transaction stays on the table.
        if (ports.canAskAgain?.(error) !== true) throw error;
        reason = { why: 'refused', error, attended: true };
      }
    }
  };

  if (record.signature !== undefined) {
    open.push({ record, prepared: undefined });
    const done = await follow(false);
    if (done !== null) return done;
    if (mostBuilds === 0) {
      store.remove(record);
      throw expiredFor(reason.error);
    }
    step({ step: 'expired', error: reason.error });
  }
  for (let [builds, stale] = [1, 0]; ; builds += 1) {
    const ready = await prepare();
    if ('answer' in ready) return ready;
    prepared = ready;
    step({ step: 'built', prepared });
    const signed = await approveAndSign(ready, builds < mostBuilds && stale < MOST_BUILDS);
    stale = reason.why === 'stale' ? stale + 1 : 0;
    if (signed !== null) {
      record = signed;
      const done = await follow(true);
      if (done !== null) return done;
      if (builds >= mostBuilds) throw expiredFor(reason.error);
    }
    step({ step: 'expired', error: reason.error });
  }
};

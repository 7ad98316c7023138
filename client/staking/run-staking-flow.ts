// Runs a staking request to completion: executes each state's effect through the ports that a user interface
// provides. The table of states is in staking-states.ts.
import { type HoldfastError, isHoldfastError } from '../holdfast-error.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { type CheckPorts, checkBuilt, DO_NOT_SIGN } from './check-built.ts';
import { followTransaction } from './follow-transaction.ts';
import type { OpenSignature } from './may-sign-again.ts';
import { type RecordStore, requestOf, type TransactionRecord } from './pending-transaction.ts';
import type { Prepared } from './prepared-transaction.ts';
import { interruptedError, NotAsAsked, SignatureMissing } from './staking-errors.ts';
import type { BuiltTransaction, StakingService } from './staking-request.ts';
import {
  type ApprovalReason,
  type Completed,
  doubtfulSignatures,
  type FlowRules,
  isAlreadyApproved,
  isFlowEnded,
  nextOfPlan,
  nextState,
  type StakingEvent,
  type StakingState,
  type StateName,
  startState,
} from './staking-states.ts';
import type { TransactionVerdict } from './verify-against-request.ts';
import { signatureOf } from './wire-signatures.ts';

/** Result of a signature request to a wallet: the signed bytes, or the signature if the wallet sends the transaction itself. */
export type Signed =
  | { readonly how: 'signed'; readonly bytes: Uint8Array }
  | { readonly how: 'sent'; readonly signature: string };

/** Response to an approval request. `rebuild`: build a fresh transaction first. */
export type Decision = 'sign' | 'rebuild' | 'decline';

export interface StakingPorts extends CheckPorts, FlowRules {
  readonly service: StakingService;
  /** Asks for approval to sign. Called for every transaction that no earlier approval covers. */
  readonly approve: (prepared: Prepared, reason: ApprovalReason) => Promise<Decision>;
  /**
   * Asks a person to approve a signature even though an earlier signed transaction for the request may still
   * land. Default: the run ends with `error`, whose code is `STILL_POSSIBLE`.
   */
  readonly approveDespiteOpenSignature?:
    | ((prepared: Prepared, error: HoldfastError) => Promise<Decision>)
    | undefined;
  /**
   * Returns true if a node that the user trusts proves that a signed transaction can never land.
   * `lastValidBlockHeight` comes from the service and is not trusted; the blockhash is in the bytes. The
   * service and this machine's clock prove nothing. Default: returns false.
   */
  readonly provesExpired?:
    | ((signed: {
        readonly signature: string;
        readonly lastValidBlockHeight: bigint;
        readonly signedTransaction?: string | undefined;
      }) => Promise<boolean>)
    | undefined;
  /** Signs the transaction with the wallet's key. */
  readonly sign: (
    transaction: Uint8Array,
    record: TransactionRecord,
    prepared: Prepared,
  ) => Signed | Promise<Signed>;
  /**
   * Returns true if the signer can be asked again after this failure. Default: false, and the failure ends
   * the run.
   */
  readonly canAskAgain?: ((error: unknown) => boolean) | undefined;
  readonly store: RecordStore;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called with every state that the flow enters. */
  readonly onState?: ((state: StakingState) => void) | undefined;
  /**
   * Maximum number of attempts to determine a transaction's outcome, including its submission. Default:
   * unlimited.
   */
  readonly mostAttempts?: number | undefined;
  /**
   * If true and the stake address is already occupied, the stake counts as landed in an earlier run with the
   * same key. Default: the flow fails.
   */
  readonly acceptEarlier?: boolean | undefined;
}

/** Result of a completed request: its last transaction, and all transactions that landed for it, in order. */
export interface CarriedOut extends Completed {
  readonly landed: readonly Completed[];
}

const WALLET_CHANGED_IT =
  'The wallet signed something other than what you approved. Nothing was sent. Turn off wallet features that modify transactions, or use another wallet.';

/**
 * Returns the result of a stake that landed earlier if the service refuses the request because the stake's
 * address is occupied. Returns null for other failures.
 */
const landedEarlier = ({ kind }: TransactionRecord, error: unknown, atMs: number): StakingEvent | null => {
  if (kind !== 'stake' || !isHoldfastError(error, 'STAKE_ADDRESS_OCCUPIED')) return null;
  const { signature, stakeAccountAddress, reason } = (error.body ?? {}) as Record<string, unknown>;
  if (typeof signature !== 'string' || reason === 'OTHER_AMOUNT_STAKED') return null;
  return {
    type: 'landed',
    response: { signature },
    atMs,
    ...(typeof stakeAccountAddress === 'string' && { stakeAccountAddress }),
  };
};

/** Executes the effect of a state. Rejects with the signal's reason, or with the failure that ends the flow. */
type Effect = (state: StakingState, ports: StakingPorts) => Promise<StakingEvent>;

const build: Effect = async ({ record }, ports) => {
  const { service, store, now, signal, acceptEarlier = false } = ports;
  let built: BuiltTransaction;
  try {
    built = await service.build(requestOf(record), record.idempotencyKey, signal);
  } catch (error) {
    signal.throwIfAborted();
    const earlier = acceptEarlier ? landedEarlier(record, error, now()) : null;
    return earlier ?? { type: 'failed', error, isOver: true };
  }
  const prepared = await checkBuilt(built, record, ports);
  if (!prepared.verdict.ok) {
    const error = new NotAsAsked(DO_NOT_SIGN, 'service', prepared.verdict.fields);
    return { type: 'failed', error, prepared };
  }
  store.save(prepared.record);
  return { type: 'built', prepared };
};

const prove = async (
  doubtful: readonly OpenSignature[],
  { provesExpired }: StakingPorts,
): Promise<StakingEvent> => {
  const expired: OpenSignature[] = [];
  for (const one of doubtful) {
    const { signature, signedTransaction, lastValidBlockHeight = Number.MAX_SAFE_INTEGER } = one.record;
    const hasExpired = await provesExpired?.({
      signature: signature!,
      signedTransaction,
      lastValidBlockHeight: BigInt(lastValidBlockHeight),
    });
    if (hasExpired !== true) return { type: 'proved', expired, unproven: one };
    expired.push(one);
  }
  return { type: 'proved', expired, unproven: undefined };
};

const decided = (decision: Decision, atMs: number): StakingEvent => {
  switch (decision) {
    case 'sign':
      return { type: 'approved', atMs };
    case 'rebuild':
      return { type: 'rebuild' };
    case 'decline':
      return { type: 'declined' };
  }
};

const ask: Effect = async (state, ports) => {
  const doubtful = doubtfulSignatures(state);
  if (doubtful.length > 0) return prove(doubtful, ports);
  return decided(
    isAlreadyApproved(state) ? 'sign' : await ports.approve(state.prepared!, state.reason),
    ports.now(),
  );
};

const askDespiteOpenSignature: Effect = async ({ prepared, error }, { approveDespiteOpenSignature, now }) => {
  if (approveDespiteOpenSignature === undefined) throw error;
  return decided(await approveDespiteOpenSignature(prepared!, error as HoldfastError), now());
};

/** Checks that the signer returned the approved transaction, and stores it before it is sent. */
const acceptSigned = async (
  signed: Signed,
  { record, verdict, built }: Prepared,
  { verify, binding, store }: StakingPorts,
): Promise<StakingEvent> => {
  if (signed.how === 'sent') {
    const sent = { ...record, signature: signed.signature };
    store.saveIfPossible(sent);
    return { type: 'signed', record: sent, extraInstructions: [] };
  }
  const { lamports } = verdict.recognized;
  const approved = { ...record, ...(lamports !== undefined && { amountLamports: String(lamports) }) };
  let returned: TransactionVerdict | undefined;
  let signature: string | null = null;
  try {
    const bytes = fromBase64(built.transaction);
    returned = await verify(signed.bytes, approved, binding, 'signed', built.plan, bytes);
    signature = signatureOf(signed.bytes);
  } catch (error) {
    // Other errors mean that `verify` could not be loaded.
    if (isHoldfastError(error)) throw error;
  }
  if (!returned?.ok) throw new NotAsAsked(WALLET_CHANGED_IT, 'signer', returned?.fields);
  if (signature === null)
    throw new SignatureMissing('The wallet returned the transaction unsigned. Nothing was sent.');
  const done = { ...record, signedTransaction: toBase64(signed.bytes), signature };
  store.save(done);
  // Instructions in the approved transaction, such as a requested priority fee, were not added by the wallet.
  const before = new Set(verdict.recognized.extraInstructions.map(({ summary }) => summary));
  const extraInstructions = returned.recognized.extraInstructions.filter(
    ({ summary }) => !before.has(summary),
  );
  return { type: 'signed', record: done, extraInstructions };
};

const sign: Effect = async ({ record, prepared }, ports) => {
  try {
    const signed = await ports.sign(fromBase64(prepared!.built.transaction), record, prepared!);
    ports.signal.throwIfAborted();
    return await acceptSigned(signed, prepared!, ports);
  } catch (error) {
    ports.signal.throwIfAborted();
    if (ports.canAskAgain?.(error) === true) return { type: 'notSigned', error };
    throw error;
  }
};

const rebuild: Effect = async () => ({ type: 'rebuild' });

const startNextOfPlan: Effect = async (state, { store }) => {
  const prepared = nextOfPlan(state);
  // After a reload or restart, the later transactions of the plan are no longer known.
  if (prepared === undefined) return { type: 'failed', error: undefined };
  store.save(prepared.record);
  return { type: 'built', prepared };
};

/** Follows the signed transaction. Never rejects: an interrupted wait ends as `unresolved` with the signature. */
const follow = async (
  { record }: StakingState,
  ports: StakingPorts,
  acknowledged: () => void,
): Promise<StakingEvent> => {
  const end = await followTransaction({ ...ports, onAcknowledged: acknowledged }, record);
  switch (end.how) {
    case 'landed':
      return { type: 'landed', response: end.response, atMs: ports.now() };
    case 'expired':
      return { type: 'expired', error: end.error };
    case 'open':
      return { type: 'unresolved', error: end.error };
    case 'failed':
      return { type: 'failed', error: end.error, isOver: true };
  }
};

/** Effects that can be interrupted. `signed` and `submitted` are handled by `follow`, which never rejects. */
const effects: Partial<Record<StateName, Effect>> = {
  requested: build,
  built: ask,
  doubted: askDespiteOpenSignature,
  approved: sign,
  expired: rebuild,
  replanned: rebuild,
  landed: startNextOfPlan,
};

const perform = async (
  state: StakingState,
  ports: StakingPorts,
  acknowledged: () => void,
): Promise<StakingEvent> => {
  const { signal } = ports;
  const effect = effects[state.name];
  if (effect === undefined) return follow(state, ports, acknowledged);
  try {
    const event = await effect(state, ports);
    // After a signature, `follow` reports the interruption together with the signature.
    if (event.type !== 'signed') signal.throwIfAborted();
    return event;
  } catch (error) {
    if (!signal.aborted) return { type: 'failed', error };
    if (state.landed.length === 0) throw signal.reason;
    return { type: 'failed', error: interruptedError() };
  }
};

/**
 * Carries out the record's request once, regardless of how often its transaction is built. Follows a recorded
 * signature first. Checks all transactions of a plan before any is signed, has them approved together, and
 * sends them one after the other. If the accounts have changed in the meantime, or later transactions have
 * expired, the rest is planned and approved again.
 *
 * Rejects with `HoldfastError` if the service or the chain refuses, `NotAsAsked` if the bytes have other
 * effects, `Declined`, `StoppedHalfway` if only some transactions landed, or the error of a port.
 */
export const carryOut = async (given: TransactionRecord, ports: StakingPorts): Promise<CarriedOut> => {
  const { store, onState } = ports;
  let state = startState(given, ports);
  onState?.(state);
  const take = (event: StakingEvent): void => {
    const { name } = state;
    state = nextState(state, event);
    if (state.name === name) return;
    if (state.name === 'landed') store.saveIfPossible(state.record);
    if (state.isOver) store.remove(state.record);
    onState?.(state);
  };
  const acknowledged = (): void => {
    if (state.name === 'signed') take({ type: 'acknowledged' });
  };
  while (!isFlowEnded(state)) take(await perform(state, ports, acknowledged));
  const last = state.name === 'landed' ? state.landed.at(-1) : undefined;
  if (last === undefined) throw state.error;
  return { ...last, prepared: state.plan, landed: state.landed };
};

// Carries a staking request to its end: does what each state of the flow asks for, with the ports of an interface.
import { createsAccount } from '../../src/domain/transaction/kind-properties.ts';
import { type HoldfastError, isHoldfastError } from '../holdfast-error.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { type CheckPorts, checkBuilt, DO_NOT_SIGN, type Prepared } from './check-built.ts';
import { followTransaction } from './follow-transaction.ts';
import type { OpenSignature } from './may-sign-again.ts';
import { type RecordStore, requestOf, type TransactionRecord } from './pending-transaction.ts';
import { interruptedError, NotAsAsked, SignatureMissing } from './staking-errors.ts';
import type { BuiltTransaction, StakingService } from './staking-request.ts';
import {
  type ApprovalReason,
  type Completed,
  doubtfulSignatures,
  type FlowRules,
  isCovered,
  isEnded,
  nextOfPlan,
  nextState,
  type StakingEvent,
  type StakingState,
  type StateName,
  startState,
} from './staking-states.ts';
import type { TransactionVerdict } from './verify-against-request.ts';
import { signatureOf } from './wire-signatures.ts';

/** A wallet's result: signed bytes, or the signature if it sends the transaction itself. */
export type Signed =
  | { readonly how: 'signed'; readonly bytes: Uint8Array }
  | { readonly how: 'sent'; readonly signature: string };

/** The answer to a question: `rebuild` wants a fresh transaction first. */
export type Decision = 'sign' | 'rebuild' | 'decline';

/** The ports that the interface provides to the flow. */
export interface StakingPorts extends CheckPorts, FlowRules {
  readonly service: StakingService;
  /** Asks whether to sign. Every transaction that no earlier approval covers is asked for. */
  readonly approve: (prepared: Prepared, reason: ApprovalReason) => Promise<Decision>;
  /**
   * Asks a person whether to sign although an earlier signature for the request may still land too; `error` says so. Default: nobody can be
   * asked, and the run ends with `error`, whose code is `STILL_POSSIBLE`.
   */
  readonly approveAgain?: ((prepared: Prepared, error: HoldfastError) => Promise<Decision>) | undefined;
  /**
   * Returns true if a node that the user trusts proves that a signed transaction can never land. The height is the service's word; the bytes
   * name the blockhash. Default: nothing is proven. What the service or this machine's clock says is no proof.
   */
  readonly provesDead?:
    | ((signed: {
        readonly signature: string;
        readonly lastValidBlockHeight: bigint;
        readonly signedTransaction?: string | undefined;
      }) => Promise<boolean>)
    | undefined;
  /** Signs the given transaction with the wallet's key. */
  readonly sign: (
    transaction: Uint8Array,
    record: TransactionRecord,
    prepared: Prepared,
  ) => Signed | Promise<Signed>;
  /** Returns true if the signer can be asked again after this failure. Default: never; the failure ends the run. */
  readonly canAskAgain?: ((error: unknown) => boolean) | undefined;
  readonly store: RecordStore;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called with every state that the flow enters. */
  readonly onState?: ((state: StakingState) => void) | undefined;
  /** How often the service is asked for the end at most. Default: until it is known. */
  readonly mostAttempts?: number | undefined;
  /** Takes a stake whose address is taken for landed under this key earlier. Default: it is refused. */
  readonly acceptEarlier?: boolean | undefined;
}

/** A request that was carried out, with every transaction that landed for it, in order. The other members are those of the last one. */
export interface CarriedOut extends Completed {
  readonly landed: readonly Completed[];
}

const WALLET_CHANGED_IT =
  'The wallet returned something other than was approved. Nothing was sent. Turn off transaction-changing features in the wallet, or use another one.';

/** A stake that is built under a key that was used before: the first one landed after all. */
const landedEarlier = ({ kind }: TransactionRecord, error: unknown, atMs: number): StakingEvent | null => {
  if (!createsAccount(kind) || !isHoldfastError(error, 'STAKE_ADDRESS_OCCUPIED')) return null;
  const { signature, stakeAccountAddress } = (error.body ?? {}) as Record<string, unknown>;
  if (typeof signature !== 'string') return null;
  return {
    type: 'landed',
    answer: { signature },
    atMs,
    ...(typeof stakeAccountAddress === 'string' && { stakeAccountAddress }),
  };
};

/** Executes the effect that a state requests. Rejects with the signal's reason, or with the failure that ends the flow. */
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
  { provesDead }: StakingPorts,
): Promise<StakingEvent> => {
  const dead: OpenSignature[] = [];
  for (const one of doubtful) {
    const { signature, signedTransaction, lastValidBlockHeight = Number.MAX_SAFE_INTEGER } = one.record;
    const isDead = await provesDead?.({
      signature: signature!,
      signedTransaction,
      lastValidBlockHeight: BigInt(lastValidBlockHeight),
    });
    if (isDead !== true) return { type: 'proved', dead, alive: one };
    dead.push(one);
  }
  return { type: 'proved', dead, alive: undefined };
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
  return decided(isCovered(state) ? 'sign' : await ports.approve(state.prepared!, state.reason), ports.now());
};

const askAgain: Effect = async ({ prepared, error }, { approveAgain, now }) => {
  if (approveAgain === undefined) throw error;
  return decided(await approveAgain(prepared!, error as HoldfastError), now());
};

/** Checks what the signer returned like what it was given: it must be what was approved. Stores it before anything is sent. */
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
  const { lamports } = verdict.recognised;
  const approved = { ...record, ...(lamports !== undefined && { amountLamports: String(lamports) }) };
  let returned: TransactionVerdict | undefined;
  let signature: string | null = null;
  try {
    const bytes = fromBase64(built.transaction);
    returned = await verify(signed.bytes, approved, binding, 'signed', built.plan, bytes);
    signature = signatureOf(signed.bytes);
  } catch (error) {
    // The verifier could not be loaded.
    if (isHoldfastError(error)) throw error;
  }
  if (!returned?.ok) throw new NotAsAsked(WALLET_CHANGED_IT, 'signer', returned?.fields);
  if (signature === null)
    throw new SignatureMissing('The wallet returned the transaction unsigned. Nothing was sent.');
  const done = { ...record, signedTransaction: toBase64(signed.bytes), signature };
  store.save(done);
  return { type: 'signed', record: done, extraInstructions: returned.recognised.extraInstructions };
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

const goOn: Effect = async () => ({ type: 'rebuild' });

const goOnWithPlan: Effect = async (state, { store }) => {
  const prepared = nextOfPlan(state);
  // A reload or a restart came between: the later transactions are gone with what was reviewed.
  if (prepared === undefined) return { type: 'failed', error: undefined };
  store.save(prepared.record);
  return { type: 'built', prepared };
};

/** Never rejects: an interrupted wait leaves open how it ends, and says so with the signature. */
const follow = async (
  { record }: StakingState,
  ports: StakingPorts,
  acknowledged: () => void,
): Promise<StakingEvent> => {
  const end = await followTransaction({ ...ports, onAcknowledged: acknowledged }, record);
  switch (end.how) {
    case 'landed':
      return { type: 'landed', answer: end.answer, atMs: ports.now() };
    case 'expired':
      return { type: 'expired', error: end.error };
    case 'open':
      return { type: 'unresolved', error: end.error };
    case 'failed':
      return { type: 'failed', error: end.error, isOver: true };
  }
};

/** The effect of each state that has one and can be interrupted. */
const effects: Partial<Record<StateName, Effect>> = {
  requested: build,
  built: ask,
  doubted: askAgain,
  approved: sign,
  expired: goOn,
  replanned: goOn,
  landed: goOnWithPlan,
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
    // Once something is signed, an interruption must name the signature.
    if (event.type !== 'signed') signal.throwIfAborted();
    return event;
  } catch (error) {
    if (!signal.aborted) return { type: 'failed', error };
    if (state.landed.length === 0) throw signal.reason;
    return { type: 'failed', error: interruptedError() };
  }
};

/**
 * Carries the record's request out once, however often its transaction has to be built; a record with a signature is followed first. All
 * transactions of a plan are checked before any is signed, approved together, and sent one after the other. Where the accounts changed
 * meanwhile, or later transactions expired, it is planned and approved again.
 *
 * Rejects with `HoldfastError` for what the service or the chain refuses, `NotAsAsked` for bytes that do anything else, `Declined`,
 * `StoppedHalfway` if some transactions landed and the rest did not, or what a port threw.
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
  while (!isEnded(state)) take(await perform(state, ports, acknowledged));
  const last = state.name === 'landed' ? state.landed.at(-1) : undefined;
  if (last === undefined) throw state.error;
  return { ...last, prepared: state.plan, landed: state.landed };
};

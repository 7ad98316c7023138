// The staking flow as states and events, without effects. The driver, `run-staking-flow.ts`, executes each
// state's effect and returns an event.
//
//   state        the driver …                                    event          next state
//   requested    builds it and checks the bytes                  built          built
//                                                                landed         landed (by an earlier attempt)
//   built        checks that earlier signatures expired,          proved         built, or doubted
//                then asks for approval                          approved       approved, or expired (too old to sign)
//                                                                rebuild        requested
//   doubted      asks a person, because an earlier signature     approved       approved, or expired
//                may still land                                  rebuild        requested
//   approved     requests the signature                          signed         signed
//                                                                notSigned      built (the signer can be asked again)
//   signed       submits it                                      acknowledged   submitted
//   submitted    waits for the outcome                           landed         landed
//                                                                expired        expired, or refused (built too often)
//                                                                unresolved     unresolved
//   expired      builds it again: it can never land              rebuild        requested
//   landed       takes the next transaction of the plan          built          built (approved with the first)
//   replanned    plans it again: the accounts changed            rebuild        requested (under another key)
//
// `failed`, and `declined` in states that ask a person, lead to refused, or to replanned if the plan can be
// made again. The flow ends in landed, refused or unresolved.
import { isHoldfastError } from '../holdfast-error.ts';
import { fingerprintOf, lifeMs } from './check-built.ts';
import { isSafeAlongside, mayStillLandError, type OpenSignature } from './may-sign-again.ts';
import {
  hasLaterTransactions,
  isAfterFirstTransaction,
  type TransactionRecord,
} from './pending-transaction.ts';
import type { Prepared } from './prepared-transaction.ts';
import {
  Declined,
  expiredError,
  type LandedTransaction,
  StoppedHalfway,
  unresolvedError,
} from './staking-errors.ts';
import type { SubmitAnswer } from './staking-request.ts';
import type { TransactionVerdict } from './verify-against-request.ts';

/**
 * Maximum number of builds of a transaction. After this many expired builds, the network connection is probably
 * the cause.
 */
export const MAX_BUILDS = 5;
/**
 * Time after the signature, in ms, from which a missing confirmation probably means a busy network. On a
 * quiet network, confirmation takes about two seconds.
 */
export const BUSY_AFTER_MS = 8_000;
/** Maximum number of rebuilds of an expired transaction that one approval covers if a person signs in a wallet. */
export const MAX_RENEWALS = 2;
/**
 * Maximum number of plans per request. Without it, a service that keeps reporting changed accounts could make
 * the user sign transactions and pay fees forever.
 */
const MAX_PLANS = 10;
/** Maximum number of rebuilds of a transaction while its review is open. A review rarely takes ten minutes. */
export const MAX_BUILDS_IN_REVIEW = 10;

/** Reason for an approval request. */
export interface ApprovalReason {
  /**
   * `first`: nothing was approved yet. `renewed`: the caller requested a fresh transaction. `stale`:
   * approved, but too old to be signed. `refused`: the signer did not sign, or signed something else.
   * `expired`: signed, but it can no longer land. `changed`: its effects differ from the approved ones,
   * because the accounts changed.
   */
  readonly why: 'first' | 'renewed' | 'stale' | 'refused' | 'expired' | 'changed';
  readonly error?: unknown;
  /**
   * False if the expired transaction was signed before this run, for instance before a reload. Nobody may be
   * waiting at the screen then.
   */
  readonly attended: boolean;
}

/** A landed transaction, with the reviewed transaction that was signed. */
export interface Completed extends LandedTransaction {
  /** Undefined if nothing was built in this run. */
  readonly prepared: Prepared | undefined;
}

export interface FlowRules {
  /** Maximum number of builds of a transaction. With 0, a recorded signature is only followed. Default: 5. */
  readonly mostBuilds?: number | undefined;
  /**
   * Maximum number of rebuilds with the same effects that one approval covers. Default: 0, so every rebuild
   * needs an approval.
   */
  readonly mostRenewals?: number | undefined;
  /**
   * Minimum share of a transaction's lifetime that must remain when the signer receives it. Slow signers need
   * nearly all of it. Default: 0.
   */
  readonly leastLifeShare?: number | undefined;
  /** Earlier signatures for the request that may still land. Default: none. */
  readonly open?: readonly OpenSignature[] | undefined;
}

export type StateName =
  | 'requested'
  | 'built'
  | 'doubted'
  | 'approved'
  | 'signed'
  | 'submitted'
  | 'landed'
  | 'expired'
  | 'replanned'
  | 'refused'
  | 'unresolved';

/** State of the flow. Interfaces display it; only `nextState` creates the next one. */
export interface StakingState {
  readonly name: StateName;
  readonly record: TransactionRecord;
  /** The latest build of the current transaction. */
  readonly prepared: Prepared | undefined;
  readonly reason: ApprovalReason;
  /** Reason why the transaction expired, is planned again, needs a person's decision, or ended without landing. */
  readonly error: unknown;
  /** Instructions that the wallet added: a fee or guards. */
  readonly extraInstructions: TransactionVerdict['recognized']['extraInstructions'];
  /** Transactions that landed in this run, in order. */
  readonly landed: readonly Completed[];
  /** Signatures that may still land. */
  readonly open: readonly OpenSignature[];
  /** Number of builds of the transaction in this run. */
  readonly builds: number;
  /** Number of signed transactions that expired in this run. */
  readonly renewals: number;
  /** True if the stored record is no longer needed, because nothing was signed or the outcome is known. */
  readonly isOver: boolean;
  /** First transaction of the plan, with the later ones. */
  readonly plan: Prepared | undefined;
  /** Record with which the run began. */
  readonly given: TransactionRecord;
  /** Number of consecutive builds that had become too old by the time of their approval. */
  readonly staleBuilds: number;
  /** Effects of the approved transactions. */
  readonly approvedFingerprint: string | undefined;
  /** Number of new plans for the rest of the request. */
  readonly replans: number;
  /** Number of landed transactions at the time of the last new plan. */
  readonly landedBefore: number;
  readonly rules: Required<Omit<FlowRules, 'open'>>;
}

export type StakingEvent =
  | { readonly type: 'built'; readonly prepared: Prepared }
  /**
   * A node proved that the `expired` signatures can never land; `unproven` is the first one that it could not
   * prove.
   */
  | {
      readonly type: 'proved';
      readonly expired: readonly OpenSignature[];
      readonly unproven: OpenSignature | undefined;
    }
  | { readonly type: 'approved'; readonly atMs: number }
  | { readonly type: 'declined' }
  | { readonly type: 'rebuild' }
  | {
      readonly type: 'signed';
      readonly record: TransactionRecord;
      readonly extraInstructions: StakingState['extraInstructions'];
    }
  | { readonly type: 'notSigned'; readonly error: unknown }
  | { readonly type: 'acknowledged' }
  | {
      readonly type: 'landed';
      readonly response: SubmitAnswer;
      readonly atMs: number;
      readonly stakeAccountAddress?: string | undefined;
    }
  | { readonly type: 'expired'; readonly error: unknown }
  | { readonly type: 'unresolved'; readonly error: unknown }
  | {
      readonly type: 'failed';
      readonly error: unknown;
      readonly isOver?: boolean;
      /** The build that has problems and must not be signed. */
      readonly prepared?: Prepared;
    };

type EventOf<Type extends StakingEvent['type']> = Extract<StakingEvent, { type: Type }>;

const FIRST: ApprovalReason = { why: 'first', attended: true };

/** Number of landed transactions of the plan, including those of earlier runs. */
const landedCount = ({ given, landed }: StakingState): number => (given.part?.index ?? 1) - 1 + landed.length;

const asStopped = (state: StakingState, error: unknown): unknown => {
  const count = landedCount(state);
  return count === 0 || error instanceof StoppedHalfway
    ? error
    : new StoppedHalfway(state.landed, count, error);
};

/**
 * True if the rest may be planned again because the accounts have changed, or because later transactions
 * expired before they were sent. False if nothing has landed since the last plan, or if part of an amount has
 * landed.
 */
const mayReplan = (
  { given, builds, landed, landedBefore, replans }: StakingState,
  error: unknown,
): boolean => {
  const isReason =
    isHoldfastError(error, 'STAKE_BALANCE_CHANGED') ||
    (landed.length > 0 && isHoldfastError(error, 'BLOCKHASH_EXPIRED'));
  const isPartOfAmount = landed.length > 0 && given.amountLamports !== undefined;
  const makesProgress = landed.length > landedBefore && replans + 1 < MAX_PLANS;
  return isReason && builds > 0 && makesProgress && !isPartOfAmount && given.kind === 'rearrange';
};

const refuse = (
  state: StakingState,
  { error, isOver = false, prepared = state.prepared }: Omit<EventOf<'failed'>, 'type'>,
): StakingState =>
  mayReplan(state, error)
    ? { ...state, name: 'replanned', error, isOver }
    : { ...state, name: 'refused', error: asStopped(state, error), isOver, prepared };

/** True if the transaction may be built again. Later transactions of a plan may not: their bytes were approved together with the first. */
const mayRebuild = ({ record, builds, rules }: StakingState): boolean =>
  !isAfterFirstTransaction(record) && builds < rules.mostBuilds;

const approve = (state: StakingState, { atMs }: EventOf<'approved'>): StakingState => {
  const { prepared, rules, staleBuilds } = state;
  const leastLeftMs = rules.leastLifeShare * lifeMs(prepared!.built);
  const isStale = prepared!.expiresAtMs - atMs <= leastLeftMs;
  // Also recorded for a stale build, because its replacement must have the same effects.
  const approved = { ...state, approvedFingerprint: fingerprintOf(prepared!) };
  if (isStale && mayRebuild(state) && staleBuilds < MAX_BUILDS)
    return {
      ...approved,
      name: 'expired',
      error: undefined,
      staleBuilds: staleBuilds + 1,
      reason: { why: 'stale', attended: true },
    };
  return {
    ...approved,
    name: 'approved',
    staleBuilds: 0,
    // In `doubted`, the person accepted that both may land.
    open: state.name === 'doubted' ? [] : state.open,
  };
};

const rebuild = (state: StakingState): StakingState =>
  isAfterFirstTransaction(state.record)
    ? refuse(state, { error: expiredError('The next transaction of the plan expired before it was signed.') })
    : { ...state, name: 'requested', staleBuilds: 0, reason: { why: 'renewed', attended: true } };

const decline = (state: StakingState): StakingState =>
  refuse(state, { error: new Declined('Not signed. Nothing was sent.', state.prepared!), isOver: true });

const land = (
  state: StakingState,
  { response, atMs, stakeAccountAddress = state.record.stakeAccountAddress }: EventOf<'landed'>,
): StakingState => {
  const record = {
    ...state.record,
    stakeAccountAddress,
    signature: response.signature,
    explorerUrl: response.explorerUrl,
    signedTransaction: undefined,
    confirmedAtMs: atMs,
  };
  return {
    ...state,
    name: 'landed',
    record,
    landed: [...state.landed, { record, response, prepared: state.prepared }],
    open: state.open.filter((one) => one.record.signature !== state.record.signature),
  };
};

const expire = (state: StakingState, { error }: EventOf<'expired'>): StakingState => {
  const isResumed = state.builds === 0;
  return mayRebuild(state)
    ? {
        ...state,
        name: 'expired',
        error,
        renewals: state.renewals + (isResumed ? 0 : 1),
        reason: { why: 'expired', error, attended: !isResumed },
      }
    : refuse(state, {
        error: isHoldfastError(error, 'BLOCKHASH_EXPIRED')
          ? error
          : expiredError('The transaction kept expiring, even after rebuilding it.'),
        isOver: isResumed,
      });
};

const build = (state: StakingState, { prepared }: EventOf<'built'>): StakingState => {
  const { approvedFingerprint, reason } = state;
  const isChanged = approvedFingerprint !== undefined && fingerprintOf(prepared) !== approvedFingerprint;
  return {
    ...state,
    name: 'built',
    record: prepared.record,
    prepared,
    plan: prepared,
    builds: state.builds + 1,
    // An approval covers only the effects that were shown.
    reason: isChanged ? { ...reason, why: 'changed' } : reason,
  };
};

/**
 * Starts a new plan with another idempotency key, because a key creates its accounts only once. Approvals of
 * the earlier plan are discarded.
 */
const planAgain = ({ given, landed, open, renewals, replans, rules }: StakingState): StakingState => ({
  ...startState(
    {
      ...given,
      idempotencyKey: `${given.idempotencyKey}-again${replans === 0 ? '' : `-${replans + 1}`}`,
      part: undefined,
      signature: undefined,
      signedTransaction: undefined,
    },
    { ...rules, open },
  ),
  given,
  landed,
  renewals,
  replans: replans + 1,
  landedBefore: landed.length,
});

const sent: Transitions['signed'] = {
  acknowledged: (state) => ({ ...state, name: 'submitted' }),
  landed: land,
  expired: expire,
  failed: refuse,
  unresolved: (state, { error }) => ({
    ...state,
    name: 'unresolved',
    error: asStopped(state, unresolvedError(error, state.record)),
  }),
};

type Transitions = {
  readonly [Name in StateName]: {
    readonly [Type in StakingEvent['type']]?: (state: StakingState, event: EventOf<Type>) => StakingState;
  };
};

const transitions: Transitions = {
  requested: { built: build, landed: land, failed: refuse },
  built: {
    proved: (state, { expired, unproven }) => {
      const open = state.open.filter((one) => !expired.includes(one));
      return unproven === undefined
        ? { ...state, open }
        : { ...state, open, name: 'doubted', error: mayStillLandError(unproven.record) };
    },
    approved: approve,
    rebuild,
    declined: decline,
    failed: refuse,
  },
  doubted: { approved: approve, rebuild, declined: decline, failed: refuse },
  approved: {
    signed: (state, { record, extraInstructions }) => ({
      ...state,
      name: 'signed',
      record,
      extraInstructions,
      open: [...state.open, { record, prepared: state.prepared }],
    }),
    notSigned: (state, { error }) => ({
      ...state,
      name: 'built',
      reason: { why: 'refused', error, attended: true },
    }),
    failed: refuse,
  },
  signed: sent,
  submitted: sent,
  expired: { rebuild: (state) => ({ ...state, name: 'requested' }) },
  landed: {
    built: (state, { prepared }) => ({
      ...state,
      name: 'built',
      record: prepared.record,
      prepared,
      reason: FIRST,
    }),
    failed: refuse,
  },
  replanned: { rebuild: planAgain },
  refused: {},
  unresolved: {},
};

/** Returns the state after `event`. Throws `TypeError` if the event cannot happen in this state. */
export const nextState = (state: StakingState, event: StakingEvent): StakingState => {
  const transition = transitions[state.name][event.type] as
    | ((state: StakingState, event: StakingEvent) => StakingState)
    | undefined;
  if (transition === undefined) throw new TypeError(`${event.type} cannot happen in ${state.name}`);
  return transition(state, event);
};

/**
 * Returns the state in which a run begins. Follows a recorded signature first. Later transactions of a plan are
 * never built or signed again, because their review is no longer known. Their flow ends with `StoppedHalfway`
 * once their outcome is known.
 */
export const startState = (
  given: TransactionRecord,
  { open = [], mostBuilds = MAX_BUILDS, mostRenewals = 0, leastLifeShare = 0 }: FlowRules = {},
): StakingState => {
  const isSigned = given.signature !== undefined;
  const state: StakingState = {
    name: isSigned ? 'signed' : 'requested',
    record: given,
    prepared: undefined,
    reason: FIRST,
    error: undefined,
    extraInstructions: [],
    landed: [],
    open: isSigned ? [...open, { record: given, prepared: undefined }] : open,
    builds: 0,
    renewals: 0,
    isOver: false,
    plan: undefined,
    given,
    staleBuilds: 0,
    approvedFingerprint: undefined,
    replans: 0,
    landedBefore: -1,
    rules: { mostBuilds, mostRenewals, leastLifeShare },
  };
  const { part, confirmedAtMs } = given;
  const count =
    part === undefined
      ? 0
      : confirmedAtMs !== undefined && hasLaterTransactions(given)
        ? part.index
        : isSigned
          ? 0
          : part.index - 1;
  return count === 0 ? state : { ...state, name: 'refused', error: new StoppedHalfway([], count) };
};

/** Returns the next transaction of the plan, with its own key. Undefined if there is none. */
export const nextOfPlan = ({ plan, record: { part } }: StakingState): Prepared | undefined => {
  const next = part && plan?.following[part.index - 1];
  if (next === undefined) return undefined;
  const index = part!.index + 1;
  const expiresAtMs = plan!.expiresAtMs - lifeMs(plan!.built) + lifeMs(next.built);
  return {
    ...plan!,
    ...next,
    following: [],
    expiresAtMs,
    record: {
      ...next.record,
      idempotencyKey: `${plan!.record.idempotencyKey}-${index}`,
      part: { index, of: part!.of },
      lastValidBlockHeight: next.built.lastValidBlockHeight,
      expiresAtMs,
    },
  };
};

/**
 * Lists earlier signatures that would have effects beyond the approval if their transactions landed as well.
 */
export const doubtfulSignatures = ({ open, prepared }: StakingState): readonly OpenSignature[] =>
  open.filter((one) => !isSafeAlongside(one, prepared!));

/** True if an earlier approval covers the built transaction. */
export const isAlreadyApproved = ({
  reason,
  record,
  renewals,
  rules: { mostRenewals },
}: StakingState): boolean => {
  switch (reason.why) {
    case 'first':
      // A later transaction was approved with the first.
      return isAfterFirstTransaction(record);
    case 'stale':
      return mostRenewals > 0;
    case 'expired':
      return reason.attended && renewals <= mostRenewals;
    default:
      return false;
  }
};

/** True if the flow has ended. */
export const isFlowEnded = ({ name, record }: StakingState): boolean =>
  name === 'refused' || name === 'unresolved' || (name === 'landed' && !hasLaterTransactions(record));

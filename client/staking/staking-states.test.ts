// Tests the staking flow as a table: every event in every state leads to one state or is impossible, and every
// loop ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_EFFECTS } from '../../test/support/no-effects.ts';
import { HoldfastError, isHoldfastError } from '../holdfast-error.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { Prepared } from './prepared-transaction.ts';
import { Declined, StoppedHalfway } from './staking-errors.ts';
import {
  type FlowRules,
  isAlreadyApproved,
  isFlowEnded,
  MAX_BUILDS,
  nextOfPlan,
  nextState,
  type StakingEvent,
  type StakingState,
  type StateName,
  startState,
} from './staking-states.ts';

const STAKE: TransactionRecord = {
  version: 1,
  kind: 'stake',
  walletAddress: 'wallet',
  amountLamports: '5',
  cluster: 'sandbox',
  voteAccount: 'vote',
  idempotencyKey: 'key',
  begunAtMs: 0,
};
const CHANGE: TransactionRecord = {
  ...STAKE,
  kind: 'rearrange',
  change: { goal: 'withdraw-all' },
  amountLamports: undefined,
};
const LIFE_MS = 60_000;

const failure = (errorCode: string): HoldfastError =>
  new HoldfastError({ errorCode, message: errorCode, operation: 'test' });
const CHANGED = failure('STAKE_BALANCE_CHANGED');

/**
 * Creates a verified transaction, built at time 0, with the effects in `fingerprint` and `following` later
 * transactions.
 */
const prepared = (record: TransactionRecord, fingerprint = 'same', following = 0): Prepared => {
  const one = {
    record,
    built: {
      estimatedExpiresAt: new Date(LIFE_MS).toISOString(),
      lastValidBlockHeight: 150,
      warnings: [],
      _meta: { timestamp: new Date(0).toISOString() },
    },
    verdict: { effectsFingerprint: fingerprint, message: { instructions: [] } },
  } as unknown as Prepared;
  const part = following > 0 ? { index: 1, of: following + 1 } : undefined;
  return {
    ...one,
    record: { ...record, part },
    following: Array.from({ length: following }, () => one),
    effects: NO_EFFECTS,
    voteAccount: 'vote',
    expiresAtMs: LIFE_MS,
  };
};

const signedAs = ({ record }: StakingState, signature = 'mine'): StakingEvent => ({
  type: 'signed',
  record: { ...record, signature, signedTransaction: 'AAAA' },
  extraInstructions: [],
});
const APPROVED: StakingEvent = { type: 'approved', atMs: 0 };
const LANDED: StakingEvent = { type: 'landed', response: { signature: 'mine' }, atMs: 1 };
const EXPIRED: StakingEvent = { type: 'expired', error: failure('BLOCKHASH_EXPIRED') };
const failed = (error: unknown): StakingEvent => ({ type: 'failed', error });

type Step = StakingEvent | ((state: StakingState) => StakingEvent);

/** Returns the state after these events. */
const after = (record: TransactionRecord, steps: readonly Step[], rules?: FlowRules): StakingState =>
  steps.reduce(
    (state, step) => nextState(state, typeof step === 'function' ? step(state) : step),
    startState(record, rules),
  );

/** Returns the state after these events, starting in `built`. */
const afterBuilt = (
  record: TransactionRecord,
  steps: readonly Step[],
  rules?: FlowRules,
  following = 0,
): StakingState =>
  after(record, [{ type: 'built', prepared: prepared(record, 'same', following) }, ...steps], rules);

const other = { record: { ...CHANGE, signature: 'other' }, prepared: undefined };
const doubt: StakingEvent = { type: 'proved', expired: [], unproven: other };

/** One example of each state. */
const states: Readonly<Record<StateName, StakingState>> = {
  requested: startState(STAKE),
  built: afterBuilt(STAKE, []),
  doubted: afterBuilt(STAKE, [doubt]),
  approved: afterBuilt(STAKE, [APPROVED]),
  signed: afterBuilt(STAKE, [APPROVED, signedAs]),
  submitted: afterBuilt(STAKE, [APPROVED, signedAs, { type: 'acknowledged' }]),
  landed: afterBuilt(CHANGE, [APPROVED, signedAs, LANDED], {}, 1),
  expired: afterBuilt(STAKE, [APPROVED, signedAs, EXPIRED]),
  replanned: afterBuilt(CHANGE, [APPROVED, signedAs, failed(CHANGED)]),
  refused: afterBuilt(STAKE, [{ type: 'declined' }]),
  unresolved: afterBuilt(STAKE, [APPROVED, signedAs, { type: 'unresolved', error: undefined }]),
};

const events: { readonly [Type in StakingEvent['type']]: Extract<StakingEvent, { type: Type }> } = {
  built: { type: 'built', prepared: prepared(STAKE) },
  proved: { type: 'proved', expired: [], unproven: undefined },
  approved: { type: 'approved', atMs: 0 },
  declined: { type: 'declined' },
  rebuild: { type: 'rebuild' },
  signed: { type: 'signed', record: { ...STAKE, signature: 'mine' }, extraInstructions: [] },
  notSigned: { type: 'notSigned', error: new Error('closed') },
  acknowledged: { type: 'acknowledged' },
  landed: { type: 'landed', response: { signature: 'mine' }, atMs: 1 },
  expired: { type: 'expired', error: failure('BLOCKHASH_EXPIRED') },
  unresolved: { type: 'unresolved', error: failure('NETWORK') },
  failed: { type: 'failed', error: new Error('no') },
};

const ASKED = { approved: 'approved', declined: 'refused', rebuild: 'requested', failed: 'refused' } as const;
const SENT = {
  acknowledged: 'submitted',
  landed: 'landed',
  expired: 'expired',
  unresolved: 'unresolved',
  failed: 'refused',
} as const;

/** Expected next states. Every event that is not listed is impossible. */
const table: Readonly<Record<StateName, Partial<Record<StakingEvent['type'], StateName>>>> = {
  requested: { built: 'built', landed: 'landed', failed: 'refused' },
  built: { ...ASKED, proved: 'built' },
  doubted: ASKED,
  approved: { signed: 'signed', notSigned: 'built', failed: 'refused' },
  signed: SENT,
  submitted: SENT,
  landed: { built: 'built', failed: 'refused' },
  expired: { rebuild: 'requested' },
  replanned: { rebuild: 'requested' },
  refused: {},
  unresolved: {},
};

test('in every state, each event either leads to exactly one state or is impossible', () => {
  for (const [name, state] of Object.entries(states) as [StateName, StakingState][]) {
    assert.equal(state.name, name);
    for (const [type, event] of Object.entries(events) as [StakingEvent['type'], StakingEvent][]) {
      const expected = table[name][type];
      if (expected === undefined)
        assert.throws(() => nextState(state, event), TypeError, `${name} × ${type}`);
      else assert.equal(nextState(state, event).name, expected, `${name} × ${type}`);
    }
  }
});

test('the flow ends when it is refused or unresolved, or when its last transaction has landed', () => {
  const ended = Object.values(states).filter(isFlowEnded);
  assert.deepEqual(
    ended.map(({ name }) => name),
    ['refused', 'unresolved'],
  );
  assert.equal(isFlowEnded(nextState(states.signed, LANDED)), true);
  assert.equal(isFlowEnded(states.landed), false, 'the plan has another transaction');
});

test('a signature is tracked until it lands or is proven expired, or until a person accepts that both may land', () => {
  const { open } = states.signed;
  assert.deepEqual(
    open.map(({ record }) => record.signature),
    ['mine'],
  );
  assert.deepEqual(nextState(states.signed, LANDED).open, []);
  assert.equal(states.expired.open.length, 1, 'it was not proven expired');
  const again = after(CHANGE, [{ type: 'built', prepared: prepared(CHANGE) }], { open: [other] });
  assert.deepEqual(nextState(again, { type: 'proved', expired: [other], unproven: undefined }).open, []);
  const signed = nextState(nextState(again, APPROVED), signedAs(again));
  assert.deepEqual(
    signed.open.map(({ record }) => record.signature),
    ['other', 'mine'],
    'another signature does not cancel the earlier one',
  );
  const doubted = nextState(again, doubt);
  assert.ok(doubted.name === 'doubted' && isHoldfastError(doubted.error, 'STILL_POSSIBLE'));
  assert.deepEqual(nextState(doubted, APPROVED).open, []);
  const stale = nextState(doubted, { type: 'approved', atMs: LIFE_MS });
  assert.deepEqual([stale.name, stale.open], ['expired', [other]], 'that approval led to no signature');
});

test('a transaction that is approved too late is rebuilt at most five times in a row, and is then signed although it is old', () => {
  const late: StakingEvent = { type: 'approved', atMs: LIFE_MS };
  assert.equal(afterBuilt(STAKE, [{ type: 'approved', atMs: LIFE_MS - 1 }]).name, 'approved');
  const share = { leastLifeShare: 0.75, mostBuilds: Number.POSITIVE_INFINITY };
  assert.equal(afterBuilt(STAKE, [{ type: 'approved', atMs: 15_000 }], share).name, 'expired');
  assert.equal(afterBuilt(STAKE, [{ type: 'approved', atMs: 14_999 }], share).name, 'approved');
  let state = startState(STAKE, share);
  let stale = 0;
  for (; state.name !== 'approved'; stale += 1) {
    state = nextState(state, { type: 'built', prepared: prepared(STAKE) });
    state = nextState(state, late);
    if (state.name === 'expired') state = nextState(state, { type: 'rebuild' });
  }
  assert.equal(stale, MAX_BUILDS + 1);
  assert.equal(
    afterBuilt(STAKE, [late], { mostBuilds: 1 }).name,
    'approved',
    'the transaction may not be built again',
  );
});

test('a signed transaction that has expired is rebuilt up to the limit', () => {
  let state = startState(STAKE);
  for (let builds = 1; builds <= MAX_BUILDS; builds += 1) {
    assert.equal(state.name, 'requested');
    for (const step of [
      { type: 'built', prepared: prepared(STAKE) } as const,
      APPROVED,
      signedAs(state),
      EXPIRED,
    ])
      state = nextState(state, step);
    if (builds < MAX_BUILDS) state = nextState(state, { type: 'rebuild' });
  }
  assert.ok(state.name === 'refused' && isHoldfastError(state.error, 'BLOCKHASH_EXPIRED'));
  assert.equal(state.isOver, false, 'its last signature may still land');
  const unattended = after({ ...STAKE, signature: 'mine' }, [EXPIRED]);
  assert.deepEqual([unattended.name, unattended.reason.attended], ['expired', false]);
  const followed = after({ ...STAKE, signature: 'mine' }, [EXPIRED], { mostBuilds: 0 });
  assert.deepEqual([followed.name, followed.isOver], ['refused', true]);
});

test('an approval covers rebuilt transactions with the same effects, up to the limit that the user interface sets', () => {
  const rounds = (count: number, fingerprint: string, rules: FlowRules): StakingState => {
    let state = afterBuilt(STAKE, [APPROVED, signedAs, EXPIRED], rules);
    for (let round = 1; round <= count; round += 1) {
      state = nextState(state, { type: 'rebuild' });
      state = nextState(state, { type: 'built', prepared: prepared(STAKE, fingerprint) });
      if (round < count)
        for (const step of [APPROVED, signedAs(state), EXPIRED]) state = nextState(state, step);
    }
    return state;
  };
  const page = { mostRenewals: 2, mostBuilds: Number.POSITIVE_INFINITY };
  assert.deepEqual(
    [1, 2, 3].map((count) => isAlreadyApproved(rounds(count, 'same', page))),
    [true, true, false],
  );
  assert.equal(isAlreadyApproved(rounds(1, 'same', {})), false, 'by default every rebuild needs an approval');
  const changed = rounds(1, 'more', page);
  assert.deepEqual([changed.reason.why, isAlreadyApproved(changed)], ['changed', false]);
  const late = (fingerprint: string) =>
    afterBuilt(
      STAKE,
      [
        { type: 'approved', atMs: LIFE_MS },
        { type: 'rebuild' },
        { type: 'built', prepared: prepared(STAKE, fingerprint) },
      ],
      page,
    );
  assert.deepEqual([isAlreadyApproved(late('same')), isAlreadyApproved(late('more'))], [true, false]);
  const plan = (later: string): StakingEvent => ({
    type: 'built',
    prepared: { ...prepared(CHANGE, 'same', 1), following: [prepared(CHANGE, later)] },
  });
  const planned = (later: string) =>
    after(CHANGE, [plan('same'), APPROVED, signedAs, EXPIRED, { type: 'rebuild' }, plan(later)], page);
  assert.deepEqual([isAlreadyApproved(planned('same')), isAlreadyApproved(planned('more'))], [true, false]);
  assert.equal(isAlreadyApproved(nextState(states.approved, events.notSigned)), false);
  assert.equal(
    isAlreadyApproved(nextState(nextState(states.built, { type: 'rebuild' }), events.built)),
    false,
  );
});

test('the transactions of a plan are sent one after another with separate keys and without a second approval', () => {
  const plan = afterBuilt(CHANGE, [APPROVED, signedAs, LANDED], {}, 2);
  const second = nextState(plan, { type: 'built', prepared: nextOfPlan(plan)! });
  assert.deepEqual(
    [second.name, second.record.idempotencyKey, second.record.part, second.builds, isAlreadyApproved(second)],
    ['built', 'key-2', { index: 2, of: 3 }, 1, true],
  );
  const third = [APPROVED, signedAs(second, 'second'), LANDED].reduce(nextState, second);
  assert.equal(nextOfPlan(third)?.record.idempotencyKey, 'key-3');
  assert.equal(third.landed.length, 2);
  const late = nextState(second, { type: 'approved', atMs: LIFE_MS });
  assert.equal(late.name, 'approved', 'a later transaction of a plan is never built on its own');
  const refused = [APPROVED, events.notSigned].reduce(nextState, second);
  assert.deepEqual([refused.name, isAlreadyApproved(refused)], ['built', false]);
  const resumed = after({ ...CHANGE, signature: 'mine', part: { index: 1, of: 3 } }, [LANDED]);
  assert.deepEqual([isFlowEnded(resumed), nextOfPlan(resumed)], [false, undefined]);
});

test('if a later transaction of a plan expires before it is signed, the rest is planned again, or the flow ends if the request has an amount', () => {
  for (const [amountLamports, name] of [
    [undefined, 'replanned'],
    ['5', 'refused'],
  ] as const) {
    const plan = afterBuilt({ ...CHANGE, amountLamports }, [APPROVED, signedAs, LANDED], {}, 1);
    const part = nextState(plan, { type: 'built', prepared: nextOfPlan(plan)! });
    assert.equal(nextState(part, { type: 'rebuild' }).name, name);
    const signed: StakingState = [APPROVED, signedAs(part)].reduce(nextState, part);
    assert.equal(nextState(signed, EXPIRED).name, name);
  }
});

test('a new plan, with a new key, is made while plans make progress, but never once part of an amount has landed', () => {
  const once = nextState(states.replanned, { type: 'rebuild' });
  assert.deepEqual(
    [once.name, once.record.idempotencyKey, once.record.signature, once.reason.why, once.builds],
    ['requested', 'key-again', undefined, 'first', 0],
  );
  assert.equal(once.open.length, 1, 'the signature of the earlier plan may still land');
  const built = nextState(once, { type: 'built', prepared: prepared(once.record, 'same', 1) });
  const signed: StakingState = [APPROVED, signedAs(built)].reduce(nextState, built);
  assert.equal(nextState(signed, failed(CHANGED)).name, 'refused', 'nothing landed since');
  const halfway = nextState(signed, LANDED);
  const part = nextState(halfway, { type: 'built', prepared: nextOfPlan(halfway)! });
  const twice = nextState(part, failed(CHANGED));
  assert.equal(twice.name, 'replanned', 'one landed since');
  assert.equal(nextState(twice, { type: 'rebuild' }).record.idempotencyKey, 'key-again-2');

  const stopped = nextState(
    afterBuilt({ ...CHANGE, amountLamports: '5' }, [APPROVED, signedAs, LANDED], {}, 1),
    failed(CHANGED),
  );
  assert.ok(stopped.name === 'refused' && stopped.error instanceof StoppedHalfway);
  assert.equal(stopped.error.cause, CHANGED);
  for (const error of [
    failure('INSUFFICIENT_BALANCE'),
    failure('BLOCKHASH_EXPIRED'),
    new Declined('no', {} as Prepared),
  ])
    assert.equal(afterBuilt(CHANGE, [APPROVED, signedAs, failed(error)]).name, 'refused', String(error));
  assert.equal(afterBuilt(STAKE, [APPROVED, signedAs, failed(CHANGED)]).name, 'refused', 'no plan');
});

test('a recorded later transaction is followed to its outcome, and the flow then reports how many have landed', () => {
  const part = (index: number, more: Partial<TransactionRecord> = {}) => ({
    ...CHANGE,
    part: { index, of: 3 },
    ...more,
  });
  const count = ({ error }: StakingState): number => (error as StoppedHalfway).count;
  const unsigned = startState(part(2));
  assert.deepEqual([unsigned.name, count(unsigned)], ['refused', 1]);
  const confirmed = startState(part(2, { signature: 'mine', confirmedAtMs: 1 }));
  assert.deepEqual([confirmed.name, count(confirmed)], ['refused', 2]);
  const second = startState(part(2, { signature: 'mine' }));
  const stopped = [LANDED, failed(undefined)].reduce(nextState, second);
  assert.deepEqual([stopped.name, count(stopped)], ['refused', 2]);
  const lost = nextState(second, EXPIRED);
  assert.deepEqual([lost.name, count(lost), lost.isOver], ['refused', 1, true]);
  assert.equal(isFlowEnded(nextState(startState(part(3, { signature: 'mine' })), LANDED)), true);
});

test('the stored record is removed only if nothing was signed or the outcome is known', () => {
  const over: StakingEvent = { type: 'failed', error: new Error('the chain refused it'), isOver: true };
  assert.equal(nextState(states.signed, over).isOver, true);
  assert.equal(nextState(states.built, { type: 'declined' }).isOver, true);
  assert.equal(nextState(states.approved, events.failed).isOver, false);
  assert.equal(states.unresolved.isOver, false);
  const { body } = states.unresolved.error as HoldfastError;
  assert.deepEqual([body?.signature, body?.idempotencyKey], ['mine', 'key']);
});

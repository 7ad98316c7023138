// Observers of a random account history at different times derive the same events with the same ids. Histories
// follow the Stake program's rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  delegatedStake,
  initializedStake,
  OWNER,
  SOL,
  STAKE_ADDRESS,
  STAKER,
  steadyHistory,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { factsOfPeriod, isAfter, type KnownPoint, type StakeFact } from './detect-stake-events.ts';
import { EPOCH_ABSENT, type StakeAccount } from './stake-account.ts';
import type { StakeOperation } from './stake-operation.ts';
import { type AccountStep, replayPeriods } from './stake-replay.ts';

const RUNS = process.env.HOLDFAST_TEST_FULL === '1' ? 20_000 : 400;
const SLOTS_PER_EPOCH = 100n;
const FIRST_EPOCH = 10n;
const account = STAKE_ADDRESS;

type Request = 'toggle' | 'close' | 'hand over' | 'wait' | 'end epoch';
const request = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Request>('toggle') },
  { weight: 1, arbitrary: fc.constant<Request>('close') },
  { weight: 1, arbitrary: fc.constant<Request>('hand over') },
  { weight: 1, arbitrary: fc.constant<Request>('wait') },
  { weight: 3, arbitrary: fc.constant<Request>('end epoch') },
);

/** The state of the chain after a slot. */
interface ReplayPoint extends KnownPoint {
  readonly state: StakeAccount | null;
  readonly step: AccountStep | null;
}

/** Applies the requests as the program would, one per slot. This model is the reference for replays. */
const live = (requests: readonly Request[]): readonly ReplayPoint[] => {
  let epoch = FIRST_EPOCH;
  let slot = epoch * SLOTS_PER_EPOCH;
  let state: StakeAccount | null = null;
  const moments: ReplayPoint[] = [{ epoch, slot, seconds: slot, state, step: null }];
  for (const one of requests) {
    slot = one === 'end epoch' ? (epoch + 1n) * SLOTS_PER_EPOCH : slot + 1n;
    epoch = slot / SLOTS_PER_EPOCH;
    const [next, operations] = act(one, state, epoch);
    state = next;
    const lamportsAfter = state?.lamports ?? 0n;
    const step = operations.length > 0 ? { slot, epoch, seconds: slot, operations, lamportsAfter } : null;
    moments.push({ epoch, slot, seconds: slot, state, step });
  }
  return moments;
};

const act = (
  one: Request,
  state: StakeAccount | null,
  epoch: bigint,
): readonly [StakeAccount | null, readonly StakeOperation[]] => {
  const delegate = { type: 'delegate', account, voteAccount: VOTE_ACCOUNT } as const;
  const delegation = state?.delegation ?? null;
  const isIdle = delegation === null || delegation.deactivationEpoch < epoch;
  const { activationEpoch, deactivationEpoch } = delegation ?? { activationEpoch: 0n, deactivationEpoch: 0n };
  const withdrawAuthority = state?.withdrawAuthority ?? OWNER;
  if (one === 'toggle' && state === null) {
    const made = {
      type: 'initialize',
      account,
      staker: OWNER,
      withdrawer: OWNER,
      lockup: delegatedStake().lockup,
    } as const;
    return [delegatedStake({ delegation: { activationEpoch: epoch } }), [made, delegate]];
  }
  if (one === 'toggle' && isIdle)
    return [delegatedStake({ withdrawAuthority, delegation: { activationEpoch: epoch } }), [delegate]];
  if (one === 'toggle' && deactivationEpoch === EPOCH_ABSENT)
    return [
      delegatedStake({ withdrawAuthority, delegation: { activationEpoch, deactivationEpoch: epoch } }),
      [{ type: 'deactivate', account }],
    ];
  // Deactivated and undone in this epoch: stake that was never effective starts activating again in the same
  // epoch.
  if (one === 'toggle')
    return [delegatedStake({ withdrawAuthority, delegation: { activationEpoch } }), [delegate]];
  if (one === 'close' && state !== null && isIdle)
    return [null, [{ type: 'withdraw', account, recipient: withdrawAuthority }]];
  if (one === 'hand over' && state !== null) {
    const newAuthority = withdrawAuthority === OWNER ? STAKER : OWNER;
    const handed = { type: 'authorize', account, role: 'withdrawer', newAuthority } as const;
    return [{ ...state, withdrawAuthority: newAuthority }, [handed]];
  }
  return [state, []];
};

const nameOf = ({ type, wallet, identity }: StakeFact): string => `${type} ${wallet} ${identity}`;
const namesOf = (facts: readonly StakeFact[]): readonly string[] =>
  [...new Set(facts.map(nameOf))].toSorted();

/**
 * Returns the events that an observer who knew the account at `from` sees at `to`. If `from` is null, covers
 * the account's whole history.
 */
const factsBetween = (
  moments: readonly ReplayPoint[],
  from: number | null,
  to: number,
): readonly StakeFact[] => {
  const now = moments[to]!;
  const start = from === null ? null : moments[from]!.state;
  const steps = moments.slice(from === null ? 0 : from + 1, to + 1).flatMap(({ step }) => step ?? []);
  const earlier = moments.slice(0, (from ?? -1) + 1).flatMap(({ step }) => step ?? []);
  const delegated = earlier.findLast(({ operations }) => operations.some(({ type }) => type === 'delegate'));
  const replay = replayPeriods({
    address: account,
    voteAccount: VOTE_ACCOUNT,
    assumedWithdrawer: OWNER,
    start,
    delegatedEpoch: delegated?.epoch ?? null,
    isWhole: from === null,
    steps,
    end: now.state,
    history: steadyHistory(0n, now.epoch),
  });
  assert.ok(replay.ok, 'the replay must reach the same state as the model');
  const seen = { epoch: now.epoch, seconds: now.seconds, history: steadyHistory(0n, now.epoch) };
  return replay.periods.flatMap((period) => factsOfPeriod(account, period, seen));
};

const lives = fc.array(request, { minLength: 2, maxLength: 24 });
const cuts = fc.array(fc.nat(), { maxLength: 6 });
const holds = <Args extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Args>): void =>
  fc.assert(property, { numRuns: RUNS, seed: 20_261_121 });

test('a single observation at the end yields the same events as any number of observations in between', () => {
  let facts = 0;
  holds(
    fc.property(lives, cuts, (requests, some) => {
      const moments = live(requests);
      const last = moments.length - 1;
      const stops = [...new Set(some.map((one) => one % moments.length)), last].toSorted((a, b) => a - b);
      const named = new Set<string>();
      let from = 0;
      for (const to of stops) {
        for (const fact of factsBetween(moments, from, to))
          if (isAfter(fact.stamp, moments[from]!)) named.add(nameOf(fact));
        from = to;
      }
      const whole = namesOf(factsBetween(moments, null, last));
      facts += whole.length;
      assert.deepEqual([...named].toSorted(), whole);
    }),
  );
  assert.ok(facts > RUNS);
});

test('an event keeps its id forever, and no event disappears later', () => {
  holds(
    fc.property(lives, (requests) => {
      const moments = live(requests);
      const whole = new Set(namesOf(factsBetween(moments, null, moments.length - 1)));
      for (let to = 0; to < moments.length; to += 1)
        for (const name of namesOf(factsBetween(moments, null, to))) assert.ok(whole.has(name), name);
    }),
  );
});

test('a new subscriber receives every event that occurs later, and no earlier one', () => {
  let before = 0;
  holds(
    fc.property(lives, fc.nat(), (requests, at) => {
      const moments = live(requests);
      const registered = at % moments.length;
      const old = new Set(namesOf(factsBetween(moments, null, registered)));
      const whole = factsBetween(moments, null, moments.length - 1);
      // An event that recurs after the account was transferred to another owner and back is the same event as
      // before.
      const first = new Map(whole.toReversed().map((fact) => [nameOf(fact), fact]));
      const news = [...first.values()].filter(({ stamp }) => isAfter(stamp, moments[registered]!));
      before += old.size;
      assert.deepEqual(
        namesOf(news),
        namesOf(whole).filter((name) => !old.has(name)),
      );
    }),
  );
  assert.ok(before > 0);
});

test('repeated deactivations are one event within an epoch, and different events in different epochs', () => {
  holds(
    fc.property(fc.nat({ max: 5 }), fc.boolean(), fc.boolean(), (times, isActive, isLater) => {
      const again = Array.from({ length: times }, (): Request[] => ['toggle', 'toggle']).flat();
      const moments = live([
        'toggle',
        ...(isActive ? (['end epoch'] as const) : []),
        'toggle',
        ...again,
        ...(isLater ? (['toggle', 'end epoch', 'toggle'] as const) : []),
      ]);
      const facts = factsBetween(moments, null, moments.length - 1);
      const names = facts.flatMap((fact) => (fact.type === 'stake_deactivated' ? [nameOf(fact)] : []));
      assert.equal(names.length, isLater ? 2 : 1);
      assert.equal(new Set(names).size, names.length);
    }),
  );
});

test('a state that the steps cannot produce is refused', () => {
  const input = {
    address: account,
    voteAccount: VOTE_ACCOUNT,
    assumedWithdrawer: OWNER,
    delegatedEpoch: null,
    isWhole: true,
    steps: [],
    history: steadyHistory(0n, 20n),
  };
  const differs = { ok: false, reason: 'differs' };
  const stake = delegatedStake();
  const ended = delegatedStake({ delegation: { deactivationEpoch: 12n } });
  assert.deepEqual(replayPeriods({ ...input, start: null, end: stake }), differs);
  assert.deepEqual(replayPeriods({ ...input, start: stake, end: null }), differs);
  assert.deepEqual(replayPeriods({ ...input, start: stake, end: ended }), differs);
  assert.deepEqual(replayPeriods({ ...input, start: stake, end: initializedStake() }), differs);
  const handedOver = delegatedStake({ withdrawAuthority: STAKER });
  assert.deepEqual(replayPeriods({ ...input, start: stake, end: handedOver }), differs);
  // Rewards and transfers do not affect periods.
  const richer = delegatedStake({ lamports: 500n * SOL, delegation: { stakeLamports: 400n * SOL } });
  assert.equal(replayPeriods({ ...input, start: stake, end: richer }).ok, true);
});

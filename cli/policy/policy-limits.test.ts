// Tests policy rules that the random sequences of POLICY-1 do not reach: hours, operations, targets, unknown
// amounts, and the time at which a refused request becomes possible.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policyText } from '../../test/support/policy-acts.ts';
import { parsePolicy } from './policy-file.ts';
import {
  type Act,
  actRefusal,
  amountForPerson,
  type DecisionTime,
  NOTHING_SPENT,
  type PolicyState,
  type SignedSpend,
} from './policy-limits.ts';

const SOL = 1_000_000_000n;
const [VALIDATOR] = JSON.parse(policyText()).validators as [string];
const WALLET = JSON.parse(policyText()).wallet as string;
const OTHER = '11111111111111111111111111111113';

const policyOf = (members: Readonly<Record<string, unknown>> = {}) =>
  parsePolicy(policyText(members), '/policies/policy.json');
const NONE = { stake: 0n, unstake: 0n, withdraw: 0n, fees: 0n };
const act = (more: Partial<Act> = {}): Act => ({
  operations: ['stake'],
  amounts: { ...NONE, stake: 2n * SOL },
  validators: [VALIDATOR],
  recipients: [],
  account: null,
  closed: [],
  ...more,
});
const at = (time: string, epoch: number | null = 700): DecisionTime => ({
  ms: Date.parse(`2026-11-27T${time}Z`),
  epoch,
});
const spent = (
  ...times: readonly (readonly [time: string, sol: bigint | null, epoch?: number])[]
): PolicyState => ({
  ...NOTHING_SPENT,
  spends: times.map(
    ([time, sol, epoch = 700], index): SignedSpend => ({
      n: index + 1,
      atMs: at(time).ms,
      epoch,
      amounts: { ...NONE, stake: sol === null ? null : sol * SOL },
      account: null,
      closed: [],
      intent: String(index),
      covers: [],
      signatures: [],
      isRepeated: false,
    }),
  ),
});
const refusal = (members: object, given: Act, now: DecisionTime = at('12:00:00'), state = NOTHING_SPENT) =>
  actRefusal(policyOf({ ...members }), state, given, now);

test('hours are in UTC, exclude their end, and may span midnight', () => {
  const day = { hours: { from: '08:00', to: '18:00' } };
  const night = { hours: { from: '22:00', to: '06:00' } };
  for (const [members, times, code] of [
    [day, ['08:00:00', '17:59:59'], undefined],
    [day, ['07:59:59', '18:00:00', '00:00:00'], 'POLICY_HOURS'],
    [night, ['22:00:00', '23:59:59', '00:00:00', '05:59:59'], undefined],
    [night, ['06:00:00', '21:59:59'], 'POLICY_HOURS'],
  ] as const)
    for (const time of times) assert.equal(refusal(members, act(), at(time))?.code, code, time);
});

test('an operation, validator or recipient that the policy does not name is refused', () => {
  assert.equal(refusal({}, act()), null);
  assert.equal(refusal({}, act({ operations: ['migrate'] }))?.code, 'POLICY_OPERATION');
  assert.equal(
    refusal({ operations: ['withdraw'] }, act({ operations: ['withdraw', 'unstake'] }))?.code,
    'POLICY_OPERATION',
  );
  assert.equal(refusal({}, act({ validators: [VALIDATOR, OTHER] }))?.code, 'POLICY_VALIDATOR');
  assert.equal(refusal({}, act({ recipients: [WALLET] })), null);
  assert.equal(refusal({}, act({ recipients: [WALLET, OTHER] }))?.code, 'POLICY_RECIPIENT');
});

test('an unknown amount is refused if a limit applies to it, and so is every later request with that limit', () => {
  const unknown = act({ operations: ['unstake'], amounts: { ...NONE, unstake: null } });
  assert.equal(refusal({}, unknown), null);
  assert.equal(refusal({ limits: { unstake: { day: 5 } } }, unknown)?.code, 'POLICY_AMOUNT_UNKNOWN');
  assert.equal(refusal({ limits: { stake: { day: 5 } } }, unknown), null);
  // The unknown amount was signed before the policy had a limit.
  const limits = { limits: { stake: { day: 5 } } };
  assert.equal(
    refusal(limits, act(), at('12:00:00'), spent(['11:00:00', null]))?.code,
    'POLICY_AMOUNT_UNKNOWN',
  );
  assert.deepEqual(amountForPerson(policyOf({ approveAbove: 5 }), unknown), { lamports: null });
  assert.equal(amountForPerson(policyOf({ approveAbove: 2 }), act()), null);
  assert.deepEqual(amountForPerson(policyOf({ approveAbove: 1.999999999 }), act()), { lamports: 2n * SOL });
});

test('a limit per epoch requires a node that reports the epoch, and a spend without a known epoch counts for every epoch', () => {
  const limits = { limits: { stake: { epoch: 3 } } };
  assert.equal(refusal(limits, act(), at('12:00:00', null))?.code, 'POLICY_EPOCH_UNKNOWN');
  assert.equal(refusal(limits, act({ amounts: NONE }), at('12:00:00', null)), null);
  const state = spent(['01:00:00', 2n, 699]);
  assert.equal(refusal(limits, act(), at('12:00:00'), state), null);
  assert.deepEqual(refusal(limits, act(), at('12:00:00', 699), state)?.details?.freesInEpoch, 700);
  const [unknown] = state.spends;
  const inEveryEpoch = { ...state, spends: [{ ...unknown!, epoch: null }] };
  assert.equal(refusal(limits, act(), at('12:00:00'), inEveryEpoch)?.code, 'POLICY_LIMIT');
});

test('a refusal states the earliest possible time, at which the request is then allowed', () => {
  const state = spent(['09:00:00', 1n], ['10:00:00', 2n], ['11:00:00', 1n]);
  const members = { limits: { stake: { each: 4, day: 4 } } };
  for (const [sol, frees] of [
    [1n, '2026-11-28T09:00:00.000Z'],
    [2n, '2026-11-28T10:00:00.000Z'],
    [4n, '2026-11-28T11:00:00.000Z'],
  ] as const) {
    const given = act({ amounts: { ...NONE, stake: sol * SOL } });
    const { code, details } = refusal(members, given, at('12:00:00'), state)!;
    assert.deepEqual([code, details?.freesAt, details?.leftSol], ['POLICY_LIMIT', frees, '0']);
    const then = Date.parse(frees);
    assert.equal(refusal(members, given, { ms: then, epoch: 700 }, state), null);
    assert.notEqual(refusal(members, given, { ms: then - 1, epoch: 700 }, state), null);
  }
  // The stated time must satisfy every limit, not only the first one that refuses.
  const both = { limits: { stake: { each: 3, hour: 3, day: 3 } } };
  const last = spent(['11:50:00', 2n]);
  const { message, details } = refusal(both, act(), at('12:00:00'), last)!;
  const day = '2026-11-28T11:50:00.000Z';
  assert.deepEqual([details?.period, details?.freesAt], ['hour', day]);
  assert.match(
    message,
    new RegExp(`It is possible from ${day}, because of the limit of 3 SOL staked in any 24 hours\\.$`),
  );
  assert.notEqual(refusal(both, act(), at('13:00:00'), last), null);
  const never = refusal(members, act({ amounts: { ...NONE, stake: 5n * SOL } }), at('12:00:00'), state)!;
  assert.deepEqual([never.details?.period, never.details?.freesAt], ['each', null]);
});

test('each mistake in a policy has its own message, with the allowed values', () => {
  const problem = (members: Readonly<Record<string, unknown>>): string => {
    try {
      parsePolicy(policyText(members), '/policies/policy.json');
    } catch (error) {
      return (error as Error).message.replace('the policy /policies/policy.json is invalid: ', '');
    }
    return assert.fail('accepted');
  };
  assert.equal(
    problem({ limits: { stake: { hours: 5 } } }),
    'limits.stake: there is no field "hours". Did you mean hour?',
  );
  assert.equal(
    problem({ limits: { rent: {} } }),
    'limits: there is no field "rent". The fields are stake, unstake, withdraw, fees.',
  );
  assert.match(
    problem({ operations: ['stakes'] }),
    /^operations\.0: "stakes" is not one of stake, topup, .*\. Did you mean stake\?$/,
  );
  assert.equal(problem({ wallet: undefined }), 'wallet: is missing');
  assert.equal(problem({ validators: 'x' }), 'validators: must be a list');
  assert.equal(problem({ validators: [] }), 'validators: is empty');
  assert.equal(problem({ approveAbove: [] }), 'approveAbove: is not an amount of SOL');
  assert.equal(problem({ version: 2 }), 'version: 2 is not one of 1.');
});

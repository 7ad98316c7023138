// Tests that the budget reports what is used and left, and that advice never exceeds it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  addressOf,
  policyRequest,
  policyText,
  SOL,
  stakeAct,
  walletAddress,
} from '../../test/support/policy-acts.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSignatureLedger } from '../act/signature-ledger.ts';
import { readPolicy } from '../policy/policy-file.ts';
import { createPolicyGuard } from '../policy/policy-guard.ts';
import { createSigningBudget } from './signing-budget.ts';

const NOW_MS = Date.parse('2026-11-28T12:00:00.000Z');
const EPOCH = 700;
const { signal } = new AbortController();

const start = (t: TestContext, members: object, maxStakeSol?: bigint) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'policy.json');
  writeFileSync(path, policyText(members as Record<string, unknown>));
  const clock = { ms: NOW_MS };
  const guard = createPolicyGuard(readPolicy(path), { now: () => clock.ms, steadyMs: () => 0 });
  const ledger = createSignatureLedger({ XDG_CONFIG_HOME: folder }, 'http://service', () => clock.ms);
  const budget = createSigningBudget({
    walletAddress,
    ledger,
    policy: guard,
    node: async () => ({ epoch: async () => EPOCH }) as never,
    budgetLamports: maxStakeSol === undefined ? undefined : maxStakeSol * SOL,
  });
  const spend = async (sol: bigint, account: number) => {
    const request = await policyRequest(stakeAct(sol * SOL, addressOf(account)), `key ${account}`);
    guard.reserve(request, EPOCH);
    const { prepared } = request;
    const { record } = prepared;
    ledger.reserve({ record, requestKey: record.idempotencyKey, message: new Uint8Array(), prepared });
  };
  const advise = async (action: string, amountSol: number, minimumSol: number | null = 1.5) => {
    const recommendedAction = { action, reason: 'Idle.', endpoint: 'stake', amountSol };
    const summary = await budget.limitAdvice({ recommendedAction }, async () => minimumSol, signal);
    return summary.recommendedAction as Record<string, unknown>;
  };
  return { budget, spend, advise, clock, path };
};

test('the budget lists each limit with the amounts used and left, and when more is left', async (t) => {
  const { budget, spend, clock } = start(
    t,
    {
      limits: { stake: { each: 4, day: 10, epoch: 20 } },
      approveAbove: 3,
      hours: { from: '08:00', to: '18:00' },
    },
    9n,
  );
  const limit = { amount: 'stake', freesAt: null, allFreeAt: null, freesInEpoch: null };
  const unused = await budget.read(signal);
  assert.deepEqual(unused.limits, [
    { ...limit, period: 'day', limitSol: 9, usedSol: 0, leftSol: 9 },
    { ...limit, period: 'each', limitSol: 4, usedSol: 0, leftSol: 4 },
    { ...limit, period: 'day', limitSol: 10, usedSol: 0, leftSol: 10 },
    { ...limit, period: 'epoch', limitSol: 20, usedSol: 0, leftSol: 20 },
  ]);
  assert.deepEqual(
    [unused.operations, unused.hours, unused.approveAboveSol, unused.currentEpoch, unused.refusedNow],
    [['stake', 'unstake', 'withdraw'], 'from 08:00 to 18:00 UTC', 3, EPOCH, null],
  );
  await spend(2n, 1);
  clock.ms += 60_000;
  await spend(3n, 2);
  const times = { freesAt: '2026-11-29T12:00:00.000Z', allFreeAt: '2026-11-29T12:01:00.000Z' };
  assert.deepEqual((await budget.read(signal)).limits, [
    { ...limit, ...times, period: 'day', limitSol: 9, usedSol: 5, leftSol: 4 },
    { ...limit, period: 'each', limitSol: 4, usedSol: 0, leftSol: 4 },
    { ...limit, ...times, period: 'day', limitSol: 10, usedSol: 5, leftSol: 5 },
    { ...limit, period: 'epoch', limitSol: 20, usedSol: 5, leftSol: 15, freesInEpoch: EPOCH + 1 },
  ]);
  assert.equal(
    (await budget.read(signal)).message,
    [
      '4 of 9 SOL is left to be staked in any 24 hours, more from 2026-11-29T12:00:00.000Z.',
      '4 of 4 SOL is left to be staked in one request.',
      '5 of 10 SOL is left to be staked in any 24 hours, more from 2026-11-29T12:00:00.000Z.',
      '15 of 20 SOL is left to be staked in one epoch, more from epoch 701.',
      'A person must approve more than 3 SOL in one request.',
    ].join(' '),
    'the text that a model reads',
  );
  clock.ms = Date.parse(times.freesAt);
  const [maxStake, , day] = (await budget.read(signal)).limits as { leftSol: number }[];
  assert.deepEqual([maxStake!.leftSol, day!.leftSol], [6, 7], 'the reported time is true');
  clock.ms = Date.parse('2026-11-29T19:00:00.000Z');
  assert.equal(((await budget.read(signal)).refusedNow as { errorCode: string }).errorCode, 'POLICY_HOURS');
});

test('a recommended stake is lowered to what is left, and becomes a wait if that is below the minimum stake', async (t) => {
  const { advise, spend } = start(t, { limits: { stake: { day: 6 } } });
  assert.deepEqual(await advise('STAKE', 5), {
    ...{ action: 'STAKE', reason: 'Idle.', endpoint: 'stake', amountSol: 5 },
  });
  await spend(2n, 1);
  const lowered = await advise('STAKE', 5);
  assert.deepEqual([lowered.action, lowered.amountSol], ['STAKE', 4]);
  assert.deepEqual(lowered.policy, { askedSol: '5', allowedSol: '4' });
  for (const minimum of [4.1, null]) {
    const waiting = await advise('STAKE', 5, minimum);
    assert.deepEqual(
      [waiting.action, waiting.amountSol, waiting.endpoint],
      ['WAIT', undefined, 'check_budget'],
    );
    assert.match(String(waiting.reason), /^Idle\. The policy allows 6 SOL .*possible from 2026-11-29T12:00/);
    assert.deepEqual(waiting.policy, { errorCode: 'POLICY_LIMIT', askedSol: '5' });
  }
});

test('advice names what a person must approve, what the policy does not allow, and the limit of --max-stake', async (t) => {
  const person = start(t, { approveAbove: 2, limits: { stake: { day: 6 } } });
  const asked = await person.advise('STAKE', 9);
  assert.deepEqual(
    [asked.amountSol, asked.policy],
    [6, { askedSol: '9', allowedSol: '6', needsPerson: true, approveAboveSol: '2' }],
  );
  const withdrawal = await person.advise('WITHDRAW', 3);
  assert.deepEqual(withdrawal.policy, { needsPerson: true, approveAboveSol: '2' });
  const limited = start(t, { operations: ['stake'] }, 3n);
  const refused = await limited.advise('WITHDRAW', 3);
  assert.deepEqual(
    [refused.action, refused.policy],
    ['HOLD', { errorCode: 'POLICY_OPERATION', askedSol: '3' }],
  );
  const lowered = await limited.advise('STAKE', 9);
  assert.deepEqual([lowered.amountSol, lowered.policy], [3, { askedSol: '9', allowedSol: '3' }]);
  assert.equal((await limited.advise('HOLD', 9)).amountSol, 9);
  writeFileSync(limited.path, '{}');
  const changed = await limited.advise('STAKE', 2);
  assert.deepEqual(
    [changed.action, changed.policy],
    ['WAIT', { errorCode: 'POLICY_CHANGED', askedSol: '2' }],
  );
});

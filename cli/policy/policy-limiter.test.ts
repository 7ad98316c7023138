// The limiter at the signature: a plan of several transactions counts once and in full, only its own messages are
// covered, and the bytes decide about amounts.
import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { fromBase64 } from '../../client/staking/base64.ts';
import { takeApart } from '../../client/staking/wire-signatures.ts';
import { changeBytes, unstakeBytes } from '../../test/support/honest-answers.ts';
import {
  addressOf,
  type PlannedAct,
  policyRequest,
  policyText,
  SOL,
  SUBJECT,
  stakeAct,
  walletAddress,
  withdrawAct,
} from '../../test/support/policy-acts.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { readPolicy } from './policy-file.ts';
import { createPolicyLimiter, type PolicyRequest } from './policy-limiter.ts';
import { actOf, messageHash } from './signed-act.ts';

const start = (t: TestContext, members: Readonly<Record<string, unknown>>) => {
  const path = join(temporaryFolder(t), 'policy.json');
  writeFileSync(path, policyText(members));
  return { path, open: () => createPolicyLimiter(readPolicy(path)) };
};

const withdraws = (lamports: bigint, account: number): string =>
  changeBytes({
    type: 'withdraw',
    account: addressOf(account),
    to: walletAddress as Address,
    lamports,
    authority: walletAddress as Address,
  });

/** A plan of two transactions that withdraw 2 and 1 SOL. */
const plan: PlannedAct = {
  request: { kind: 'rearrange', walletAddress, goal: 'withdraw-all' },
  transaction: withdraws(2n * SOL, 1),
  following: [withdraws(SOL, 2)],
};

/** The next transaction of a plan, like the flow continues it. */
const nextOf = ({ idempotencyKey, prepared }: PolicyRequest): PolicyRequest => {
  const [next] = prepared.following;
  return {
    idempotencyKey,
    prepared: {
      ...prepared,
      ...next!,
      following: [],
      record: { ...next!.record, part: { index: 2, of: 2 } },
    },
    transactionSha256: messageHash(takeApart(fromBase64(next!.built.transaction)).message),
  };
};

test('a plan counts in full with its first transaction, and its later ones only once', async (t) => {
  const { open } = start(t, { limits: { withdraw: { day: 4 } } });
  const limiter = open();
  const first = await policyRequest(plan, 'plan');
  const one = (sol: bigint, account: number) =>
    policyRequest(withdrawAct(sol * SOL, addressOf(account)), `key ${account}`);
  limiter.reserve(first, 700);
  const over = await one(2n, 3);
  assert.throws(() => open().reserve(over, 700), { code: 'POLICY_LIMIT' });
  // After a crash the plan's own message is still covered.
  open().reserve(nextOf(first), 700);
  open().reserve(await one(1n, 4), 700);
  const rest = await one(1n, 5);
  assert.throws(() => open().reserve(rest, 700), { code: 'POLICY_LIMIT' });
});

test('a proof that one transaction expired frees a single act, but not a plan whose others may still land', async (t) => {
  const { open } = start(t, { limits: { withdraw: { day: 3 } } });
  const limiter = open();
  const first = await policyRequest(plan, 'plan');
  const other = await policyRequest(withdrawAct(SOL, addressOf(3)), 'other');
  limiter.signed(limiter.reserve(first, 700), first.transactionSha256, 'signature');
  limiter.proveDead('signature');
  assert.throws(() => limiter.reserve(other, 700), { code: 'POLICY_LIMIT' });
  const single = start(t, { limits: { withdraw: { day: 1 } } }).open();
  single.signed(single.reserve(other, 700), other.transactionSha256, 'signature');
  single.proveDead('another signature');
  const next = await policyRequest(withdrawAct(SOL, addressOf(4)), 'next');
  assert.throws(() => single.reserve(next, 700), { code: 'POLICY_LIMIT' });
  single.proveDead('signature');
  single.reserve(next, 700);
});

test("an approval does not cover another request's transaction, though its effects are the same", async (t) => {
  const limiter = start(t, { approveAbove: 1 }).open();
  const [one, other] = [
    await policyRequest(withdrawAct(2n * SOL, addressOf(1)), 'one'),
    await policyRequest(withdrawAct(2n * SOL, addressOf(1), 2), 'other'),
  ];
  assert.match(limiter.check(one, 700)!, /2 SOL withdrawn/);
  limiter.answered(one, 'approved');
  assert.throws(() => limiter.reserve(other, 700), { code: 'POLICY_NEEDS_PERSON' });
  limiter.reserve(one, 700);
});

test('a later transaction of a plan that was not counted is not signed', async (t) => {
  const { open } = start(t, {});
  const later = nextOf(await policyRequest(plan, 'plan'));
  assert.throws(() => open().reserve(later, 700), /not approved/);
  const first = await policyRequest(plan, 'plan');
  const other = { ...first, transactionSha256: '0'.repeat(64) };
  assert.throws(() => open().reserve(other, 700), /not approved/, 'other bytes than the verified ones');
});

test('the bytes decide: amounts, targets and recipients; a whole account that is unstaked has no amount without a node', async () => {
  const staked = actOf((await policyRequest(stakeAct(2n * SOL, addressOf(1)), 'a')).prepared);
  assert.deepEqual(staked.amounts, { stake: 2n * SOL, unstake: 0n, withdraw: 0n, fees: 10_000n });
  assert.deepEqual(
    [staked.validators, staked.recipients, staked.account],
    [[SUBJECT.voteAccount], [], addressOf(1)],
  );
  const both = actOf((await policyRequest(plan, 'b')).prepared);
  assert.deepEqual(
    [both.amounts.withdraw, both.recipients, both.closed.length],
    [3n * SOL, [walletAddress], 2],
  );
  const unstake: PlannedAct = {
    request: { kind: 'unstake', walletAddress, stakeAccountAddress: addressOf(1) },
    transaction: unstakeBytes({ stakeAccount: addressOf(1) }),
  };
  assert.deepEqual(actOf((await policyRequest(unstake, 'c')).prepared).amounts, {
    stake: 0n,
    unstake: null,
    withdraw: 0n,
    fees: 5_000n,
  });
});

test('a link or another path to a policy leads to the same budget', async (t) => {
  const { path, open } = start(t, { limits: { stake: { day: 3 } } });
  const link = join(temporaryFolder(t), 'link.json');
  symlinkSync(path, link);
  open().reserve(await policyRequest(stakeAct(2n * SOL, addressOf(1)), 'a'), 700);
  const second = await policyRequest(stakeAct(2n * SOL, addressOf(2)), 'b');
  assert.throws(() => createPolicyLimiter(readPolicy(link)).reserve(second, 700), { code: 'POLICY_LIMIT' });
});

test('anything at the path of the freeze file freezes, also a folder and a link to nothing', async (t) => {
  const { path, open } = start(t, { freezeFile: 'freeze' });
  const freeze = join(path, '..', 'freeze');
  const request = await policyRequest(stakeAct(2n * SOL, addressOf(1)), 'a');
  const limiter = open();
  mkdirSync(freeze);
  assert.throws(() => limiter.reserve(request, 700), { code: 'POLICY_FROZEN' });
  rmdirSync(freeze);
  symlinkSync('/nowhere', freeze);
  assert.throws(() => limiter.reserve(request, 700), { code: 'POLICY_FROZEN' });
});

test('while a program runs, a clock that is set back does not stop the time', async (t) => {
  const { path } = start(t, { limits: { stake: { hour: 2 } } });
  let [wallMs, steadyMs] = [Date.parse('2026-11-27T12:00:00Z'), 0];
  const limiter = createPolicyLimiter(readPolicy(path), { now: () => wallMs, steadyMs: () => steadyMs });
  limiter.reserve(await policyRequest(stakeAct(2n * SOL, addressOf(1)), 'a'), 700);
  wallMs -= 24 * 3_600_000;
  steadyMs += 3_600_000 - 1;
  const second = await policyRequest(stakeAct(2n * SOL, addressOf(2)), 'b');
  assert.throws(() => limiter.reserve(second, 700), { code: 'POLICY_LIMIT' });
  steadyMs += 1;
  limiter.reserve(second, 700);
});

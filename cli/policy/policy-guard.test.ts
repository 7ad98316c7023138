// Tests that the guard checks each signature, that a plan of several transactions counts once and in full and
// covers only its own messages, and that amounts come from the bytes.
import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { fromBase64 } from '../../client/staking/base64.ts';
import { takeApart } from '../../client/staking/wire-signatures.ts';
import { changeBytes, stakeBytes, unstakeBytes, VOTE_ACCOUNT } from '../../test/support/honest-responses.ts';
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
import { chainFacts, delegatedStake } from '../../test/support/stake-account-examples.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { readPolicy } from './policy-file.ts';
import { createPolicyGuard, type PolicyRequest } from './policy-guard.ts';
import { actOf, messageHash } from './signed-act.ts';

const start = (t: TestContext, members: Readonly<Record<string, unknown>>) => {
  const path = join(temporaryFolder(t), 'policy.json');
  writeFileSync(path, policyText(members));
  return { path, open: () => createPolicyGuard(readPolicy(path)) };
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

/** The next transaction of a plan, as the flow would continue it. */
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

test('the first transaction of a plan counts the whole plan, and the later ones are not counted again', async (t) => {
  const { open } = start(t, { limits: { withdraw: { day: 4 } } });
  const guard = open();
  const first = await policyRequest(plan, 'plan');
  const one = (sol: bigint, account: number) =>
    policyRequest(withdrawAct(sol * SOL, addressOf(account)), `key ${account}`);
  guard.reserve(first, 700);
  const over = await one(2n, 3);
  assert.throws(() => open().reserve(over, 700), { code: 'POLICY_LIMIT' });
  // After a crash the message of the plan's next transaction is still covered.
  open().reserve(nextOf(first), 700);
  open().reserve(await one(1n, 4), 700);
  const rest = await one(1n, 5);
  assert.throws(() => open().reserve(rest, 700), { code: 'POLICY_LIMIT' });
});

test('a proven expiry frees the amount of a single transaction, but not that of a plan with others that may land', async (t) => {
  const { open } = start(t, { limits: { withdraw: { day: 3 } } });
  const guard = open();
  const first = await policyRequest(plan, 'plan');
  const other = await policyRequest(withdrawAct(SOL, addressOf(3)), 'other');
  guard.signed(guard.reserve(first, 700), first.transactionSha256, 'signature');
  guard.proveDead('signature');
  assert.throws(() => guard.reserve(other, 700), { code: 'POLICY_LIMIT' });
  const single = start(t, { limits: { withdraw: { day: 1 } } }).open();
  single.signed(single.reserve(other, 700), other.transactionSha256, 'signature');
  single.proveDead('another signature');
  const next = await policyRequest(withdrawAct(SOL, addressOf(4)), 'next');
  assert.throws(() => single.reserve(next, 700), { code: 'POLICY_LIMIT' });
  single.proveDead('signature');
  single.reserve(next, 700);
});

test("an approval does not cover another request's transaction, even if its effects are the same", async (t) => {
  const guard = start(t, { approveAbove: 1 }).open();
  const [one, other] = [
    await policyRequest(withdrawAct(2n * SOL, addressOf(1)), 'one'),
    await policyRequest(withdrawAct(2n * SOL, addressOf(1), 2), 'other'),
  ];
  assert.match(guard.check(one, 700)!, /2 SOL withdrawn/);
  guard.answered(one, 'approved');
  assert.throws(() => guard.reserve(other, 700), { code: 'POLICY_NEEDS_PERSON' });
  guard.reserve(one, 700);
});

test('a later transaction of a plan is not signed if the plan was not counted', async (t) => {
  const { open } = start(t, {});
  const later = nextOf(await policyRequest(plan, 'plan'));
  assert.throws(() => open().reserve(later, 700), /not approved/);
  const first = await policyRequest(plan, 'plan');
  const other = { ...first, transactionSha256: '0'.repeat(64) };
  assert.throws(() => open().reserve(other, 700), /not approved/, 'bytes other than the verified ones');
});

test('amounts, validators and recipients come from the bytes, and without a node the amount is unknown if a whole account is unstaked', async () => {
  const staked = actOf((await policyRequest(stakeAct(2n * SOL, addressOf(1)), 'a')).prepared);
  assert.deepEqual(staked.amounts, { stake: 2n * SOL, unstake: 0n, withdraw: 0n, fees: 10_000n });
  assert.deepEqual(
    [staked.validators, staked.recipients, staked.account],
    [[SUBJECT.voteAccount], [], addressOf(1)],
  );
  const stakeAuthority = addressOf(9);
  const given: PlannedAct = {
    request: { kind: 'stake', walletAddress, amountLamports: 2n * SOL, stakeAuthority },
    transaction: stakeBytes({ lamports: 2n * SOL, stakeAccount: addressOf(1), stakeAuthority }),
  };
  assert.deepEqual(
    actOf((await policyRequest(given, 'd')).prepared).recipients,
    [stakeAuthority],
    'a new stake authority must be allowed by the policy',
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

test('merging accounts stakes nothing new, if a node proves that both are in the same state', async () => {
  const authority = walletAddress as Address;
  const activating = (number: number) =>
    delegatedStake({
      address: addressOf(number),
      stakeAuthority: authority,
      withdrawAuthority: authority,
      delegation: { voteAccount: VOTE_ACCOUNT, activationEpoch: 20n },
    });
  const [one, other] = [activating(1), activating(2)];
  const tidy: PlannedAct = {
    request: { kind: 'rearrange', walletAddress, goal: 'tidy' },
    transaction: changeBytes({ type: 'merge', account: one.address, from: other.address, authority }),
  };
  const facts = {
    chain: { ...chainFacts(), minimumDelegationLamports: SOL, voteCredits: new Map() },
    walletLamports: SOL,
    accounts: new Map([one, other].map((stake) => [stake.address, stake])),
  };
  const { prepared } = await policyRequest({ ...tidy, facts }, 'a');
  assert.ok(prepared.effects.effects.stakedLamports! > 0n, 'the rent of the merged account becomes stake');
  assert.equal(actOf(prepared).amounts.stake, 0n);
  // Without a node, the merge might add inactive SOL to an activating stake.
  assert.equal(actOf((await policyRequest(tidy, 'b')).prepared).amounts.stake, null);
});

test('a policy has the same budget whether it is opened through a link or a different path', async (t) => {
  const { path, open } = start(t, { limits: { stake: { day: 3 } } });
  const link = join(temporaryFolder(t), 'link.json');
  symlinkSync(path, link);
  open().reserve(await policyRequest(stakeAct(2n * SOL, addressOf(1)), 'a'), 700);
  const second = await policyRequest(stakeAct(2n * SOL, addressOf(2)), 'b');
  assert.throws(() => createPolicyGuard(readPolicy(link)).reserve(second, 700), { code: 'POLICY_LIMIT' });
});

test('anything at the path of the freeze file stops signing, even a folder or a dangling link', async (t) => {
  const { path, open } = start(t, { freezeFile: 'freeze' });
  const freeze = join(path, '..', 'freeze');
  const request = await policyRequest(stakeAct(2n * SOL, addressOf(1)), 'a');
  const guard = open();
  mkdirSync(freeze);
  assert.throws(() => guard.reserve(request, 700), { code: 'POLICY_FROZEN' });
  rmdirSync(freeze);
  symlinkSync('/nowhere', freeze);
  assert.throws(() => guard.reserve(request, 700), { code: 'POLICY_FROZEN' });
});

test('amounts stop counting when their period ends, even if the wall clock is set back while the program runs', async (t) => {
  const { path } = start(t, { limits: { stake: { hour: 2 } } });
  let [wallMs, steadyMs] = [Date.parse('2026-11-27T12:00:00Z'), 0];
  const guard = createPolicyGuard(readPolicy(path), { now: () => wallMs, steadyMs: () => steadyMs });
  guard.reserve(await policyRequest(stakeAct(2n * SOL, addressOf(1)), 'a'), 700);
  wallMs -= 24 * 3_600_000;
  steadyMs += 3_600_000 - 1;
  const second = await policyRequest(stakeAct(2n * SOL, addressOf(2)), 'b');
  assert.throws(() => guard.reserve(second, 700), { code: 'POLICY_LIMIT' });
  steadyMs += 1;
  guard.reserve(second, 700);
});

test('a policy for another cluster, wallet or service is refused before any request', (t) => {
  const guard = start(t, {}).open();
  assert.equal(guard.refusalOf(SUBJECT), null);
  assert.equal(guard.refusalOf({ ...SUBJECT, cluster: addressOf(9) })?.code, 'POLICY_OTHER_CLUSTER');
  assert.equal(guard.refusalOf({ ...SUBJECT, walletAddress: addressOf(9) })?.code, 'POLICY_OTHER_WALLET');
  assert.equal(guard.refusalOf({ ...SUBJECT, voteAccount: addressOf(9) })?.code, 'POLICY_OTHER_SERVICE');
});

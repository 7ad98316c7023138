// Checks stakes with an agent's key as the stake authority: the agent manages the stake, and only the owner can
// withdraw it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Address } from '@solana/kit';
import { verifyTransactionBytes } from '../../client/verify-transaction-bytes.ts';
import { until } from '../support/index-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { balanceOf, refused, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const SOL = 1_000_000_000n;
const shared = sharedService({ before, after });
const post = (path: string, body: Readonly<Record<string, unknown>>) =>
  shared().service.client.post(`/api/v1/${path}`, body);
const submit = (
  wallet: TestWallet,
  { transaction, idempotencyKey }: { transaction: string; idempotencyKey: string },
) => post('transaction/submit', { signedTransaction: signedBy(wallet, transaction), idempotencyKey });
const accountsOf = async ({ walletAddress }: TestWallet) =>
  (await shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts as {
    readonly address: string;
    readonly role: string;
    readonly state: string;
    readonly sol: number;
    readonly stakeAuthority: string;
    readonly withdrawAuthority: string;
  }[];
const codesOf = async (call: Promise<unknown>) => {
  const { status, errorCode, body } = await refused(call);
  const details = body.details as { path: string; code: string }[] | undefined;
  return [status, errorCode, details?.map(({ path, code }) => `${path} ${code}`) ?? body.reason];
};
/** Checks a transaction that the agent is about to sign for the owner, as the client would. */
const checked = (transaction: string, agent: TestWallet, owner: string | undefined, request: object) =>
  verifyTransactionBytes(transaction, {
    wallet: agent.walletAddress as Address,
    voteAccount: shared().sandbox.voteAccount as Address,
    ...(owner !== undefined && { owner: owner as Address }),
    request: request as never,
  });

test('only the separate stake authority can unstake a stake, and only the owner can withdraw it', async () => {
  const { sandbox, service } = shared();
  const owner = await fundedWallet(sandbox, 20);
  const agent = await fundedWallet(sandbox, 1);
  const { walletAddress } = owner;
  const stakeAuthority = agent.walletAddress;
  const built = await post('stake/transaction', { walletAddress, amountSol: 10, stakeAuthority });
  assert.ok(built.notices.some(({ code }: { code: string }) => code === 'SEPARATE_STAKE_AUTHORITY'));
  assert.match(built.message, /only your wallet can withdraw/);
  const asked = { transaction: built.transaction, walletAddress };
  const result = await post('verify/stake-transaction', { ...asked, stakeAuthority });
  assert.equal(result.ok, true);
  assert.match(
    result.message,
    new RegExp(`${stakeAuthority} can unstake and redelegate.*cannot take anything out`),
  );
  assert.equal(
    (await post('verify/stake-transaction', asked)).ok,
    false,
    'the request did not name that key',
  );
  await submit(owner, built);
  const { stakeAccountAddress } = built;
  const [history] = (await service.client.get(`/api/v1/stake/history/${walletAddress}`)).history;
  assert.deepEqual([history.type, history.title], ['stake', 'Stake 10 SOL']);
  const expected = { address: stakeAccountAddress, stakeAuthority, withdrawAuthority: walletAddress };
  for (const [wallet, role] of [
    [owner, 'owner'],
    [agent, 'staker'],
  ] as const) {
    const { address, stakeAuthority: staker, withdrawAuthority, ...rest } = (await accountsOf(wallet))[0]!;
    assert.deepEqual({ address, stakeAuthority: staker, withdrawAuthority }, expected);
    assert.equal(rest.role, role);
  }
  await sandbox.advanceEpochs(1);

  // The agent has no authority over this other stake of the owner.
  await stakeNow(service, owner, 3);
  const owned = { walletAddress: stakeAuthority, owner: walletAddress };
  const before = await balanceOf(sandbox, stakeAuthority);

  // An exact amount is split off. The agent pays the rent, which then belongs to the owner.
  const part = await post('unstake/transaction', { ...owned, amountSol: 4 });
  assert.ok(part.notices.some(({ code }: { code: string }) => code === 'RENT_FOR_OWNER'));
  assert.deepEqual(part.requiredSigners[0], stakeAuthority);
  const request = { kind: 'rearrange', goal: 'unstake', lamports: 4n * SOL };
  const mine = checked(part.transaction, agent, walletAddress, request);
  assert.deepEqual(
    [mine.fields.filter(({ ok }) => !ok), mine.recognized.owner, mine.recognized.problems],
    [[], walletAddress, []],
  );
  await submit(agent, part);
  const divided = await accountsOf(owner);
  assert.deepEqual(
    divided.filter((one) => one.stakeAuthority === stakeAuthority).map((one) => one.withdrawAuthority),
    [walletAddress, walletAddress],
  );
  assert.ok((await balanceOf(sandbox, stakeAuthority)) < before);

  // The unstake is undone in the same epoch and the accounts are merged. Neither withdraws anything.
  await submit(agent, await post('unstake/undo/transaction', owned));
  const tidied = await post('plan', { ...owned, goal: 'tidy' });
  assert.equal(tidied.feasible, true, JSON.stringify(tidied.refusal));
  assert.deepEqual(
    tidied.transactions[0].instructions.map(({ name }: { name: string }) => name).includes('Withdraw'),
    false,
  );
  await submit(agent, { ...tidied.transactions[0], idempotencyKey: tidied.idempotencyKey });
  const whole = (await accountsOf(owner)).filter((one) => one.stakeAuthority === stakeAuthority);
  assert.equal(whole.length, 1);

  // Unstakes the whole account by its address.
  const address = whole[0]!.address;
  const all = await post('unstake/transaction', { ...owned, stakeAccountAddress: address });
  assert.equal(
    checked(all.transaction, agent, walletAddress, { kind: 'unstake', accounts: [address] }).ok,
    true,
  );
  await submit(agent, all);

  // The agent cannot withdraw, whether or not it names the owner. The chain refuses this as well (RING-0).
  assert.deepEqual(
    await codesOf(
      post('withdraw/transaction', { walletAddress: stakeAuthority, stakeAccountAddress: address }),
    ),
    [400, 'AUTHORITY_MISMATCH', 'WITHDRAW'],
  );
});

test('the agent’s goals that withdraw something, and requests for other owners, are refused before anything is built', async () => {
  const { sandbox } = shared();
  const owner = await fundedWallet(sandbox, 5);
  const agent = await fundedWallet(sandbox, 1);
  const stakeAuthority = agent.walletAddress;
  const { walletAddress } = owner;
  const built = await post('stake/transaction', { walletAddress, amountSol: 2, stakeAuthority });
  await submit(owner, built);
  const owned = { walletAddress: stakeAuthority, owner: walletAddress };
  for (const goal of ['withdraw-amount', 'top-up', 'sweep', 'migrate', 'rescue', 'withdraw-all'])
    assert.deepEqual(
      await codesOf(post('plan', { ...owned, goal, ...(/amount|top-up/.test(goal) && { amountSol: 1 }) })),
      [400, 'VALIDATION_ERROR', ['owner not_for_goal']],
      goal,
    );
  assert.deepEqual(
    await codesOf(post('unstake/transaction', { ...owned, amountSol: 1, want: 'withdrawAmount' })),
    [400, 'VALIDATION_ERROR', ['owner not_for_goal']],
  );
  const { stakeAccountAddress } = built;
  const stranger = newWallet().walletAddress;
  assert.deepEqual(
    await codesOf(
      post('unstake/transaction', { walletAddress: stakeAuthority, stakeAccountAddress, owner: stranger }),
    ),
    [400, 'AUTHORITY_MISMATCH', 'OWNER'],
  );
  assert.equal(
    (await post('plan', { ...owned, owner: stranger, goal: 'unstake', amountSol: 1 })).feasible,
    false,
  );
  assert.deepEqual(
    await codesOf(
      post('stake/transaction', { walletAddress, amountSol: 2, stakeAuthority, into: stakeAccountAddress }),
    ),
    [400, 'VALIDATION_ERROR', ['stakeAuthority not_with_sources']],
  );
  // The owner takes the authority back with a single transaction.
  const rescue = await post('plan', { walletAddress, goal: 'rescue' });
  await submit(owner, { ...rescue.transactions[0], idempotencyKey: rescue.idempotencyKey });
  assert.equal((await accountsOf(owner))[0]!.stakeAuthority, walletAddress);
});

test('the owner is alerted of every unstake by the stake authority, through the service or elsewhere, also once it is recorded', async () => {
  const { sandbox, service } = shared();
  const owner = await fundedWallet(sandbox, 10);
  const agent = await fundedWallet(sandbox, 1);
  const { walletAddress } = owner;
  const stakeAuthority = agent.walletAddress;
  const staked = async (amountSol: number): Promise<string> => {
    const built = await post('stake/transaction', { walletAddress, amountSol, stakeAuthority });
    await submit(owner, built);
    return built.stakeAccountAddress;
  };
  const [here, elsewhere] = [await staked(2), await staked(3)];
  const unstaking = { walletAddress: stakeAuthority, owner: walletAddress, stakeAccountAddress: here };
  await submit(agent, await post('unstake/transaction', unstaking));
  await (await SandboxStaker.of(sandbox, agent)).deactivate(elsewhere);

  const of = (path: string, wallet: string) => service.client.get(`/api/v1/${path}/${wallet}`);
  // Searches the stake accounts and records what it finds.
  await until(async () => {
    await of('stake/history', walletAddress);
    return (await of('stake/history', stakeAuthority)).history.length === 2;
  }, 'both unstakes to be recorded');
  const { alerts, complete } = await of('alerts', walletAddress);
  assert.deepEqual(
    alerts.map(({ type, data }: { type: string; data: Record<string, unknown> }) => [
      ...[type, data.stakeAccountAddress, data.signedBy],
    ]),
    [
      ['unexpected_deactivation', elsewhere, [stakeAuthority]],
      ['unexpected_deactivation', here, [stakeAuthority]],
    ],
  );
  assert.equal(complete, true);
});

// Simulates a phished authority on a real runtime: the alerts report it, the rescue takes the stake back, and
// no rescue is offered where none is possible.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Address } from '@solana/kit';
import { verifyTransactionBytes } from '../../client/verify-transaction-bytes.ts';
import { goalRecord } from '../../src/domain/plan/plan-goals.ts';
import { ALERTS, playAlerts } from '../support/alert-life.ts';
import { authorize, until } from '../support/index-fixture.ts';
import { startReceiver } from '../support/receiver.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { stakeNow } from '../support/service-calls.ts';
import { sharedServiceProcess } from '../support/service-fixture.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

const shared = sharedServiceProcess(
  { before, after },
  { settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } },
);

test('the calendar of a wallet can be subscribed to, and other addresses have none', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 5);
  const stake = await stakeNow(service, wallet, 2);
  const response = await fetch(`${service.url}/calendar/${wallet.walletAddress}.ics`);
  assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.match((await response.text()).replaceAll('\r\n ', ''), new RegExp(`UID:active-${stake}-`));
  assert.equal((await fetch(`${service.url}/calendar/nobody.ics`)).status, 404);
});

test('at first, the validator’s alerts contain no changes, only the epoch since which the validator is watched', async () => {
  const alerts = () => shared().service.client.get('/api/v1/validator/alerts');
  await until(async () => (await alerts()).watchedSinceEpoch !== null, 'the first poll');
  await shared().sandbox.advanceEpochs(2);
  assert.deepEqual((await alerts()).alerts, []);
});

test('a phished stake authority triggers an alert with a fix, a phished withdraw authority a critical one without', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const thief = (await fundedWallet(sandbox, 1)).walletAddress;
  const phished = await stakeNow(service, wallet, 2);
  const lost = await stakeNow(service, wallet, 3);
  const alerts = (query = '') => service.client.get(`/api/v1/alerts/${walletAddress}${query}`);
  await until(async () => (await alerts()).complete, 'both stakes to be visible at finalized');
  assert.deepEqual((await alerts()).alerts, []);

  const staker = await SandboxStaker.of(sandbox, wallet);
  await staker.send([authorize(staker, phished, thief, 'Staker')]);
  await staker.send([authorize(staker, lost, thief, 'Staker'), authorize(staker, lost, thief, 'Withdrawer')]);
  await until(async () => (await alerts()).alerts.length === 2, 'both thefts to be visible at finalized');
  const { alerts: listed, rescuable, complete, notices } = await alerts();
  assert.deepEqual(
    listed.map(({ type, level, data }: { type: string; level: string; data: Record<string, unknown> }) => [
      ...[type, level, data.stakeAccountAddress, data.patterns],
    ]),
    [
      [
        ...['stake_authority_changed', 'critical', lost],
        ['withdraw-authority-gone', 'both-authorities-at-once', 'while-activating'],
      ],
      [
        ...['stake_authority_changed', 'warning', phished],
        ['while-activating', 'first-separate-stake-authority'],
      ],
    ],
  );
  assert.deepEqual([rescuable, complete], [[phished], true]);
  assert.deepEqual(
    notices.map(({ code, params }: { code: string; params: object }) => [code, params]),
    [['FOREIGN_STAKE_AUTHORITY', { stakeAccountAddress: phished, stakeAuthority: thief }]],
  );
  assert.doesNotMatch(JSON.stringify(listed), /"transaction"|https?:/, 'no transaction and no link');
  const [first, second] = [
    await alerts('?limit=1'),
    await alerts(`?limit=1&cursor=${(await alerts('?limit=1')).nextCursor}`),
  ];
  assert.deepEqual([first.alerts, second.alerts, second.nextCursor], [[listed[0]], [listed[1]], null]);

  const planned = await service.client.post('/api/v1/plan', { walletAddress, goal: 'rescue' });
  assert.equal(planned.feasible, true, JSON.stringify(planned.refusal));
  assert.equal(planned.transactions.length, 1);
  const account = planned.plan.accounts.find(
    (one: Record<string, unknown>) => one.stakeAccountAddress === phished,
  );
  assert.deepEqual(
    [account.before.stakeAuthority, account.after.stakeAuthority],
    [thief, walletAddress],
    'the plan names who controls the stake now and afterwards',
  );
  const [{ transaction }] = planned.transactions;
  const result = verifyTransactionBytes(transaction, {
    wallet: walletAddress as Address,
    voteAccount: sandbox.voteAccount as Address,
    allowed: goalRecord('rescue').allowed,
    maxPriorityFeeLamports: 0n,
  });
  assert.deepEqual(result.recognized.problems, []);
  await service.client.post('/api/v1/transaction/submit', {
    signedTransaction: signedBy(wallet, transaction),
  });
  await until(async () => (await alerts()).rescuable.length === 0, 'the stake to be taken back');
  assert.equal((await alerts()).alerts[0].level, 'info');
  const again = await service.client.post('/api/v1/plan', { walletAddress, goal: 'rescue' });
  assert.deepEqual([again.feasible, again.refusal.errorCode], [false, 'NOTHING_TO_DO']);
});

test('each possible alert about a stake is triggered and delivered once, with the signer', async (t) => {
  const { sandbox, service } = shared();
  const receiver = await startReceiver(t);
  const { delivered, stake, walletAddress, thiefAddress } = await playAlerts(sandbox, service, receiver);
  const of = (type: string) => delivered.filter((one) => one.type === type).map(({ data }) => data);
  assert.deepEqual(
    of('stake_authority_changed').map(({ stakeAuthority, level }) => [stakeAuthority, level]),
    [
      [{ from: walletAddress, to: thiefAddress }, 'warning'],
      [{ from: thiefAddress, to: walletAddress }, 'info'],
    ],
  );
  const [cooled, ...more] = of('unexpected_deactivation');
  assert.deepEqual([cooled!.signedBy, more], [[thiefAddress], []]);
  assert.deepEqual(of('stake_lockup_changed')[0]!.patterns, ['unknown-custodian']);
  assert.deepEqual(
    of('stake_moved_away').map(({ stakeAccountAddress, how, to }) => [stakeAccountAddress, how, to]),
    [[stake, 'redelegated', sandbox.otherVoteAccount]],
  );
  for (const type of ALERTS.filter((one) => one !== 'stake_authority_changed'))
    assert.equal(of(type).length, 1, type);
  assert.doesNotMatch(JSON.stringify(delivered), /"transaction"|https?:/, 'no transaction and no link');
});

// Completes a staking lifecycle at the default slot time, with epochs on demand and with day-long epochs.
// Events, history, rewards and alerts must each appear once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { authorize, until } from '../support/index-fixture.ts';
import { startReceiver } from '../support/receiver.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { buildAndSubmit, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet } from '../support/wallets.ts';

const SLOT_MS = 400;
const DAY_SECONDS = 86_400;
const EVENTS = [
  'stake_activated',
  'stake_deactivated',
  'withdraw_ready',
  'epoch_complete',
  'stake_authority_changed',
];

type Told = { type: string; data: Record<string, string | number> };

describe('a staking lifecycle at the default slot time', { concurrency: true }, () => {
  for (const epochSeconds of [0, DAY_SECONDS])
    describe(`with ${epochSeconds}-second epochs`, () => {
      const shared = sharedService(
        { before, after },
        {
          sandbox: { slotMs: SLOT_MS, epochSeconds },
          settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
        },
      );

      test('each event is sent once, and history, rewards and alerts are available immediately', async (scope) => {
        const { sandbox, service } = shared();
        const { client } = service;
        const receiver = await startReceiver(scope);
        const wallet = await fundedWallet(sandbox, 20);
        const { walletAddress } = wallet;
        const thief = await fundedWallet(sandbox, 1);
        const callbackUrl = `${receiver.url}/hook`;
        await client.post('/api/v1/webhooks', { walletAddress, callbackUrl, events: EVENTS });
        const names = (): readonly string[] =>
          receiver.received
            .map(({ body }) => JSON.parse(body) as Told)
            .filter(({ type }) => EVENTS.includes(type))
            .map(({ type, data }) => `${type} ${data.stakeAccountAddress ?? data.epoch}`);
        const sent = (...expected: readonly string[]) =>
          until(() => expected.every((name) => names().includes(name)), expected.join(', '));

        const first = sandbox.epoch();
        const stake = await stakeNow(service, wallet, 2);
        const phished = await stakeNow(service, wallet, 3);
        await sandbox.advanceEpochs(1);
        const activation = [
          `stake_activated ${stake}`,
          `stake_activated ${phished}`,
          `epoch_complete ${first}`,
        ];
        await sent(...activation);

        await buildAndSubmit(service, wallet, '/api/v1/unstake/transaction', { stakeAccountAddress: stake });
        const staker = await SandboxStaker.of(sandbox, wallet);
        await staker.send([authorize(staker, phished, thief.walletAddress, 'Staker')]);
        const changes = [`stake_deactivated ${stake}`, `stake_authority_changed ${phished}`];
        await sent(...changes);
        const { alerts, complete } = await client.get(`/api/v1/alerts/${walletAddress}`);
        assert.equal(complete, true);
        assert.deepEqual(
          alerts.map(({ type, data }: Told) => `${type} ${data.stakeAccountAddress}`),
          [changes[1]],
        );

        await sandbox.advanceEpochs(1);
        const end = [`withdraw_ready ${stake}`, `epoch_complete ${first + 1}`];
        await sent(...end);
        const { rewards } = await client.get(`/api/v1/stake/rewards/${walletAddress}`);
        const earned = rewards.filter(
          (one: { epoch: number; inflationSol: number | null }) =>
            one.epoch === first + 1 && Number(one.inflationSol) > 0,
        );
        assert.equal(earned.length, 2, JSON.stringify(rewards));

        await buildAndSubmit(service, wallet, '/api/v1/withdraw/transaction', { stakeAccountAddress: stake });
        const types = async (): Promise<readonly string[]> => {
          const { history, warnings } = await client.get(`/api/v1/stake/history/${walletAddress}`);
          assert.deepEqual(warnings, []);
          return history.map(({ type }: { type: string }) => type);
        };
        await until(
          async () => (await types()).includes('withdraw'),
          'the withdrawal to appear in the history',
        );
        // The wallet also signed the transaction that gave its stake authority to the thief.
        assert.deepEqual((await types()).toSorted(), ['rearrange', 'stake', 'stake', 'unstake', 'withdraw']);

        await sandbox.advanceEpochs(1);
        const last = `epoch_complete ${first + 2}`;
        await sent(last);
        assert.deepEqual(names().toSorted(), [...activation, ...changes, ...end, last].toSorted());
      });
    });
});

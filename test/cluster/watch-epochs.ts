// Runs the watcher over many epochs. Every event and every epoch must be reported once. Compares estimated
// epoch ends with the actual ones.
import assert from 'node:assert/strict';
import { eventually } from '../../demo/poll-until-result.ts';
import { startReceiver, verified } from '../support/receiver.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { newWallet } from '../support/wallets.ts';
import type { ClusterWorld } from './scenarios.ts';

const SOL = 1_000_000_000n;
const EVENTS = ['withdraw_ready', 'epoch_complete', 'stake_activated', 'stake_deactivated'];

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly epoch: number; readonly stakeAccountAddress?: string; readonly late?: boolean };
}

/** Stakes every second epoch and unstakes every fifth, and compares the webhook's events with these changes. */
export const watchEpochs = async (world: ClusterWorld, epochs: number, scope: Scope): Promise<void> => {
  const { chain, client, count, story } = world;
  const wallet = newWallet();
  const { walletAddress, secretKey } = wallet;
  await chain.airdrop(walletAddress, 5_000n * SOL);
  // Events are verified on arrival, because a signature is valid for only five minutes.
  const received: ReceivedEvent[] = [];
  let secretBytes = new Uint8Array();
  const receiver = await startReceiver(scope, (one, response) => {
    if (secretBytes.length > 0) received.push(verified(secretBytes, one) as ReceivedEvent);
    response.writeHead(204).end();
  });
  const { secret } = await client.post('/api/v1/webhooks', {
    walletAddress,
    callbackUrl: receiver.url,
    events: EVENTS,
  });
  secretBytes = Buffer.from(String(secret).slice('whsec_'.length), 'base64');

  const first = await chain.nextEpoch();
  const [staked, unstaked] = [new Set<string>(), new Set<string>()];
  const idle: string[] = [];
  let inside = 0;
  let estimates = 0;
  for (let passed = 0; passed < epochs; passed += 1) {
    if (passed % 2 === 0) {
      const { stakeAccountAddress } = await client.post('/api/v1/stake', {
        walletAddress,
        secretKey,
        amountSol: 2,
      });
      staked.add(stakeAccountAddress);
      idle.push(stakeAccountAddress);
    }
    const oldest = passed % 5 === 4 ? idle.shift() : undefined;
    if (oldest !== undefined) {
      await client.post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress: oldest });
      unstaked.add(oldest);
    }
    const { currentEpoch, estimatedEpochEnd, earliestEpochEnd, latestEpochEnd } =
      await client.get('/api/v1/epoch');
    // Takes the actual end from this machine's clock, because block times on a cluster with slow slots lag by
    // minutes.
    await chain.untilEpoch(currentEpoch + 1);
    const endedAt = Date.now();
    await chain.nextEpoch(currentEpoch);
    estimates += 1;
    if (endedAt >= Date.parse(earliestEpochEnd) && endedAt <= Date.parse(latestEpochEnd)) inside += 1;
    else {
      const seen = new Date(endedAt).toISOString();
      story.tell(
        `epoch ${currentEpoch}: ended ${seen}, estimated ${estimatedEpochEnd} (${earliestEpochEnd} to ${latestEpochEnd})`,
      );
    }
  }
  const last = (await chain.epoch()) - 1;

  const watched = (): ReceivedEvent[] => received.filter(({ type }) => EVENTS.includes(type));
  await eventually(
    async () =>
      watched().some(({ type, data }) => type === 'epoch_complete' && data.epoch >= last) ? true : null,
    `epoch ${last} to be reported`,
  );
  const all = watched();
  const ids = all.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, 'no event twice');
  const facts = all.map(({ type, data }) => `${type} ${data.stakeAccountAddress ?? data.epoch}`);
  assert.equal(new Set(facts).size, facts.length, 'no event is reported under two ids');
  const ended = all.filter(({ type }) => type === 'epoch_complete').map(({ data }) => data.epoch);
  for (let epoch = first; epoch <= last; epoch += 1)
    assert.ok(ended.includes(epoch), `epoch ${epoch} was not reported`);
  const of = (type: string) =>
    new Set(all.filter((event) => event.type === type).map(({ data }) => data.stakeAccountAddress));
  for (const address of unstaked) assert.ok(of('stake_deactivated').has(address), `${address} deactivated`);
  const young = [...staked].slice(-1);
  for (const address of staked)
    assert.ok(young.includes(address) || of('stake_activated').has(address), `${address} activated`);
  count('epochs followed', last - first + 1);
  count('events reported, each once', all.length);
  count('epoch estimates', estimates);
  count('epoch ends inside the estimate', inside);
};

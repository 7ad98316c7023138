// Changes a stake authority, deactivates without the wallet's signature, and moves stake away, all with the
// solana command line. Each change must be reported once and match the chain.
import assert from 'node:assert/strict';
import { eventually } from '../../demo/poll-until-result.ts';
import { startWebhookReceiver } from '../../demo/webhook-receiver.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type ClusterWorld, createVoteAccount } from './scenarios.ts';

const SOL = 1_000_000_000n;

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

/**
 * Simulates the theft of a stake authority. The wallet keeps its withdraw authority and uses it to take the
 * stake authority back.
 */
export const playAlerts = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, count } = world;
  const [owner, thief, stake] = ['alerts-owner', 'alerts-thief', 'alerts-stake'].map(world.keypair);
  for (const { address } of [owner!, thief!]) await chain.airdrop(address, 100n * SOL);
  const solana = async (signer: { readonly path: string }, ...args: string[]): Promise<Json> => {
    await eventually(async () => ((await chain.rewardsActive()) ? null : true), 'the end of the freeze');
    return chain.solana(signer.path, ...args);
  };
  const receiver = await startWebhookReceiver(PATIENCE_MS);
  await using _closed = { [Symbol.asyncDispose]: () => receiver.close() };
  const { secret } = await client.post('/api/v1/webhooks', {
    walletAddress: owner!.address,
    callbackUrl: receiver.url,
    events: ['stake_authority_changed', 'unexpected_deactivation', 'stake_moved_away', 'stake_activated'],
  });
  const told = async (type: string): Promise<Json> => {
    const event: Json = await receiver.next(
      secret,
      ({ type: one, data }) => one === type && data.stakeAccountAddress === stake!.address,
    );
    count(`told: ${type}`);
    return event.data;
  };

  await solana(owner!, 'create-stake-account', stake!.path, '50');
  await solana(owner!, 'delegate-stake', stake!.address, world.voteAccount);
  await chain.nextEpoch();
  await told('stake_activated');

  await solana(owner!, 'stake-authorize', stake!.address, '--new-stake-authority', thief!.address);
  const stolen = await told('stake_authority_changed');
  assert.deepEqual(stolen.stakeAuthority, { from: owner!.address, to: thief!.address });
  assert.deepEqual(stolen.signedBy, [owner!.address]);

  await solana(thief!, 'deactivate-stake', stake!.address);
  const cooled = await told('unexpected_deactivation');
  assert.deepEqual([cooled.signedBy, cooled.deactivationEpoch], [[thief!.address], cooled.epoch]);

  await solana(owner!, 'stake-authorize', stake!.address, '--new-stake-authority', owner!.address);
  const saved = await told('stake_authority_changed');
  assert.deepEqual(saved.stakeAuthority, { from: thief!.address, to: owner!.address });

  await chain.nextEpoch();
  const elsewhere = await createVoteAccount(world, owner!.path, 'alerts', world.keypair('alerts-identity'));
  await solana(owner!, 'delegate-stake', '--force', stake!.address, elsewhere);
  // No notification announces an account that leaves the validator. Only the epoch boundary or the next address
  // scan finds it.
  await chain.nextEpoch();
  const left = await told('stake_moved_away');
  assert.deepEqual([left.how, left.to], ['redelegated', elsewhere]);
};

// Receives the webhook deliveries of a staking lifecycle, with a receiver that verifies them with the official
// library.
import assert from 'node:assert/strict';
import type { HttpClient } from './http-client.ts';
import { eventually } from './poll-until-result.ts';
import type { Story } from './story.ts';
import { runSnippet } from './wallet.ts';
import type { ReceivedEvent, WebhookReceiver } from './webhook-receiver.ts';

const STAKE_SOL = 2;
const AIRDROP_SOL = 5;
const EVENTS = ['withdraw_ready', 'epoch_complete', 'stake_activated', 'stake_deactivated'];

/** Runs the webhook scenario. Throws on the first unexpected result. */
export const playWebhooks = async (
  service: HttpClient,
  story: Story,
  receiver: WebhookReceiver,
): Promise<void> => {
  const { step } = story;
  const wallet = runSnippet((await service.post('/api/v1/wallet/generate')).runThis.javascript);
  const { walletAddress } = wallet;

  const { id, secret }: { id: string; secret: string } = await step(
    "Webhooks: get notified when a wallet's stakes change",
    async () => {
      const registered = await service.post('/api/v1/webhooks', {
        walletAddress,
        callbackUrl: receiver.url,
        events: EVENTS,
      });
      assert.match(registered.secret, /^whsec_/);
      assert.equal(registered.status, 'active');
      return {
        value: registered,
        result: `registered ${receiver.url} for ${EVENTS.length} events; the secret is shown only once`,
      };
    },
  );
  const proof = { authorization: `Bearer ${secret}` };

  /** Waits for the next event of a type and checks its signature, timestamp and wallet. */
  const received = async (type: string): Promise<ReceivedEvent> => {
    const event = await receiver.next(secret, (one) => one.type === type);
    assert.equal(event.data.walletAddress, walletAddress);
    return event;
  };
  const show = ({ id: eventId, type, data }: ReceivedEvent): string => {
    const { epoch, sol } = data;
    return `${type}  epoch ${epoch}${sol === undefined ? '' : `, ${sol} SOL`}  ${eventId}, signature verified`;
  };
  const stepOf = (title: string, type: string, cause: () => Promise<unknown>) =>
    step(title, async () => {
      await cause();
      const event = await received(type);
      return { value: event, result: show(event) };
    });
  const endEpoch = () => service.post('/sandbox/epoch');

  await step('A test notification', async () => {
    const { eventId } = await service.post(`/api/v1/webhooks/${id}/ping`, undefined, proof);
    // Skips the ping that the registration itself sent.
    const event = await receiver.next(secret, ({ id }) => id === eventId);
    assert.equal(event.type, 'ping');
    return { value: undefined, result: `ping  ${event.id}, signature verified` };
  });

  const stakeAccountAddress: string = await step(`Stake ${STAKE_SOL} SOL`, async () => {
    await service.post('/sandbox/airdrop', { walletAddress, amountSol: AIRDROP_SOL });
    const staked = await service.post('/api/v1/stake', { ...wallet, amountSol: STAKE_SOL });
    return { value: staked.stakeAccountAddress, result: staked.stakeAccountAddress };
  });
  const activated = await stepOf('The epoch ends: the stake is active', 'stake_activated', endEpoch);
  assert.equal(activated.data.stakeAccountAddress, stakeAccountAddress);
  await stepOf('… and the epoch is over', 'epoch_complete', async () => undefined);
  await stepOf('Unstake: the stake starts to deactivate', 'stake_deactivated', () =>
    service.post('/api/v1/unstake', { ...wallet, stakeAccountAddress }),
  );
  await stepOf('The epoch ends: the stake can be withdrawn', 'withdraw_ready', endEpoch);

  await step('The delivery log lists each delivery once', async () => {
    // The receiver may get a delivery slightly before the log lists it.
    const { deliveries, delivered } = await eventually(async () => {
      const { deliveries } = await service.get(`/api/v1/webhooks/${id}/deliveries?limit=100`, proof);
      const delivered = deliveries.filter(({ state }: { state: string }) => state === 'delivered');
      return delivered.length >= 5 ? { deliveries, delivered } : null;
    }, 'five deliveries in the log');
    const ids = deliveries.map((delivery: { id: string }) => delivery.id);
    assert.equal(new Set(ids).size, ids.length);
    return { value: undefined, result: `${delivered.length} delivered of ${deliveries.length}` };
  });
  await step('Delete the webhook: one last notification, then nothing more', async () => {
    await service.delete(`/api/v1/webhooks/${id}?walletAddress=${walletAddress}`);
    const notice = await receiver.next(secret, ({ type }) => type === 'registration_deleted');
    return { value: undefined, result: `registration_deleted  ${notice.id}, signature verified` };
  });
};

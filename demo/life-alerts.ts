// Runs the alert scenarios step by step: a phished stake authority and its recovery, a rug pull, a delinquency
// and an unpaid admission fee. Each event must be reported exactly once.
import assert from 'node:assert/strict';
import type { HttpClient } from './http-client.ts';
import { signAwayStakeAuthority, unstakeWithStolenKey } from './phishing-page.ts';
import { eventually } from './poll-until-result.ts';
import { signBuiltAndSubmit } from './sign-built-and-submit.ts';
import type { Story } from './story.ts';
import { runSnippet, type Wallet } from './wallet.ts';
import type { ReceivedEvent, WebhookReceiver } from './webhook-receiver.ts';

const STAKE_SOL = 2;
const RUG_BPS = 1_000;
const EVENTS = ['stake_authority_changed', 'unexpected_deactivation', 'validator_changed'];
const NORMAL = { commissionBps: 0, votes: true, ticketSol: 0 };
/** Admission fee that exceeds the vote account's balance. */
const TICKET_SOL = 1.6;

interface ValidatorAlert {
  readonly change: string;
  readonly level: string;
  readonly from: string;
  readonly to: string;
  readonly nearBoundary: boolean;
}

const percent = (bps: string): string => `${Number(bps) / 100}%`;

/** Describes a change of the validator. */
const validatorWords = ({ change, from, to, nearBoundary }: ValidatorAlert): string => {
  switch (change) {
    case 'commission':
      return `the validator changed its commission from ${percent(from)} to ${percent(to)}${nearBoundary ? ', right at the epoch boundary' : ''}`;
    case 'delinquent':
      return 'the validator stopped voting';
    case 'recovered':
      return 'the validator is voting again';
    case 'absent':
      return 'the validator missed an epoch';
    default:
      return `${change} changed from ${from} to ${to}`;
  }
};

/** Runs the alert scenarios and restores the validator. Throws on the first unexpected result. */
export const playAlerts = async (
  service: HttpClient,
  story: Story,
  receiver: WebhookReceiver,
): Promise<void> => {
  try {
    await playAll(service, story, receiver);
  } finally {
    await service.post('/sandbox/validator', NORMAL);
  }
};

const playAll = async (service: HttpClient, story: Story, receiver: WebhookReceiver): Promise<void> => {
  const { step } = story;
  const { rpcUrl, voteAccount } = await service.get('/sandbox');
  const newWallet = async (): Promise<Wallet> =>
    runSnippet((await service.post('/api/v1/wallet/generate')).runThis.javascript);
  const [wallet, thief] = [await newWallet(), await newWallet()];
  const { walletAddress } = wallet;
  const airdrop = (to: string, amountSol: number) =>
    service.post('/sandbox/airdrop', { walletAddress: to, amountSol });
  const validator = (conduct: object) => service.post('/sandbox/validator', conduct);
  const endEpoch = (count = 1) => service.post('/sandbox/epoch', { count });

  const { id, secret, stakeAccountAddress } = await step(
    `Alerts: stake ${STAKE_SOL} SOL and get notified when its authorities change`,
    async () => {
      await airdrop(walletAddress, 5);
      await airdrop(thief.walletAddress, 1);
      const registered = await service.post('/api/v1/webhooks', {
        walletAddress,
        callbackUrl: receiver.url,
        events: EVENTS,
      });
      const staked = await service.post('/api/v1/stake', { ...wallet, amountSol: STAKE_SOL });
      await endEpoch();
      return {
        value: { ...registered, stakeAccountAddress: staked.stakeAccountAddress },
        result: `registered ${receiver.url} for ${EVENTS.length} events`,
      };
    },
  );
  const told: ReceivedEvent[] = [];
  const received = async (type: string, change?: string): Promise<ReceivedEvent> => {
    const event = await receiver.next(secret, (one) => one.type === type && one.data.change === change);
    assert.equal(event.data.walletAddress, walletAddress);
    told.push(event);
    return event;
  };
  const alerts = () => service.get(`/api/v1/alerts/${walletAddress}`);
  /** Checks the warnings that the builder returns before the wallet signs. */
  const warned = (about: RegExp) =>
    step('A wallet that builds a stake now is warned before signing', async () => {
      const warning = await eventually(async () => {
        const built = await service.post('/api/v1/stake/transaction', { walletAddress, amountSol: 1.5 });
        return (built.warnings as string[]).find((one) => about.test(one)) ?? null;
      }, `the warning ${about}`);
      return { value: undefined, result: warning };
    });

  await step('A phishing page: the wallet signs its stake authority away', async () => {
    const signature = await signAwayStakeAuthority(rpcUrl, wallet, {
      stakeAccountAddress,
      to: thief.walletAddress,
    });
    const { id: eventId, data } = await received('stake_authority_changed');
    assert.deepEqual([data.signature, data.level], [signature, 'warning']);
    assert.doesNotMatch(
      JSON.stringify(data),
      /"transaction"|https?:/,
      'an alert must not contain a transaction',
    );
    return { value: undefined, result: `${data.level}: ${data.patterns}  ${eventId}, signature verified` };
  });
  await warned(new RegExp(`^${thief.walletAddress} may unstake and split a stake`));
  await step('The thief unstakes it', async () => {
    const signature = await unstakeWithStolenKey(rpcUrl, thief, stakeAccountAddress);
    const { data } = await received('unexpected_deactivation');
    assert.deepEqual([data.signature, data.signedBy], [signature, [thief.walletAddress]]);
    return { value: undefined, result: `can be undone until slot ${data.undoUntilSlot}` };
  });
  await step('GET /api/v1/alerts lists each alert once, and the stake that can be recovered', async () => {
    const { alerts: listed, rescuable } = await alerts();
    assert.deepEqual(listed.map(({ type }: { type: string }) => type).toSorted(), [
      'stake_authority_changed',
      'unexpected_deactivation',
    ]);
    assert.deepEqual(rescuable, [stakeAccountAddress]);
    return { value: undefined, result: `only its owner can recover ${stakeAccountAddress}` };
  });
  await step('The rescue: built unsigned, signed here, submitted', async () => {
    const { feasible, transactions } = await service.post('/api/v1/plan', {
      walletAddress,
      goal: 'rescue',
    });
    assert.deepEqual([feasible, transactions.length], [true, 1]);
    const link = await signBuiltAndSubmit(service, wallet, transactions[0]);
    const { data } = await received('stake_authority_changed');
    assert.deepEqual(data.stakeAuthority, { from: thief.walletAddress, to: walletAddress });
    assert.equal(data.level, 'info');
    assert.deepEqual((await alerts()).rescuable, []);
    return { value: undefined, result: 'the wallet is the stake authority again', link };
  });

  const validatorAlert = async (change: string): Promise<ValidatorAlert> => {
    const { data } = await received('validator_changed', change);
    return data as unknown as ValidatorAlert;
  };
  const show = (alert: ValidatorAlert): string => `${alert.level}: ${validatorWords(alert)}`;

  await step(`A rug pull: ${RUG_BPS / 100}% commission just before the epoch ends`, async () => {
    await validator({ commissionBps: RUG_BPS });
    await endEpoch();
    const alert = await validatorAlert('commission');
    assert.deepEqual([alert.from, alert.to], ['0', `${RUG_BPS}`]);
    return { value: undefined, result: show(alert) };
  });
  await warned(/rose from 0% to 10%/);
  await step('… and taken back', async () => {
    await validator({ commissionBps: 0 });
    const alert = await validatorAlert('commission');
    assert.deepEqual([alert.level, alert.to], ['info', '0']);
    return { value: undefined, result: show(alert) };
  });
  await step('The validator stops voting', async () => {
    await validator({ votes: false });
    return { value: undefined, result: show(await validatorAlert('delinquent')) };
  });
  await step('… and votes again', async () => {
    await validator({ votes: true });
    return { value: undefined, result: show(await validatorAlert('recovered')) };
  });
  await step(
    `An unpaid admission ticket: the vote account cannot pay ${TICKET_SOL} SOL at the epoch boundary`,
    async () => {
      // An earlier run may have left the vote account with more than one fee.
      const { balanceSol } = await validator({});
      await validator({ ticketSol: Math.max(TICKET_SOL, balanceSol) });
      await endEpoch();
      await validator({ ticketSol: TICKET_SOL });
      // This payment is too late for the next epoch, but in time for the following one.
      await airdrop(voteAccount, 10 * TICKET_SOL);
      await endEpoch();
      assert.equal((await validator({})).admitted, false);
      return { value: undefined, result: show(await validatorAlert('delinquent')) };
    },
  );
  await warned(/does not participate in this epoch/);
  await step('… topped up right away, the validator misses only one epoch', async () => {
    await endEpoch();
    const { admitted, balanceSol } = await validator({});
    assert.equal(admitted, true);
    const absent = await validatorAlert('absent');
    assert.equal(absent.level, 'critical');
    const recovered = await validatorAlert('recovered');
    return {
      value: undefined,
      result: `${show(absent)}; ${show(recovered)}; ${balanceSol} SOL in the vote account`,
    };
  });
  await step('Each alert was sent once, and the validator is back to normal', async () => {
    const { deliveries } = await service.get(`/api/v1/webhooks/${id}/deliveries?limit=100`, {
      authorization: `Bearer ${secret}`,
    });
    const ids = deliveries
      .filter(({ type }: { type: string }) => EVENTS.includes(type))
      .map((delivery: { id: string }) => delivery.id);
    assert.deepEqual(new Set(ids), new Set(told.map((event) => event.id)));
    assert.equal(ids.length, told.length);
    const changes = told.filter(({ type }) => type === 'validator_changed').map(({ data }) => data.change);
    // The list is cached for up to half a minute.
    await eventually(async () => {
      const { alerts: all }: { alerts: ValidatorAlert[] } = await service.get('/api/v1/validator/alerts');
      const newest = all.slice(0, changes.length).map(({ change }) => change);
      return `${newest.toSorted()}` === `${changes.toSorted()}` ? newest : null;
    }, 'GET /api/v1/validator/alerts to list each alert once');
    const { commissionBps, votes } = await validator(NORMAL);
    assert.deepEqual([commissionBps, votes], [0, true]);
    const { accounts } = await service.get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.equal(accounts[0].stakeAuthority, walletAddress);
    return { value: undefined, result: `${told.length} alerts, ${ids.length} deliveries` };
  });
};

// One small example of everything that a store can contain. The command that creates a release's fixture writes
// this example, and the test that opens the fixture reads it back.
import type { Address } from '@solana/kit';
import type { Store } from '../../src/store/store.ts';
import { exampleIntent } from './intent-examples.ts';
import { exampleSignature, exampleTransaction } from './store-examples.ts';
import {
  EXAMPLE_START_MS,
  exampleAttempt,
  exampleClaim,
  exampleEvent,
  exampleId,
  exampleRegistration,
  exampleResult,
  NO_CAPS,
  rememberingKeys,
} from './webhook-examples.ts';

const STATES = ['signed', 'confirmed', 'failed', 'expired', 'refused'] as const;
const POLICY_WALLET = 'policy wallet' as Address;

/**
 * Fills an empty store with intents and deliveries in every state, registrations, a policy, transactions,
 * samples and a label.
 */
export const fillStore = async (store: Store): Promise<void> => {
  for (const state of STATES) {
    await store.intents.recordSigned(exampleIntent(state, { key: state }), null);
    const response = state === 'confirmed' ? '{"signature":"confirmed"}' : null;
    if (state !== 'signed') await store.intents.settle(state, { state, slot: 9n, error: null, response });
  }
  await store.transactions.record([exampleTransaction(1), exampleTransaction(2, { type: 'donate' })]);
  await store.webhooks.register(exampleRegistration(1), NO_CAPS);
  await store.webhooks.register(
    exampleRegistration(2),
    NO_CAPS,
    exampleEvent(9, { type: 'ping', registrationId: exampleId(2) }),
  );
  await store.outbox.record(
    [1, 2, 3].map((number) => exampleEvent(number)),
    [{ name: 'watcher', value: '{"slot":"9"}' }],
  );
  const outbox = rememberingKeys(store.outbox);
  await outbox.claim(exampleClaim());
  await outbox.settle([
    exampleResult(1, { next: { state: 'delivered' } }),
    exampleResult(2, {
      attempt: exampleAttempt({ outcome: 'timeout', status: null }),
      next: { state: 'dead' },
    }),
  ]);
  await store.policies.put(
    {
      walletAddress: POLICY_WALLET,
      keepLiquidLamports: 2n ** 62n,
      minSweepLamports: 1n,
      callbackUrl: 'https://hook.example/7',
      paused: false,
      nonce: 7,
      signature: 'signature',
    },
    exampleRegistration(3, { kind: 'autopilot', walletAddress: POLICY_WALLET, events: [] }),
    9,
    EXAMPLE_START_MS,
  );
  await store.samples.recordVote({ timestampMs: EXAMPLE_START_MS, slot: 5n, voteSuccessRate: 0.5 });
  await store.samples.recordDelinquency({ epoch: 3n, isDelinquent: true });
  await store.samples.recordEpochs([
    { epoch: 3n, stakeRank: 5, clusterSkipRate: 1.5, blockRewardsLamports: 2n ** 62n },
  ]);
  await store.delegators.setLabel(POLICY_WALLET, 'Treasury');
};

export const readStore = async (store: Store) => {
  const logOf = (number: number) =>
    store.outbox.deliveries(exampleId(number), { limit: 99, before: null, state: null });
  return {
    intents: await Promise.all(
      STATES.map((key) => store.intents.find({ operation: 'stake', wallet: 'wallet', key })),
    ),
    transactions: [...(await store.transactions.find([exampleSignature(1), exampleSignature(2)])).values()],
    registrations: await Promise.all([1, 2, 3].map((number) => store.webhooks.find(exampleId(number)))),
    deliveries: [...(await logOf(1)), ...(await logOf(2))],
    checkpoint: await store.outbox.checkpoint('watcher'),
    policy: await store.policies.find(POLICY_WALLET),
    votes: await store.samples.votes(0),
    delinquency: await store.samples.delinquency(0n),
    epochs: await store.samples.epochs(9),
    labels: await store.delegators.labels([POLICY_WALLET]),
  };
};

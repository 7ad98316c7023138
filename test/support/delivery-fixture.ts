// Runs the real delivery loop on a real store, with the test's own receivers, a controllable clock and seeded
// randomness.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { createCallbackUrlRules } from '../../src/events/callbacks/callback-url-rules.ts';
import { createGuardedAgent } from '../../src/events/callbacks/guarded-agent.ts';
import {
  type DeliveryLoop,
  type DeliveryLoopOptions,
  startDeliveryLoop,
} from '../../src/events/delivery/delivery-loop.ts';
import { createSendAttempt } from '../../src/events/delivery/send-attempt.ts';
import { createWebhookSecrets, type WebhookSecrets } from '../../src/events/delivery/webhook-secret.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { SecretBytes } from '../../src/kernel/secret-bytes.ts';
import type { AttemptResult, NewEvent, Outbox } from '../../src/store/outbox/outbox.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from './store-fixture.ts';
import type { Scope } from './temporary-folder.ts';

/** An arbitrary genesis hash: 32 bytes in base58. */
export const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const CAPS = { perWalletAndClient: 1_000_000, perClient: 1_000_000 };

interface DeliveryWorld {
  readonly store: Store;
  readonly secrets: WebhookSecrets;
  /** Starts another loop on the same store, as another process would. Closes it when the scope ends. */
  readonly start: (options?: Partial<DeliveryLoopOptions>) => DeliveryLoop;
  /** Creates a registration. `named` makes its id the path of its URL. */
  readonly register: (callbackUrl: string, named?: boolean) => Promise<string>;
  /** Records an event of a registration and notifies every loop. Returns its id. */
  readonly tell: (registrationId: string, given?: Partial<NewEvent>) => Promise<string>;
  /** Returns the newest secret as raw bytes. */
  readonly secretOf: (registrationId: string) => Promise<Uint8Array>;
  /** Returns the delivery with its attempts. */
  readonly poll: (
    registrationId: string,
    eventId: string,
  ) => Promise<Awaited<ReturnType<Outbox['deliveries']>>[number]>;
  /** Results on disk, oldest first. */
  readonly settled: readonly AttemptResult[];
  /** Resolves when at least `count` results are on disk. */
  readonly settledCount: (count: number) => Promise<void>;
}

/** Resolves the host names that a test's receivers may have. All others are unknown. */
const resolve = async (name: string): Promise<readonly string[]> => {
  if (name.endsWith('.loopback.example')) return ['127.0.0.1'];
  if (name.endsWith('.private.example')) return ['10.0.0.1'];
  throw new Error('unknown');
};

/**
 * Opens the fixture with deliveries to loopback allowed. Nothing runs until `start`. `location` is passed to
 * the store fixture.
 */
export const deliveryWorld = async (
  scope: Scope,
  { clock, location, ca }: { readonly clock: Clock; readonly location?: string; readonly ca?: string },
): Promise<DeliveryWorld> => {
  const closing: (() => Promise<unknown>)[] = [];
  scope.after(async () => {
    // Closed first. Otherwise the loops would wait for hanging receivers while time does not advance.
    await agent.destroy();
    for (const close of closing.reverse()) await close();
  });
  const store = await openTestStore({ after: (close) => void closing.push(async () => close()) }, location, {
    clock,
  });
  const secrets = createWebhookSecrets(SecretBytes.take(new Uint8Array(randomBytes(32))), GENESIS);
  const rules = { allowCidrs: ['127.0.0.0/8', '::1/128'], bindsLoopback: true, ports: [443] };
  const { mayReach } = createCallbackUrlRules(rules);
  const agent = createGuardedAgent({ mayReach, resolve, ...(ca === undefined ? {} : { ca }) });
  const loops: DeliveryLoop[] = [];
  const settled: AttemptResult[] = [];
  const watchers = new Set<() => void>();
  const settle: Outbox['settle'] = async (results) => {
    await store.outbox.settle(results);
    settled.push(...results);
    for (const watch of [...watchers]) watch();
  };
  let events = 0;
  return {
    store,
    secrets,
    settled,
    start: (options) => {
      const loop = startDeliveryLoop({
        outbox: { ...store.outbox, settle },
        owner: randomBytes(8).toString('hex'),
        send: createSendAttempt(agent, clock),
        secretsOf: ({ registrationId, secretGeneration, rotatedAtMs }, nowMs) =>
          secrets.bytesOf({ id: registrationId, secretGeneration, rotatedAtMs }, nowMs),
        composers: {},
        random: () => 0.5,
        pollMs: 1e9,
        clock,
        logger: pino({ level: 'silent' }),
        ...options,
      });
      closing.push(loop.close);
      loops.push(loop);
      return loop;
    },
    register: async (callbackUrl, named = false) => {
      const id = randomBytes(16).toString('hex');
      await store.webhooks.register(
        {
          id,
          kind: 'events',
          walletAddress: 'wallet',
          callbackUrl: named ? `${callbackUrl}/${id}` : callbackUrl,
          events: ['epoch_complete'],
          createdAtMs: clock.now(),
          createdEpoch: 0n,
          createdSlot: 0n,
          client: 'client',
        },
        CAPS,
      );
      return id;
    },
    tell: async (registrationId, given) => {
      events += 1;
      const id = given?.id ?? `evt_${events}_${randomBytes(8).toString('hex')}`;
      await store.outbox.record([
        {
          id,
          registrationId,
          type: 'epoch_complete',
          atMs: clock.now(),
          data: `{"walletAddress":"wallet","epoch":${events}}`,
          expiresAtMs: null,
          ...given,
        },
      ]);
      for (const loop of loops) loop.wake();
      return id;
    },
    secretOf: async (registrationId) => {
      const registration = await store.webhooks.find(registrationId);
      if (registration === null) throw new Error('no such registration');
      return secrets.bytesOf(registration, clock.now())[0]!;
    },
    poll: async (registrationId, eventId) => {
      const all = await store.outbox.deliveries(registrationId, { limit: 1_000, before: null, state: null });
      const found = all.find(({ id }) => id === eventId);
      if (!found) throw new Error('no such delivery');
      return found;
    },
    settledCount: (count) =>
      new Promise((resolveCount) => {
        const watch = (): void => {
          if (settled.length < count) return;
          watchers.delete(watch);
          resolveCount();
        };
        watchers.add(watch);
        watch();
      }),
  };
};

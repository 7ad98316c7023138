// Webhooks of one wallet without HTTP: registers them, records events, and ends their attempts with a result
// that the test chooses.
import { registerWebhook } from '../../src/operations/webhooks/register-webhook.ts';
import type { Outbox } from '../../src/store/outbox/outbox.ts';
import type { NoticeWorld, ResponseBody } from './notice-world.ts';
import { newWallet } from './wallets.ts';

/** The wallet of every registration that does not specify another wallet. */
export const { walletAddress } = newWallet();

export const wanted = {
  walletAddress,
  callbackUrl: 'https://hook.example/tell?token=hidden',
  events: ['withdraw_ready'],
};

/** Registers a webhook. Returns the response to the caller. */
export const register = (world: NoticeWorld, more: object = {}, client?: string): Promise<ResponseBody> =>
  world.ask(registerWebhook, { ...wanted, ...more }, client);

/** Records an event of a registration `agoMs` before now. Returns its id. */
export const tell = async (
  { store, clock }: NoticeWorld,
  registrationId: string,
  agoMs: number,
  expiresAtMs?: number,
) => {
  const id = `evt_${registrationId.slice(0, 8)}_${agoMs}`;
  const event = {
    id,
    registrationId,
    type: 'withdraw_ready' as const,
    atMs: clock.now() - agoMs,
    data: '{}',
  };
  await store.outbox.record([{ ...event, expiresAtMs: expiresAtMs ?? null }]);
  return id;
};

/** Attempts every due delivery and ends each attempt with this result. */
export const settleAll = async (
  { store, clock }: NoticeWorld,
  end: { readonly state: 'delivered' | 'dead'; readonly disable?: 'gone' },
): Promise<void> => {
  const claim = { nowMs: clock.now(), leaseMs: 1_000, limit: 100, limitPerRegistration: 100, except: [] };
  const claimed = await store.outbox.claim({ owner: 'process', ...claim });
  const attempt = { number: 1, atMs: clock.now(), durationMs: 1, answerBytes: 0 };
  const outcome = end.state === 'delivered' ? ('delivered' as const) : ('refused-status' as const);
  await store.outbox.settle(
    claimed.map(({ id, key, registrationId }) => ({
      eventId: id,
      key,
      registrationId,
      owner: 'process',
      next: { state: end.state },
      attempt: { ...attempt, outcome, status: end.state === 'delivered' ? 200 : 500 },
      ...(end.disable ? { disable: end.disable } : {}),
    })),
  );
};

/**
 * Accepts a registration's ping with a 2xx, `aheadMs` later than now, because a running service may have
 * claimed the ping.
 */
export const respondToPing = async (
  { store, clock }: Ports,
  registrationId: string,
  aheadMs = 0,
): Promise<void> => {
  const nowMs = clock.now() + aheadMs;
  const claim = { nowMs, leaseMs: 1_000, limit: 1_000, limitPerRegistration: 100, except: [] };
  const claimed = await store.outbox.claim({ owner: 'process', ...claim });
  const attempt = { number: 1, atMs: clock.now() - 1, durationMs: 1, answerBytes: 0, status: 200 };
  await store.outbox.settle(
    claimed.flatMap(({ id, key, registrationId: to, type }) =>
      to === registrationId && type === 'ping'
        ? [
            {
              eventId: id,
              key,
              registrationId,
              owner: 'process',
              enable: true as const,
              attempt: { ...attempt, outcome: 'delivered' as const },
              next: { state: 'delivered' as const },
            },
          ]
        : [],
    ),
  );
};

interface Ports {
  readonly store: { readonly outbox: Pick<Outbox, 'claim' | 'settle'> };
  readonly clock: { readonly now: () => number };
}

/** Registers a webhook, accepts its ping, and removes the ping from the log. */
export const registerAnswered = async (world: NoticeWorld): Promise<ResponseBody> => {
  const made = await register(world);
  await respondToPing(world, made.id);
  const soon = world.clock.now() + 1;
  await world.store.outbox.pruneSettledBefore({ deliveredBeforeMs: soon, deadBeforeMs: soon });
  return made;
};

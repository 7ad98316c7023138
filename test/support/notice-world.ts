// The operations of webhooks and of the autopilot on a real store in memory, with real secrets and callback
// rules. Only the chain's position is scripted.

import assert from 'node:assert/strict';
import { pino } from 'pino';
import { validateInput } from '../../src/adapter/validate-input.ts';
import { createCallbackUrlRules } from '../../src/events/callbacks/callback-url-rules.ts';
import { createWebhookSecrets } from '../../src/events/delivery/webhook-secret.ts';
import { AppError, isAppError } from '../../src/kernel/app-error.ts';
import type { ErrorCode } from '../../src/kernel/error-codes.ts';
import type { Guidance } from '../../src/kernel/guidance.ts';
import { SecretBytes } from '../../src/kernel/secret-bytes.ts';
import type { Context } from '../../src/operations/context.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock, type SteerableClock } from './steerable-clock.ts';
import { openTestStore } from './store-fixture.ts';
import type { Scope } from './temporary-folder.ts';

/** The response of an operation. Each test checks the fields that it needs. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert fields of any response.
export type ResponseBody = Record<string, any>;

/** A refusal as an interface would return it. */
interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly suggestedAction: Guidance | undefined;
  readonly body: Readonly<ResponseBody>;
}

/** A service without interfaces. */
export interface NoticeWorld {
  readonly store: Store;
  readonly clock: SteerableClock;
  readonly ctx: Context;
  /** Position of the chain. `away` means that no node responds. */
  readonly chain: { epoch: bigint; absoluteSlot: bigint; epochRewardsActive: boolean; away: boolean };
  /** Number of times that delivery and the autopilot were woken. */
  readonly woken: { delivery: number; autopilot: number };
  /** Validates `input` and runs an operation, as if called from the network `client`. */
  readonly ask: (operation: AnyOperation, input: object, client?: string) => Promise<ResponseBody>;
  /** Runs an operation that must be refused with an `AppError`. */
  readonly refusal: (operation: AnyOperation, input: object, client?: string) => Promise<Refusal>;
}

/** 32 bytes in base58, like a genesis hash. */
const GENESIS = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';

/** Opens a service without interfaces. Closes it when the scope ends. */
export const openNoticeWorld = async (
  scope: Scope,
  settings: Partial<Context['service']['settings']> = {},
): Promise<NoticeWorld> => {
  const store = await openTestStore(scope);
  const clock = createManualClock();
  const chain = { epoch: 7n, absoluteSlot: 700n, epochRewardsActive: false, away: false };
  const position = async () => {
    if (chain.away) throw new AppError('UPSTREAM_UNAVAILABLE', 'no node answers');
    return chain;
  };
  const woken = { delivery: 0, autopilot: 0 };
  const ctx = {
    service: {
      settings: {
        webhookDelete: 'wallet',
        autopilotPrefix: 'holdfast-autopilot',
        voteAccount: 'vote',
        ...settings,
      },
      publicUrl: () => 'https://stake.example',
    },
    chain: { cluster: { genesisHash: GENESIS, epochPosition: position, recentEpochPosition: position } },
    store: {
      intents: store.intents,
      webhooks: store.webhooks,
      outbox: store.outbox,
      policies: store.policies,
    },
    events: {
      webhookSecrets: createWebhookSecrets(SecretBytes.take(new Uint8Array(32).fill(7)), GENESIS),
      callbackTargets: createCallbackUrlRules({ allowCidrs: [], bindsLoopback: true, ports: [443] }),
      wakeDelivery: () => {
        woken.delivery += 1;
      },
      wakeAutopilot: () => {
        woken.autopilot += 1;
      },
    },
    clock,
    logger: pino({ level: 'silent' }),
  } as unknown as Context;
  const ask: NoticeWorld['ask'] = async (operation, input, client = '203.0.113.7') => {
    const evaluated = validateInput(operation, { ...input });
    const { signal } = new AbortController();
    const { body } = await operation.run({ ctx, input: evaluated, signal, source: 'rest', client });
    return operation.output.parse(body) as ResponseBody;
  };
  return {
    store,
    clock,
    ctx,
    chain,
    woken,
    ask,
    refusal: async (...asked) => {
      const error: unknown = await ask(...asked).then(
        (response) => assert.fail(`not refused: ${JSON.stringify(response)}`),
        (thrown: unknown) => thrown,
      );
      if (!isAppError(error)) throw error;
      const { code, message, suggestedAction, body } = error;
      return { code, message, suggestedAction, body };
    },
  };
};

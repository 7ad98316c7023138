// Calls the operator's routes on this listener with the operator's token, and forgets a token that is
// refused.
import type { z } from 'zod';
import { machineClock } from '../../../client/client-clock.ts';
import { isHoldfastError } from '../../../client/holdfast-error.ts';
import type { OperationFacts } from '../../../client/operation-facts.ts';
import { sendCall } from '../../../client/send-call.ts';
import type { listAlerts } from '../../../src/operations/operator/list-alerts.ts';
import type { listDeadLetters } from '../../../src/operations/operator/list-dead-letters.ts';
import type { listDelegators } from '../../../src/operations/operator/list-delegators.ts';
import type { listSubmissions } from '../../../src/operations/operator/list-submissions.ts';
import type { replayDeadLetter } from '../../../src/operations/operator/replay-dead-letter.ts';
import type { sendTestAlert } from '../../../src/operations/operator/send-test-alert.ts';
import type { setWalletLabel } from '../../../src/operations/operator/set-wallet-label.ts';
import type { showDelegator } from '../../../src/operations/operator/show-delegator.ts';
import type { showDelivery } from '../../../src/operations/operator/show-delivery.ts';
import type { showOwnValidator } from '../../../src/operations/operator/show-own-validator.ts';
import type { showServiceHealth } from '../../../src/operations/operator/show-service-health.ts';
import type { showStakeFlows } from '../../../src/operations/operator/show-stake-flows.ts';
import { forgetToken, operatorToken } from './tab-token.ts';

type Answer<Operation extends { readonly output: z.ZodObject }> = z.output<Operation['output']>;

/** Responses of the operator's routes. */
export type StakeFlows = Answer<typeof showStakeFlows>;
export type OwnValidator = Answer<typeof showOwnValidator>;
export type DelegatorPage = Answer<typeof listDelegators>;
export type Account = DelegatorPage['delegators'][number];
export type DelegatorHistory = Answer<typeof showDelegator>;
export type ServiceHealth = Answer<typeof showServiceHealth>;
export type DeadLetters = Answer<typeof listDeadLetters>;
export type Submissions = Answer<typeof listSubmissions>;
export type Alerts = Answer<typeof listAlerts>;
export type DeliveryState = Answer<typeof showDelivery>;
type TestSent = Answer<typeof sendTestAlert>;
type Labelled = Answer<typeof setWalletLabel>;
type Replay = Answer<typeof replayDeadLetter>;

const get = (path: string, query: readonly string[] = []): OperationFacts => ({
  method: 'GET',
  path: `/api/v1/operator/${path}`,
  effect: 'read',
  query,
  body: [],
  bearer: true,
});

const facts = {
  stake: get('stake'),
  ownValidator: get('validator'),
  delegators: {
    ...get('delegators', ['search', 'state', 'sort', 'order', 'limit', 'cursor']),
    alternative: { type: 'text/csv', name: 'format', value: 'csv' },
  },
  delegator: get('delegators/{address}'),
  setLabel: { ...get('labels'), method: 'POST', effect: 'build', body: ['walletAddress', 'label'] },
  health: get('health'),
  alerts: get('alerts', ['limit']),
  sendTestAlert: { ...get('alerts/test'), method: 'POST', effect: 'build' },
  deadLetters: get('dead-letters', ['limit']),
  delivery: get('deliveries/{id}'),
  submissions: get('submissions'),
  replay: {
    ...get('dead-letters/replay'),
    method: 'POST',
    effect: 'build',
    body: ['webhookId', 'id'],
  },
} as const satisfies Record<string, OperationFacts>;

const calling = {
  baseUrl: location.origin,
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  clock: machineClock,
  random: Math.random,
  newIdempotencyKey: () => '',
  timeoutMs: undefined,
  // No retries here, because `useResource` repeats failed reads.
  retries: 0,
  source: 'page',
} as const;

const call = async (
  operation: keyof typeof facts,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
  alternative = false,
): Promise<unknown> => {
  const bearer = operatorToken.get() ?? '';
  const options = { bearer, signal };
  try {
    const { body } = await sendCall(calling, {
      operation,
      facts: facts[operation],
      input,
      options,
      alternative,
    });
    return body;
  } catch (error) {
    const isRefused = isHoldfastError(error, 'OPERATOR_TOKEN_REQUIRED');
    // Forgets the token only if it is still the current one, because another one may have been entered in the
    // meantime.
    if (isRefused && operatorToken.get() === bearer) forgetToken(true);
    throw error;
  }
};

/** The operator's routes. Every call rejects with `HoldfastError`. */
export const operatorApi = {
  stake: async (signal: AbortSignal) => (await call('stake', {}, signal)) as StakeFlows,
  ownValidator: async (signal: AbortSignal) => (await call('ownValidator', {}, signal)) as OwnValidator,
  delegators: async (input: object, signal: AbortSignal) =>
    (await call('delegators', { ...input }, signal)) as DelegatorPage,
  delegatorsCsv: async () => (await call('delegators', {}, undefined, true)) as string,
  delegator: async (address: string, signal: AbortSignal) =>
    (await call('delegator', { address }, signal)) as DelegatorHistory,
  /** Labels the wallet; null removes the label. */
  setLabel: async (walletAddress: string, label: string | null) =>
    (await call('setLabel', { walletAddress, label })) as Labelled,
  health: async (signal: AbortSignal) => (await call('health', {}, signal)) as ServiceHealth,
  alerts: async (signal: AbortSignal) => (await call('alerts', { limit: 200 }, signal)) as Alerts,
  sendTestAlert: async () => (await call('sendTestAlert', {})) as TestSent,
  deadLetters: async (signal: AbortSignal) =>
    (await call('deadLetters', { limit: 100 }, signal)) as DeadLetters,
  delivery: async (id: string, signal: AbortSignal) =>
    (await call('delivery', { id }, signal)) as DeliveryState,
  submissions: async (signal: AbortSignal) => (await call('submissions', {}, signal)) as Submissions,
  replay: async (webhookId: string, id: string) => (await call('replay', { webhookId, id })) as Replay,
};

// Methods and calls of the operations under "Service".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  AnalyticsAnswer,
  AnalyticsInput,
  HealthAnswer,
  HealthInput,
  ReadyAnswer,
  ReadyInput,
} from './service-operations.ts';

/** Methods of service operations. */
export interface ServiceMethods {
  /**
   * Analytics summary: `GET /analytics-json`
   *
   * Counts and sums of every recorded transaction: those sent by this service as soon as they are
   * confirmed, and those found on chain by its memo. Only successful ones count, each once, for the wallet
   * that signed. `endpointCounts` counts answered calls of every route, and loses at most the last second
   * if the process is killed.
   */
  readonly analytics: (input?: AnalyticsInput, options?: CallOptions) => Promise<AnalyticsAnswer>;
  /**
   * Liveness: `GET /health`
   *
   * Returns 200 as soon as the process can serve requests, and 503 while it drains before stopping. Does
   * not check dependencies.
   */
  readonly health: (input?: HealthInput, options?: CallOptions) => Promise<HealthAnswer>;
  /**
   * Readiness: `GET /ready`
   *
   * Lists every dependency. Returns 200 if all required ones work, 503 otherwise. The service recovers
   * automatically.
   */
  readonly ready: (input?: ReadyInput, options?: CallOptions) => Promise<ReadyAnswer>;
}

/** How each of them is called. */
export const serviceOperations = {
  analytics: { method: 'GET', path: '/analytics-json', effect: 'read', query: [], body: [] },
  health: { method: 'GET', path: '/health', effect: 'read', query: [], body: [] },
  ready: { method: 'GET', path: '/ready', effect: 'read', query: [], body: [] },
} as const satisfies OperationTable;

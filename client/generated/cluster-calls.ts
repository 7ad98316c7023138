// Methods and calls of the operations under "Cluster".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type { EpochAnswer, EpochInput } from './cluster-operations.ts';

/** Methods of cluster operations. */
export interface ClusterMethods {
  /**
   * Current epoch and its timing: `GET /api/v1/epoch`
   *
   * Epoch, progress and estimated range for its end, based on the slot duration measured on the cluster.
   * Stakes activate and deactivate at epoch boundaries. While `epochRewardsActive` is true, stake
   * instructions are refused.
   */
  readonly epoch: (input?: EpochInput, options?: CallOptions) => Promise<EpochAnswer>;
}

/** How each of them is called. */
export const clusterOperations = {
  epoch: { method: 'GET', path: '/api/v1/epoch', effect: 'read', query: [], body: [] },
} as const satisfies OperationTable;

// The two resources: data that agents can read without a tool call. Each is the response of one operation.
import { epoch } from '../operations/cluster/epoch.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { validatorLive } from '../operations/validator/validator-live.ts';

/** One resource. */
interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** An operation that takes no input. */
  readonly operation: AnyOperation;
  /** Time for which a client may cache the resource, in milliseconds. */
  readonly ttlMs: number;
}

export const mcpResources: readonly McpResource[] = [
  {
    uri: 'holdfast://validator/status',
    name: 'validator-status',
    title: 'Live validator status',
    description:
      'Slot, epoch, leader slots, last vote, credits, stake and commissions of the validator, and whether it is delinquent. JSON; at most 15 seconds old, or 30 if stale.',
    operation: validatorLive,
    ttlMs: 15_000,
  },
  {
    uri: 'holdfast://epoch/current',
    name: 'current-epoch',
    title: 'Current epoch',
    description:
      'Epoch, progress, and the earliest and latest expected end. JSON, read from the chain at every request.',
    operation: epoch,
    ttlMs: 0,
  },
];

/** Media type of all resources. */
export const RESOURCE_TYPE = 'application/json';

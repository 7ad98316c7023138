// Data sources for the RPC responses that the gateway builds itself, and their common shapes.

import type { EpochBoundary } from '../epochs/apply-epoch-boundary.ts';
import type { EpochEngine } from '../epochs/epoch-engine.ts';
import type { ProviderCluster } from '../providers/provider-cluster.ts';
import { type RuntimeClient, RuntimeRpcError } from '../runtime-client.ts';

export type RpcResponseContext = {
  readonly client: RuntimeClient;
  readonly engine: EpochEngine;
  readonly boundary: EpochBoundary;
  /** Identity of the sandbox's own validator. */
  readonly identity: string;
  readonly voteAccount: string;
  /** Identities of the rest of the cluster with their vote addresses and effective lamports. */
  readonly peers: readonly {
    readonly identity: string;
    readonly voteAccount: string;
    readonly stakeLamports: bigint;
  }[];
  /** Every other validator, as shown by the statistics providers. */
  readonly cluster: ProviderCluster;
  readonly urls: () => { readonly rpc: string; readonly pubsub: string };
  readonly airdrop: (wallet: string, lamports: bigint) => Promise<string>;
};

export type RpcResponse = (params: readonly unknown[]) => unknown;

/** Creates the JSON-RPC error for invalid parameters. */
export function invalidParams(message: string): RuntimeRpcError {
  return new RuntimeRpcError({ code: -32_602, message });
}

/** Returns the configuration object at `index`, or an empty object if there is none. */
export function configOf(params: readonly unknown[], index: number): Record<string, unknown> {
  const config = params[index];
  return typeof config === 'object' && config !== null ? (config as Record<string, unknown>) : {};
}

/** Wraps a value together with the slot at which it was read. */
export function withContext(context: RpcResponseContext, value: unknown): unknown {
  return { context: { slot: context.engine.slot, apiVersion: '4.1.2' }, value };
}

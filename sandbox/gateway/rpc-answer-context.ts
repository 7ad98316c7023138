// What the gateway's own RPC answers are made from, and the small shapes that they share.

import type { EpochBoundary } from '../epochs/epoch-boundary.ts';
import type { EpochEngine } from '../epochs/epoch-engine.ts';
import type { ProviderCluster } from '../providers/provider-cluster.ts';
import { type RuntimeClient, RuntimeRpcError } from '../runtime-client.ts';

/** What the answers are made from. */
export type RpcAnswerContext = {
  readonly client: RuntimeClient;
  readonly engine: EpochEngine;
  readonly boundary: EpochBoundary;
  /** Our validator. */
  readonly identity: string;
  readonly voteAccount: string;
  /** Identities of the rest of the cluster with their vote addresses and effective lamports. */
  readonly peers: readonly {
    readonly identity: string;
    readonly voteAccount: string;
    readonly stakeLamports: bigint;
  }[];
  /** The rest of the cluster one by one, as the statistics providers tell of it. */
  readonly cluster: ProviderCluster;
  readonly urls: () => { readonly rpc: string; readonly pubsub: string };
  readonly airdrop: (wallet: string, lamports: bigint) => Promise<string>;
};

export type RpcAnswer = (params: readonly unknown[]) => unknown;

/** The error of a call with parameters that make no sense. */
export function invalidParams(message: string): RuntimeRpcError {
  return new RuntimeRpcError({ code: -32_602, message });
}

/** The configuration object at `index`; empty when there is none. */
export function configOf(params: readonly unknown[], index: number): Record<string, unknown> {
  const config = params[index];
  return typeof config === 'object' && config !== null ? (config as Record<string, unknown>) : {};
}

/** The value with the slot it was true at. */
export function withContext(context: RpcAnswerContext, value: unknown): unknown {
  return { context: { slot: context.engine.slot, apiVersion: '4.1.2' }, value };
}

// Derives the settings for operations from the configuration and the cluster.

import type { Address } from '@solana/kit';
import type { ClusterState } from '../chain/ports.ts';
import type { Config } from '../config/config.ts';
import type { RpcEndpoint } from '../config/secret-settings.ts';
import type { ServiceSettings } from '../operations/service-ports.ts';
import type { ProviderPlaces } from './open-validator.ts';

export const serviceSettings = (
  config: Config,
  cluster: ServedCluster,
  { clusterName }: Pick<ClusterState, 'clusterName'>,
): ServiceSettings => ({
  voteAccount: cluster.voteAccount,
  donationAddress: cluster.donationAddress,
  memo: cluster.memo,
  feeReserveLamports: config.feeReserveLamports,
  explorerUrl: config.explorerUrl,
  // The sandbox is the only cluster without a public RPC URL.
  explorerQuery: explorerQueryOf(
    clusterName,
    cluster.controlUrl === undefined ? undefined : cluster.endpoints[0]?.httpUrl,
  ),
  oneShot: config.oneShot,
  transactionVersion: config.transactionVersion,
  priorityFee: config.priorityFee,
  priorityFeeMaxLamports: BigInt(config.priorityFeeMaxLamports),
  submitPolicy: config.submit,
  autopilotPrefix: config.autopilotPrefix,
  webhookDelete: config.webhookDelete,
  webhooksPerHost: config.webhooksPerHost,
  webhooksInAll: config.webhooksInAll,
  sourceUrl: config.sourceUrl,
});

/**
 * Returns the query string of explorer links. `localRpcUrl` is set only for the sandbox. Other RPC URLs may
 * contain keys and never appear in links.
 */
export const explorerQueryOf = (clusterName: string, localRpcUrl: string | undefined): string => {
  if (clusterName === 'mainnet-beta') return '';
  if (clusterName === 'devnet' || clusterName === 'testnet') return `?cluster=${clusterName}`;
  return localRpcUrl ? `?cluster=custom&customUrl=${encodeURIComponent(localRpcUrl)}` : '?cluster=custom';
};

/** URLs of the cluster, and the accounts of this service on it. */
export interface ServedCluster {
  readonly endpoints: readonly RpcEndpoint[];
  readonly sendRpcUrl?: string | undefined;
  readonly voteAccount: Address;
  readonly memo: string;
  readonly donationAddress: Address;
  /**
   * URLs of the statistics providers and of the operator's profile. Default on mainnet-beta: the public
   * providers.
   */
  readonly providers?: ProviderPlaces;
  /** Set only for a sandbox. */
  readonly controlUrl?: string | undefined;
}

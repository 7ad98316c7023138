// The operator's decisions as operations need them, from the configuration and the cluster that is served.
import type { ClusterState } from '../chain/ports.ts';
import type { Config } from '../config/config.ts';
import type { ServiceSettings } from '../operations/context.ts';
import { explorerQueryOf } from './explorer-query.ts';
import type { ServedCluster } from './served-cluster.ts';

/** The settings of this service on this cluster. */
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
  // Only a sandbox's cluster is reached at its own URL alone.
  explorerQuery: explorerQueryOf(
    clusterName,
    cluster.controlUrl === undefined ? undefined : cluster.endpoints[0]?.httpUrl,
  ),
  oneShot: config.oneShot,
  transactionVersion: config.transactionVersion,
  submitPolicy: config.submit,
  autopilotPrefix: config.autopilotPrefix,
  webhookDelete: config.webhookDelete,
  webhooksPerHost: config.webhooksPerHost,
  webhooksInAll: config.webhooksInAll,
  sourceUrl: config.sourceUrl,
});

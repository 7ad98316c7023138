// The cluster that a start serves: read from the settings, or told by a sandbox that was just started.
import type { Address } from '@solana/kit';
import type { RpcEndpoint } from '../config/secrets.ts';
import type { ProviderPlaces } from './open-validator.ts';

/** Where the cluster is, and what the service is on it. */
export interface ServedCluster {
  readonly endpoints: readonly RpcEndpoint[];
  readonly sendRpcUrl?: string | undefined;
  readonly voteAccount: Address;
  readonly memo: string;
  readonly donationAddress: Address;
  /** Where statistics and the operator's profile come from; on mainnet-beta the public providers where none is named. */
  readonly providers?: ProviderPlaces;
  /** Only for a sandbox. */
  readonly controlUrl?: string | undefined;
}

// The public Solana clusters.

/** Genesis hashes of the public clusters, as returned by `getGenesisHash`. */
const publicClusters: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  '4uhcVJyU9pJkvQyS88uRDiswHXSGkY3zQawwpjk2NsNY': 'testnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
};

/** Returns the name of the cluster with this genesis hash, or `unknownName` if the cluster is not public. */
export const clusterNameOf = (genesisHash: string, unknownName: string): string =>
  publicClusters[genesisHash] ?? unknownName;

/** Returns true for a public cluster, false for a private one or a sandbox. */
export const isPublicCluster = (genesisHash: string): boolean => Object.hasOwn(publicClusters, genesisHash);

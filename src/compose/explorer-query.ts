// Which cluster explorer links mean.

/** The query of explorer links. `localRpcUrl` is given for the sandbox only: other RPC URLs may hold keys and never go into links. */
export const explorerQueryOf = (clusterName: string, localRpcUrl: string | undefined): string => {
  if (clusterName === 'mainnet-beta') return '';
  if (clusterName === 'devnet' || clusterName === 'testnet') return `?cluster=${clusterName}`;
  return localRpcUrl ? `?cluster=custom&customUrl=${encodeURIComponent(localRpcUrl)}` : '?cluster=custom';
};

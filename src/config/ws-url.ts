// Where a node's WebSocket is when nobody says: the rule that Solana's own clients use.

/**
 * The WebSocket URL that belongs to an RPC URL: `http` becomes `ws` and `https` `wss`; a port that is written out grows by 1, as a
 * validator listens on 8899 and 8900; without a port the same host serves both. Path, query and credentials are kept.
 */
export const deriveWsUrl = (rpcUrl: string): string => {
  const url = new URL(rpcUrl);
  const wsUrl = new URL(rpcUrl.replace(/^http/i, 'ws'));
  if (url.port !== '') wsUrl.port = String(Number(url.port) + 1);
  return wsUrl.href;
};

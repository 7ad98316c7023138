// Provides a legacy web3.js connection and closes it. Otherwise it would reconnect forever and keep the process
// alive.

import { Connection } from '@solana/web3.js';

/**
 * Runs `use` with a connection to `cluster` at `confirmed`. Its WebSocket (on the RPC port + 1, which the
 * library assumes) is closed afterwards.
 */
export async function withLegacyConnection<T>(
  cluster: { readonly rpcUrl: string },
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = new Connection(cluster.rpcUrl, 'confirmed');
  try {
    return await use(connection);
  } finally {
    // The library has no close method. These are its private fields in 1.98.4.
    const inner = connection as unknown as {
      _rpcWebSocket: { close(): void };
      _rpcWebSocketIdleTimeout: NodeJS.Timeout | null;
      _rpcWebSocketHeartbeat: NodeJS.Timeout | null;
    };
    clearTimeout(inner._rpcWebSocketIdleTimeout ?? undefined);
    clearInterval(inner._rpcWebSocketHeartbeat ?? undefined);
    inner._rpcWebSocket.close();
  }
}

// Discards an unwanted request body so that the client reads the refusal instead of seeing a connection reset.
import type { IncomingMessage } from 'node:http';

// If we closed the connection while the client is still sending, the kernel would reset it and our response
// would be lost. Reading without a limit would let attackers keep the connection busy.
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Returns true if the headers announce a body. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Reads and overwrites the rest of the body, up to 1 MiB, then closes the connection. */
export const discardBody = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return;
  let discardedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    chunk.fill(0);
    discardedBytes += chunk.length;
    if (discardedBytes > MAX_DISCARDED_BYTES) request.socket.destroy();
  });
  request.on('error', () => {});
};

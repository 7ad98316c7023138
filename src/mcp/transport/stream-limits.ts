// Limits on open streams: per client network, per IPv6 /48, and in total.
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import { siteOf } from '../../kernel/network/client-network.ts';

export interface StreamLimits {
  readonly perClient: number;
  /** Limit for all client networks in one IPv6 /48 together. */
  readonly perSite: number;
  readonly inAll: number;
}

// A desktop agent opens one stream, so a client network with ten streams is probably an office.
export const STREAM_LIMITS: StreamLimits = { perClient: 10, perSite: 40, inAll: 200 };

export const tooManyStreams = (reason: ErrorReason<'RATE_LIMITED'>, message: string, limit = 0): AppError =>
  new AppError('RATE_LIMITED', message, {
    reason,
    ...(limit > 0 && { params: { limit } }),
    suggestedAction: 'Close unused streams, or use Streamable HTTP at /mcp, which does not need one.',
    retryAfterSeconds: 60,
  });

/**
 * Returns the refusal of another stream of `client` if its network or site has too many; null if the client may
 * open one. `clients` contains one entry per open stream.
 */
export const crowdedNetwork = (
  client: string,
  clients: readonly string[],
  limits: StreamLimits,
): AppError | null => {
  if (clients.filter((other) => other === client).length >= limits.perClient)
    return tooManyStreams(
      'STREAMS_OF_ADDRESS',
      'Your address has {limit} streams open, which is the maximum.',
      limits.perClient,
    );
  const site = siteOf(client);
  return site !== null && clients.filter((other) => siteOf(other) === site).length >= limits.perSite
    ? tooManyStreams(
        'STREAMS_OF_NETWORK',
        'Your network has {limit} streams open, which is the maximum.',
        limits.perSite,
      )
    : null;
};

/** Creates the refusal of a stream when all streams are in use. */
export const allStreamsInUse = (): AppError =>
  tooManyStreams('STREAMS', 'Too many streams are open on this service.');

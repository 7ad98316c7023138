// Headers that the Solana Actions standard requires on every response: any page may call, and clients see the
// chain and the version.

/**
 * Version of the specification that these responses follow, in the format that clients compare (major and
 * minor). The responses are checked against the types of `@solana/actions-spec`.
 */
export const ACTION_VERSION = '2.4';

// CAIP-2 identifies a Solana cluster by the first 32 characters of its genesis hash; for mainnet-beta, that
// is 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp.
const CAIP_REFERENCE_LENGTH = 32;

/** Returns the CAIP-2 identifier of the cluster with this base58 genesis hash. */
export const blockchainId = (genesisHash: string): string =>
  `solana:${genesisHash.slice(0, CAIP_REFERENCE_LENGTH)}`;

/**
 * Returns the headers as alternating names and values. The standard requires this list of methods, including
 * PUT, even if an action does not support them.
 */
export const actionHeaders = (genesisHash: string): readonly string[] => [
  ...['access-control-allow-origin', '*'],
  ...['access-control-allow-methods', 'GET,POST,PUT,OPTIONS'],
  'access-control-allow-headers',
  'Content-Type, Authorization, Content-Encoding, Accept-Encoding, X-Accept-Action-Version, X-Accept-Blockchain-Ids, Idempotency-Key',
  'access-control-expose-headers',
  'X-Action-Version, X-Blockchain-Ids, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  ...['x-action-version', ACTION_VERSION],
  ...['x-blockchain-ids', blockchainId(genesisHash)],
];

/** Additional headers of preflight responses. Chromium caches a preflight for at most two hours. */
export const ACTION_PREFLIGHT: readonly string[] = ['access-control-max-age', '7200'];

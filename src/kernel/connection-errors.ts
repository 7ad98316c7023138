// Error codes of node:net, node:dns and undici that explain why an exchange had no response.

/** No connection was made, so the request cannot have arrived. */
export const neverArrivedCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The connection was made, but no complete response arrived in time. */
export const responseTimeoutCodes: ReadonlySet<unknown> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

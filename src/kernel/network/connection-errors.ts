// Error codes of node:net, node:dns and undici that explain why there was no response.

/** Codes that mean that no connection was made, so the request cannot have arrived. */
export const neverArrivedCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Codes that mean that the connection was made, but no complete response arrived in time. */
export const responseTimeoutCodes: ReadonlySet<unknown> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

// Refuses what a web page of another site could send: foreign Origins, and Host names that are not this machine's own.

import type { IncomingMessage } from 'node:http';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

function hostnameOf(value: string, prefix: string): string | null {
  try {
    return new URL(prefix + value).hostname;
  } catch {
    return null;
  }
}

/**
 * Why a request is refused, or `null` when it may pass. A missing Origin passes (no browser), a loopback one too (our own page);
 * `null` and every other Origin do not. Host must be a loopback name or `ownHost`, so that a rebound DNS name gains nothing.
 */
export function refusalOf(request: IncomingMessage, ownHost: string): string | null {
  const host = hostnameOf(request.headers.host ?? '', 'http://');
  if (host === null || !(LOOPBACK_NAMES.has(host) || host === ownHost)) {
    return 'This Host is not served here: use a loopback name.';
  }
  const { origin } = request.headers;
  if (origin === undefined) return null;
  const originHost = /^https?:\/\//.test(origin) ? hostnameOf(origin, '') : null;
  if (originHost === null || !LOOPBACK_NAMES.has(originHost)) return 'Requests from this Origin are refused.';
  return null;
}

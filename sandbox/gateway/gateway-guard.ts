// Refuses requests that a page of another website could have sent: those with a foreign Origin or with the
// Host name of another machine.

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
 * Returns the reason to refuse a request, or `null` if it may pass. Accepts a missing Origin (not a browser)
 * and a loopback Origin (the service's own page), but neither `null` nor any other Origin. To prevent DNS
 * rebinding, Host must be a loopback name or `ownHost`.
 */
export function refusalOf(request: IncomingMessage, ownHost: string): string | null {
  const host = hostnameOf(request.headers.host ?? '', 'http://');
  if (host === null || !(LOOPBACK_NAMES.has(host) || host === ownHost)) {
    return 'This Host header is not accepted here. Use a loopback name.';
  }
  const { origin } = request.headers;
  if (origin === undefined) return null;
  const originHost = /^https?:\/\//.test(origin) ? hostnameOf(origin, '') : null;
  if (originHost === null || !LOOPBACK_NAMES.has(originHost)) return 'Requests from this Origin are refused.';
  return null;
}

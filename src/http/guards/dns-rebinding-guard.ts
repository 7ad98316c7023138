// Serves only requests for our own host names. Blocks DNS rebinding, where a foreign domain resolves to our
// address.
import { isIPv6 } from 'node:net';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { parseIp } from './parse-ip-address.ts';

interface DnsRebindingGuardOptions {
  /** The address the service is bound to. */
  readonly bindHost: string;
  /** Origin at which others reach the service. */
  readonly publicUrl: string;
  /** Additional names. A name with a port matches only that port; one without matches any port. */
  readonly allowedHosts: readonly string[];
}

/** Checks a `Host` header. Returns null if it is ours, otherwise the refusal. */
type DnsRebindingGuard = (host: string | undefined) => AppError | null;

const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::(\d{1,5}))?$/;
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS = ['0.0.0.0', '::', ''];
// Maximum number of cached spellings. Accepted spellings differ only in the port, so only a caller that tries
// many ports reaches the limit.
const REMEMBERED = 64;

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/** Normalizes a name: lower case, no trailing dot, IPv6 as browsers write it. */
const spelled = (host: string): string => {
  const name = bracketed(host.toLowerCase()).replace(/\.(?=:\d+$|$)/, '');
  const [, address, port = ''] = /^(\[[^\]]+\])(:\d+)?$/.exec(name) ?? [];
  return address !== undefined && URL.canParse(`http://${address}`)
    ? new URL(`http://${address}`).hostname + port
    : name;
};

/** True if the name in a `Host` header (ignoring the port) refers to this machine. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  LOOPBACK_NAMES.includes(HOST.exec((host ?? '').toLowerCase())?.[1] ?? '');

const ownNames = ({ bindHost, publicUrl, allowedHosts }: DnsRebindingGuardOptions): Set<string> => {
  const bound = bindHost.toLowerCase();
  const boundToLoopback = bound === 'localhost' || parseIp(bound)?.loopback === true;
  return new Set([
    ...(boundToLoopback || WILDCARDS.includes(bound) ? LOOPBACK_NAMES : []),
    ...(WILDCARDS.includes(bound) ? [] : [spelled(bound)]),
    spelled(new URL(publicUrl).hostname),
    ...allowedHosts.map(spelled),
  ]);
};

/**
 * Returns the `Host` of a request; undefined if it is absent or repeated (RFC 9112, 3.2). If it is repeated,
 * Node uses the first one, but a proxy may have used the last. `rawHeaders` contains alternating names and
 * values.
 */
export const singleHostHeader = (
  host: string | undefined,
  rawHeaders: readonly string[],
): string | undefined => {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') seen += 1;
  }
  return seen === 1 ? host : undefined;
};

/** Builds the guard. A missing or malformed `Host` is a bad request; a foreign host is `HOST_NOT_ALLOWED`. */
export const createDnsRebindingGuard = (options: DnsRebindingGuardOptions): DnsRebindingGuard => {
  const names = ownNames(options);
  const accepted = new Set<string>();
  return (host) => {
    if (host !== undefined && accepted.has(host)) return null;
    const [, name, port] = HOST.exec((host ?? '').toLowerCase()) ?? [];
    if (host === undefined || name === undefined)
      return validationError([{ path: 'Host', code: 'invalid_host', message: 'must name this service' }]);
    const bare = spelled(name);
    if (!names.has(bare) && !(port !== undefined && names.has(`${bare}:${port}`)))
      return new AppError(
        'HOST_NOT_ALLOWED',
        'This service is not available under the name in the Host header.',
        {
          suggestedAction:
            'Use the address published by the operator. Operators add names with HOLDFAST_ALLOWED_HOSTS.',
        },
      );
    if (accepted.size < REMEMBERED) accepted.add(host);
    return null;
  };
};

// Parsers for settings. Each returns a value or one problem. Problems never repeat the text, which may be a
// secret.
import { isIP } from 'node:net';
import { type Address, isAddress } from '@solana/kit';
import { parseSol } from '../domain/lamports.ts';

/** Reason why a value is invalid, phrased as the end of a sentence that starts with the setting's name. */
export class Problem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Parser for trimmed, non-empty text. `accepts` describes the accepted values in the table of settings. */
export interface Parser<T> {
  readonly accepts: string;
  readonly parse: (text: string) => T | Problem;
}

/** Parses a whole number within bounds. */
export const wholeNumber = (least: number, most: number): Parser<number> => ({
  accepts: `${least} to ${most}`,
  parse: (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most
      ? value
      : new Problem(`must be a whole number from ${least} to ${most}`);
  },
});

/** Accepts the values of `parser`, and `off`, which gives null. */
export const orOff = <T>(parser: Parser<T>): Parser<T | null> => ({
  accepts: `${parser.accepts}, or off`,
  parse: (text) => (text === 'off' ? null : parser.parse(text)),
});

/** Parses an amount of SOL with at most nine decimals. Returns lamports. */
export const solAmount = (mostSol: number): Parser<bigint> => ({
  accepts: `SOL, 0 to ${mostSol}`,
  parse: (text) => {
    const lamports = parseSol(text);
    if (lamports === 'too_many_decimals') return new Problem('must not have more than 9 decimals');
    if (lamports === 'not_a_number' || lamports < 0n || lamports > BigInt(mostSol) * 1_000_000_000n) {
      return new Problem(`must be an amount of SOL from 0 to ${mostSol}`);
    }
    return lamports;
  },
});

/** Parses one of a fixed set of words. */
export const oneOf = <const W extends string>(...words: readonly W[]): Parser<W> => ({
  accepts: words.join(', '),
  parse: (text) => words.find((word) => word === text) ?? new Problem(`must be one of ${words.join(', ')}`),
});

/** Parses `on` or `off` as a boolean. */
export const onOff: Parser<boolean> = {
  accepts: 'on, off',
  parse: (text) => (text === 'on' ? true : text === 'off' ? false : new Problem('must be on or off')),
};

/** Parses text without control characters. The limit counts UTF-8 bytes. */
export const plainText = (accepts: string, mostBytes: number, pattern = /^\P{Cc}+$/u): Parser<string> => ({
  accepts,
  parse: (text) =>
    pattern.test(text) && Buffer.byteLength(text) <= mostBytes
      ? text
      : new Problem(`must be ${accepts}, at most ${mostBytes} bytes, without control characters`),
});

/** Parses a base58 address of 32 bytes. */
export const solanaAddress: Parser<Address> = {
  accepts: 'base58 address',
  parse: (text) => (isAddress(text) ? text : new Problem('must be a base58 Solana address of 32 bytes')),
};

const parseUrl = (text: string, schemes: readonly string[]): URL | undefined => {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  // Checks the text itself, because `url.hash` is empty for an empty fragment although `href` keeps the `#`.
  return schemes.includes(url.protocol.slice(0, -1)) && url.hostname !== '' && !text.includes('#')
    ? url
    : undefined;
};

/** Parses a URL with one of the schemes and without a fragment. Path, query and credentials are kept. */
export const urlOf = (...schemes: readonly string[]): Parser<string> => ({
  accepts: `${schemes.join(' or ')} URL`,
  parse: (text) =>
    parseUrl(text, schemes)?.href ??
    new Problem(`must be a URL with a host, starting with ${schemes.map((s) => `${s}://`).join(' or ')}`),
});

/**
 * Parses an http(s) URL that is safe to publish: no user, password, query or fragment. The value has no
 * trailing slash.
 */
export const publicUrl: Parser<string> = {
  accepts: 'http or https URL',
  parse: (text) => {
    const url = parseUrl(text, ['http', 'https']);
    if (!url || url.username || url.password || text.includes('?'))
      return new Problem('must be an http or https URL without credentials or query');
    return url.href.replace(/\/+$/, '');
  },
};

/** Parses an http(s) origin: scheme, host and port only. */
export const httpOrigin: Parser<string> = {
  accepts: 'http or https origin',
  parse: (text) => {
    const url = parseUrl(text, ['http', 'https']);
    const bare = url && !url.username && !url.password && !url.search && url.pathname === '/';
    return bare
      ? url.origin
      : new Problem('must be an http or https origin such as https://stake.example.org, without a path');
  },
};

/**
 * Parses the value of a `Host` header: a name or an address, with a port unless it is the scheme's default.
 * Lower case.
 */
export const hostName: Parser<string> = {
  accepts: 'host or host:port',
  parse: (text) =>
    /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}`)
      ? text.toLowerCase()
      : new Problem('must be a host name or address, optionally with :port, without a scheme'),
};

/** Parses an address to listen on: a host name or an IP address (IPv6 without brackets). */
export const listenHost: Parser<string> = {
  accepts: 'host name or IP address',
  parse: (text) =>
    isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)
      ? text
      : new Problem('must be a host name or an IP address'),
};

/**
 * Parses a network as `address/prefix`. A bare address means a network with only that address. Refuses
 * `0.0.0.0/0` and `::/0`, which would trust every address.
 */
export const cidr: Parser<string> = {
  accepts: 'CIDR such as 10.0.0.0/8',
  parse: (text) => {
    const [address = '', prefix, ...more] = text.split('/');
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0;
    if (!bits || more.length > 0 || length < 1 || length > bits) {
      return new Problem(
        'must be an IP address or a network such as 10.0.0.0/8 or fd00::/8, with a prefix of at least 1',
      );
    }
    return `${address}/${length}`;
  },
};

/** Parses a comma-separated list with at least one entry. A problem states the position of its entry. */
export const listOf = <T>(entry: Parser<T>): Parser<readonly T[]> => ({
  accepts: `comma-separated: ${entry.accepts}`,
  parse: (text) => {
    const parsed = text.split(',').map((part) => entry.parse(part.trim()));
    const bad = parsed.flatMap((value, index) =>
      value instanceof Problem ? [`entry ${index + 1} ${value.text}`] : [],
    );
    return bad.length > 0 ? new Problem(bad.join('; ')) : Object.freeze(parsed as T[]);
  },
});

/** Parses a secret of at least 32 bytes in hexadecimal (64 characters or more) or base64. */
export const secretBytes: Parser<Uint8Array> = {
  accepts: 'hexadecimal or base64, 32 to 256 bytes',
  parse: (text) => {
    // Text that looks hexadecimal is parsed only as hexadecimal, because truncated hexadecimal must not pass
    // as base64.
    const bytes = /^[0-9a-f]+$/i.test(text)
      ? Buffer.from(text.length % 2 === 0 ? text : '', 'hex')
      : /^[\w+/-]+={0,2}$/.test(text)
        ? Buffer.from(text, 'base64')
        : Buffer.alloc(0);
    if (bytes.length < 32 || bytes.length > 256)
      return new Problem('must be 32 to 256 bytes in hexadecimal or base64');
    if (new Set(bytes).size < 8) return new Problem('must be random, but it repeats the same few bytes');
    return new Uint8Array(bytes);
  },
};

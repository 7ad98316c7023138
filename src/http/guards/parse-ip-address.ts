// Normalizes IP addresses, so one client cannot appear as several.
import { isIPv4, isIPv6 } from 'node:net';

/** An address in canonical form: dotted IPv4, or IPv6 as eight groups. An IPv4-mapped IPv6 address is IPv4. */
export interface IpAddress {
  readonly family: 'ipv4' | 'ipv6';
  /** Canonical text, equal for equal addresses. Accepted by `net.BlockList`. */
  readonly text: string;
  /** True for loopback (127.0.0.0/8 or ::1). */
  readonly loopback: boolean;
  /** Rate-limit key: the IPv4 address, or the /64 of an IPv6 address, because one site has at least a /64. */
  readonly rateKey: string;
}

const hex = (value: number): string => value.toString(16);

const ipv6Groups = (text: string): string[] => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const plain = dotted
    ? `${dotted[1]}${hex(Number(dotted[2]) * 256 + Number(dotted[3]))}:${hex(Number(dotted[4]) * 256 + Number(dotted[5]))}`
    : text;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? [] : new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => hex(Number.parseInt(group, 16)));
};

const ipv4 = (text: string): IpAddress => ({
  family: 'ipv4',
  text,
  loopback: text.startsWith('127.'),
  rateKey: text,
});

/** Parses an address without a port; returns null if it is invalid. Drops a zone (`%eth0`). */
export const parseIp = (text: string): IpAddress | null => {
  if (isIPv4(text)) return ipv4(text);
  if (!isIPv6(text)) return null;
  const groups = ipv6Groups(text.replace(/%.*$/, ''));
  if (groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff') {
    const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
    return ipv4([high >> 8, high & 255, low >> 8, low & 255].join('.'));
  }
  const canonical = groups.join(':');
  return {
    family: 'ipv6',
    text: canonical,
    loopback: canonical === '0:0:0:0:0:0:0:1',
    rateKey: `${groups.slice(0, 4).join(':')}::/64`,
  };
};

/** Parses one hop of `X-Forwarded-For`: an address that may carry a port (`1.2.3.4:80`, `[::1]:80`). */
export const parseHop = (text: string): IpAddress | null => {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed);
  if (bracketed?.[1]) return parseIp(bracketed[1]);
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed);
  return parseIp(withPort?.[1] ?? trimmed);
};

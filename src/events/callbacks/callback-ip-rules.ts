// Which IP addresses a callback may be sent to: addresses of the public Internet, and what the operator opened; nothing else, however it is written.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `public`: reachable by everybody anyhow. `opened`: in a network that the operator opened. `opened-loopback`: this machine itself, opened while the
 * service listens on loopback only. `forbidden`: all else.
 */
export type AddressVerdict = 'public' | 'opened' | 'opened-loopback' | 'forbidden';

/** Judges an address as `node:net` and DNS answers write it. What is no address is forbidden. */
type CheckAddress = (address: string) => AddressVerdict;

/** What the operator decided. */
export interface CallbackIpSettings {
  /** `address/prefix`; networks beyond the public Internet that callbacks may reach. */
  readonly allowCidrs: readonly string[];
  /** Whether the service itself listens on loopback only: else every caller on the network could reach services of this machine through it. */
  readonly bindsLoopback: boolean;
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Allocated to the Internet (IANA); what lies outside (IPv4-compatible, translated, segment routing, unassigned) leads nowhere or inside. */
const GLOBAL_IPV6: Network = ipaddr.parseCIDR('2000::/3');
/** Public by number, but a machine's own cloud answers there with its credentials (Azure's wire server). */
const CLOUD_INTERNAL: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')];
/** ISATAP (RFC 5214): the IPv4 address behind it is reached through a router of this site. */
const ISATAP_WORD = 0x5efe;

/** Written so, `ipaddr.js` takes an IPv4-compatible address (RFC 4291) for the IPv4 one, where no socket leads. */
const IPV4_COMPATIBLE = /^::\d+\.\d+\.\d+\.\d+$/;

const parsed = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | null => {
  // `ipaddr.js` also takes what only `inet_aton` does, in octal or with parts left out.
  if (isIP(address) === 0 || IPV4_COMPATIBLE.test(address)) return null;
  try {
    return ipaddr.process(address);
  } catch {
    return null;
  }
};

const lies = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, prefix]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, prefix);

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  if (address.range() !== 'unicast' || CLOUD_INTERNAL.some((network) => lies(address, network))) return false;
  if (address instanceof ipaddr.IPv4) return true;
  return lies(address, GLOBAL_IPV6) && address.parts[5] !== ISATAP_WORD;
};

/** An IPv4 network written as IPv4-mapped IPv6 means the IPv4 network. */
const networkOf = (cidr: string): Network => {
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= 96
    ? [address.toIPv4Address(), prefix - 96]
    : [address, prefix];
};

/** Throws on a CIDR that is none. */
export const createCallbackIpRules = ({ allowCidrs, bindsLoopback }: CallbackIpSettings): CheckAddress => {
  const opened = allowCidrs.map(networkOf);
  return (text) => {
    const address = parsed(text);
    if (address === null) return 'forbidden';
    if (isPublic(address)) return 'public';
    if (!opened.some((network) => lies(address, network))) return 'forbidden';
    const range = address.range();
    // Connecting to `0.0.0.0` or `::` reaches loopback on Linux; groups are nobody's address.
    if (range === 'unspecified' || range === 'multicast' || range === 'broadcast') return 'forbidden';
    if (range !== 'loopback') return 'opened';
    return bindsLoopback ? 'opened-loopback' : 'forbidden';
  };
};

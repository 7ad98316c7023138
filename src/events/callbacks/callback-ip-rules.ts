// Classifies the IP addresses that a callback may reach: public Internet addresses and networks opened by the
// operator, in any notation.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Class of an address. `public`: on the public Internet. `opened`: in a network that the operator opened.
 * `opened-loopback`: this machine, opened while the service listens only on loopback. `forbidden`: all others.
 */
export type AddressClass = 'public' | 'opened' | 'opened-loopback' | 'forbidden';

/**
 * Classifies an address in the notation of `node:net` and DNS responses. Text that is not an address is
 * `forbidden`.
 */
type CheckAddress = (address: string) => AddressClass;

export interface CallbackIpSettings {
  /** Additional networks that callbacks may reach, as `address/prefix`. */
  readonly allowCidrs: readonly string[];
  /**
   * True if the service listens only on loopback. Otherwise, any caller on the network could reach this
   * machine's other services through it.
   */
  readonly bindsLoopback: boolean;
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Range of globally routed IPv6 addresses (IANA). Others (IPv4-compatible, translated, segment routing,
 * unassigned) lead nowhere or to internal networks.
 */
const GLOBAL_IPV6: Network = ipaddr.parseCIDR('2000::/3');
/** A public address at which the hosting cloud serves credentials (Azure's wire server). */
const CLOUD_INTERNAL: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')];
/**
 * Identifies an ISATAP address (RFC 5214). A local router forwards its packets to the embedded IPv4 address.
 */
const ISATAP_WORD = 0x5efe;

/**
 * Matches IPv4-compatible addresses (RFC 4291). `ipaddr.js` treats this notation as the IPv4 address, but
 * sockets do not.
 */
const IPV4_COMPATIBLE = /^::\d+\.\d+\.\d+\.\d+$/;

const parsed = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | null => {
  // `ipaddr.js` also accepts the octal and shortened forms of `inet_aton`.
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

/** Parses a CIDR. An IPv4 network written as IPv4-mapped IPv6 becomes the IPv4 network. */
const networkOf = (cidr: string): Network => {
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= 96
    ? [address.toIPv4Address(), prefix - 96]
    : [address, prefix];
};

/** Creates the rules. Throws on an invalid CIDR. */
export const createCallbackIpRules = ({ allowCidrs, bindsLoopback }: CallbackIpSettings): CheckAddress => {
  const opened = allowCidrs.map(networkOf);
  return (text) => {
    const address = parsed(text);
    if (address === null) return 'forbidden';
    if (isPublic(address)) return 'public';
    if (!opened.some((network) => lies(address, network))) return 'forbidden';
    const range = address.range();
    // On Linux, connecting to `0.0.0.0` or `::` reaches loopback. Multicast addresses have no single host.
    if (range === 'unspecified' || range === 'multicast' || range === 'broadcast') return 'forbidden';
    if (range !== 'loopback') return 'opened';
    return bindsLoopback ? 'opened-loopback' : 'forbidden';
  };
};

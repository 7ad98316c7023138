// Determines the client's address from the socket or, if the peer is a configured proxy, from its headers.
// Ignores the headers of any other peer.
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { type IpAddress, parseHop, parseIp } from './parse-ip-address.ts';

/** The remote end of a connection. */
export interface Peer {
  readonly address: IpAddress;
  /** True if the address is in a range in `HOLDFAST_TRUSTED_PROXIES`. */
  readonly trustedProxy: boolean;
}

interface ClientAddresses {
  /** Returns the connection's remote end, cached per socket. */
  readonly peerOf: (socket: Socket) => Peer;
  /**
   * Returns the client: the peer, or the rightmost untrusted hop of `X-Forwarded-For` if the peer is a
   * configured proxy.
   */
  readonly clientOf: (peer: Peer, headers: IncomingHttpHeaders) => IpAddress;
}

// A closed socket has no address, so all closed sockets share one key.
const UNKNOWN: IpAddress = { family: 'ipv4', text: '0.0.0.0', loopback: false, rateKey: 'unknown' };

const blockListOf = (cidrs: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

/** Creates the resolver. `trustedProxies` contains addresses or CIDR ranges; throws for any other value. */
export const createClientAddresses = (trustedProxies: readonly string[]): ClientAddresses => {
  const trusted = blockListOf(trustedProxies);
  const peers = new WeakMap<Socket, Peer>();
  const isTrusted = (address: IpAddress): boolean => trusted.check(address.text, address.family);
  return {
    peerOf: (socket) => {
      const known = peers.get(socket);
      if (known) return known;
      const address = parseIp(socket.remoteAddress ?? '') ?? UNKNOWN;
      const peer = { address, trustedProxy: address !== UNKNOWN && isTrusted(address) };
      peers.set(socket, peer);
      return peer;
    },
    clientOf: (peer, headers) => {
      const forwarded = headers['x-forwarded-for'];
      if (!peer.trustedProxy || forwarded === undefined) return peer.address;
      let nearest = peer.address;
      for (const text of String(forwarded).split(',').reverse()) {
        const hop = parseHop(text);
        if (hop === null) break;
        nearest = hop;
        if (!isTrusted(hop)) break;
      }
      return nearest;
    },
  };
};

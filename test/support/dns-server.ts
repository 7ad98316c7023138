// A name server on loopback whose response can change with every query.
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import type { Scope } from './temporary-folder.ts';

/** The response to a query: addresses of both families, `silent` for none, or an unknown name (`NXDOMAIN`). */
export type DnsAnswer = readonly string[] | 'silent' | 'unknown';

interface DnsServer {
  /** Address in the format of `Resolver.setServers`. */
  readonly address: string;
  /** Queries received so far, for example `A hook.example`. */
  readonly questions: readonly string[];
}

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const NXDOMAIN = 3;

const readName = (query: Buffer): { name: string; end: number } => {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    const length = query[at]!;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
};

const recordOf = (type: number, address: string): Buffer => {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
};

/**
 * Starts a name server that calls `answer` for each query. The time to live is always 0. Stops the server when
 * the scope ends.
 */
export const startDnsServer = async (
  scope: Scope,
  answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer,
): Promise<DnsServer> => {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  const reply = (query: Buffer, from: RemoteInfo): void => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    const word = TYPES[type];
    if (word === undefined) return;
    questions.push(`${word} ${name}`);
    const given = answer(name, word);
    if (given === 'silent') return;
    const family = word === 'A' ? 'ipv4' : 'ipv6';
    const records =
      given === 'unknown'
        ? []
        : given.filter((one) => ipaddr.parse(one).kind() === family).map((one) => recordOf(type, one));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (given === 'unknown' ? NXDOMAIN : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), from.port, from.address);
  };
  socket.on('message', reply);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  scope.after(() => {
    socket.close();
  });
  return { address: `127.0.0.1:${socket.address().port}`, questions };
};

// A node with a given number of delegated accounts, in its own process. Serves program scans and account
// reads over real HTTP.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { encodeBase58 } from '../src/kernel/base58.ts';

/** Vote account of the generated delegations. */
export const BENCH_VOTE_ACCOUNT = encodeBase58(new Uint8Array(32).fill(13));
/** Slot reported in every response. */
export const BENCH_SLOT = 345_600_000;
/** Of four consecutive accounts, two belong to one wallet and the other two to a separate wallet each. */
const walletOf = (account: number): number => account - (account % 4 === 3 ? 1 : 0);
/** Returns the wallet of an account if each wallet has `accountsEach` accounts on average. */
const walletOfEach = (account: number, accountsEach: number): number => Math.floor(account / accountsEach);

/** Derives 32 key-like bytes from two numbers. */
const generatedKey = (kind: number, number: number): Buffer => {
  const key = Buffer.allocUnsafe(32);
  let mixed = Math.imul(number + 1, 0x9e37_79b1) ^ Math.imul(kind + 1, 0x85eb_ca6b);
  for (let word = 0; word < 32; word += 4) {
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d) + number + word;
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a_2d39);
    key.writeUInt32LE((mixed ^ (mixed >>> 15)) >>> 0, word);
  }
  key.writeUInt32LE(number, 12);
  return key;
};

const authorityOf = (account: number, accountsEach?: number): Buffer =>
  generatedKey(2, accountsEach === undefined ? walletOf(account) : walletOfEach(account, accountsEach));

/** Returns the withdraw and stake authority of a generated account. */
export const generatedWallet = (account: number, accountsEach?: number): string =>
  encodeBase58(authorityOf(account, accountsEach));

const rowText = (account: number, slice: number, template: Buffer, accountsEach?: number): string => {
  const authority = authorityOf(account, accountsEach);
  authority.copy(template, 12);
  authority.copy(template, 44);
  const lamports = 1_000_000_000 + account * 7;
  template.writeBigUInt64LE(BigInt(lamports - 1_666_240), 156);
  template.writeBigUInt64LE(BigInt(700 + (account % 100)), 164);
  const data = template.toString('base64', 0, slice);
  const pubkey = encodeBase58(generatedKey(1, account));
  return `{"account":{"data":["${data}","base64"],"executable":false,"lamports":${lamports},"owner":"Stake11111111111111111111111111111111111111","rentEpoch":18446744073709551615,"space":200},"pubkey":"${pubkey}"}`;
};

const templateOf = (): Buffer => {
  const template = Buffer.alloc(200);
  template.writeUInt32LE(2, 0);
  template.fill(13, 124, 156);
  template.writeBigUInt64LE(2n ** 64n - 1n, 172);
  template.writeBigUInt64LE(123_456_789n, 188);
  return template;
};

const BATCH = 1_000;
const HEAD = `{"jsonrpc":"2.0","result":{"context":{"apiVersion":"4.1.2","slot":${BENCH_SLOT}},"value":`;
const tail = (id: unknown) => `},"id":${JSON.stringify(id)}}\n`;

/** Prepares the response to a scan in advance, so this work does not count towards the measured time. */
const listOf = (accounts: number, slice: number, accountsEach?: number): Buffer[] => {
  const template = templateOf();
  const parts: Buffer[] = [];
  for (let first = 0; first < accounts; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, accounts - first) }, (_, i) =>
      rowText(first + i, slice, template, accountsEach),
    );
    parts.push(Buffer.from(`${first === 0 ? '[' : ','}${rows.join(',')}`));
  }
  parts.push(Buffer.from(accounts === 0 ? '[]' : ']'));
  return parts;
};

if (import.meta.main) {
  const [accounts, accountsEach] = process.argv.slice(2).map(Number) as [number, number | undefined];
  const lists = new Map<number, Buffer[]>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString());
    const slice: number = method === 'getProgramAccounts' ? params[1].dataSlice.length : 0;
    const list = method === 'getProgramAccounts' ? lists.get(slice) : undefined;
    if (list === undefined) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify({ jsonrpc: '2.0', error: { code: -32601, message: 'no' }, id })}`);
      return;
    }
    const body = [Buffer.from(HEAD), ...list, Buffer.from(tail(id))];
    const length = body.reduce((sum, part) => sum + part.length, 0);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    pipeline(Readable.from(body, { objectMode: false, highWaterMark: 1 << 20 }), response, () => undefined);
  });
  for (const slice of [0, 200]) lists.set(slice, listOf(accounts, slice, accountsEach));
  server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`));
}

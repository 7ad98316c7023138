// Tests which addresses a connection to a name may use.
import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type DnsAnswer, startDnsServer } from '../../../test/support/dns-server.ts';
import type { Scope } from '../../../test/support/temporary-folder.ts';
import { createNameResolver, guardedLookup } from './guarded-dns-lookup.ts';

const unknownToAll = async (
  scope: Scope,
  answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer = () => 'unknown',
) => startDnsServer(scope, answer);

/** A name other than localhost from the machine's hosts file; undefined if there is none. */
const ofHostsFile = readFileSync('/etc/hosts', 'utf8')
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  .flatMap(([, ...names]) => names)
  .find((name) => !/localhost|^ip6-|^broadcasthost$/.test(name));

test('IPv4 and IPv6 addresses are both queried, and one response is enough', async (t) => {
  const server = await unknownToAll(t, (name, type) => {
    if (name === 'both.example') return type === 'A' ? ['192.0.2.1', '192.0.2.2'] : ['2001:db8::1'];
    return name === 'six.example' && type === 'AAAA' ? ['2001:db8::6'] : 'unknown';
  });
  const resolve = createNameResolver({ hostsFile: false, servers: [server.address] });
  const both = await resolve('both.example');
  assert.deepEqual(both.toSorted(), ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  assert.deepEqual(await resolve('six.example'), ['2001:db8::6']);
  assert.deepEqual(server.questions.toSorted(), [
    'A both.example',
    'A six.example',
    'AAAA both.example',
    'AAAA six.example',
  ]);
});

test('no DNS response is cached: each connection uses the current one', async (t) => {
  let address = '192.0.2.1';
  const server = await unknownToAll(t, (_name, type) => (type === 'A' ? [address] : 'unknown'));
  const resolve = createNameResolver({ hostsFile: false, servers: [server.address] });
  assert.deepEqual(await resolve('changing.example'), ['192.0.2.1']);
  address = '10.0.0.1';
  assert.deepEqual(await resolve('changing.example'), ['10.0.0.1']);
});

test('localhost is loopback without a query to a name server', async (t) => {
  const server = await unknownToAll(t, () => ['192.0.2.1']);
  const resolve = createNameResolver({ hostsFile: false, servers: [server.address] });
  for (const name of ['localhost', 'LOCALHOST.', 'hook.localhost'])
    assert.deepEqual(await resolve(name), ['127.0.0.1', '::1']);
  assert.deepEqual(server.questions, []);
});

test('the hosts file is used only if private networks are open, and only for names without a DNS response', {
  skip: ofHostsFile === undefined ? 'the hosts file contains only localhost' : false,
}, async (t) => {
  const name = ofHostsFile!;
  let isKnown = false;
  const server = await unknownToAll(t, (_name, type) =>
    isKnown && type === 'A' ? ['192.0.2.9'] : 'unknown',
  );
  const servers = [server.address];
  await assert.rejects(createNameResolver({ hostsFile: false, servers })(name), {
    outcome: 'name-not-found',
  });
  const open = createNameResolver({ hostsFile: true, servers });
  const own = (await lookup(name, { all: true })).map(({ address }) => address);
  assert.deepEqual(await open(name), own);
  isKnown = true;
  assert.deepEqual(await open(name), ['192.0.2.9']);
});

interface Found {
  readonly error: (Error & { readonly outcome?: string }) | null;
  readonly addresses: unknown;
  readonly family: number | undefined;
}
const found = (addresses: readonly string[] | Error, all: boolean): Promise<Found> =>
  new Promise((done) => {
    const resolve = async () => {
      if (addresses instanceof Error) throw addresses;
      return addresses;
    };
    const mayReach = (address: string): boolean => !address.startsWith('10.');
    guardedLookup(resolve, mayReach)('hook.example', { all }, (error, given, family) =>
      done({ error, addresses: given, family }),
    );
  });

test('a connection gets either all addresses of a name or only the first one, with their families', async () => {
  const addresses = ['2001:db8::1', '192.0.2.1'];
  assert.deepEqual(await found(addresses, true), {
    error: null,
    addresses: [
      { address: '2001:db8::1', family: 6 },
      { address: '192.0.2.1', family: 4 },
    ],
    family: undefined,
  });
  assert.deepEqual(await found(addresses, false), { error: null, addresses: '2001:db8::1', family: 6 });
});

test('one forbidden address makes the whole lookup fail, wherever it is in the list', async () => {
  for (const addresses of [['10.0.0.1'], ['192.0.2.1', '10.0.0.1'], ['10.0.0.1', '192.0.2.1']])
    for (const all of [true, false]) {
      const { error, addresses: given } = await found(addresses, all);
      assert.equal(error?.outcome, 'target-not-allowed');
      assert.deepEqual(given, []);
    }
});

test("a name without addresses, or whose servers fail, is reported as not found without the servers' message", async () => {
  for (const answer of [[], new Error('SERVFAIL at 10.1.2.3')]) {
    const { error } = await found(answer, true);
    assert.equal(error?.outcome, 'name-not-found');
    assert.doesNotMatch(String(error?.message), /10\.1\.2\.3/);
  }
});

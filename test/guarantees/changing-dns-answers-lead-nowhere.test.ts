// SSRF-2: a name server that changes its response between registration, lookup and connection gains nothing,
// because the service connects only to the address that it has just checked.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createCallbackUrlRules } from '../../src/events/callbacks/callback-url-rules.ts';
import { createGuardedAgent } from '../../src/events/callbacks/guarded-agent.ts';
import { createNameResolver } from '../../src/events/callbacks/guarded-dns-lookup.ts';
import { createSendAttempt } from '../../src/events/delivery/send-attempt.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type DnsAnswer, startDnsServer } from '../support/dns-server.ts';
import { startCanary } from '../support/forbidden-servers.ts';
import { startReceiver } from '../support/receiver.ts';

const never = new AbortController().signal;
const HOST = 'hook.rebinding.example';

/**
 * Sets up deliveries to a host name that `answer` resolves. The canary listens on an address that must never be
 * reached.
 */
const worldOf = async (
  t: TestContext,
  rules: { readonly allowCidrs: readonly string[] },
  answer: (type: 'A' | 'AAAA', asked: number) => DnsAnswer,
) => {
  const canary = await startCanary(t, ['127.0.0.1', '::1', '127.0.0.2']);
  const asked = { A: 0, AAAA: 0 };
  const dns = await startDnsServer(t, (_name, type) => {
    asked[type] += 1;
    return answer(type, asked[type]);
  });
  const targets = createCallbackUrlRules({ ...rules, bindsLoopback: true, ports: [443, canary.port] });
  const agent = createGuardedAgent({
    mayReach: targets.mayReach,
    resolve: createNameResolver({ hostsFile: false, servers: [dns.address] }),
  });
  t.after(() => agent.destroy());
  const send = createSendAttempt(agent, systemClock);
  const deliverTo = async (callbackUrl: string): Promise<string> =>
    (await send({ callbackUrl, headers: {}, body: '{}' }, never)).outcome;
  return { canary, dns, targets, deliver: () => deliverTo(`https://${HOST}:${canary.port}/`), deliverTo };
};

test('SSRF-2 a name that was accepted at registration but later resolves to loopback receives no connection', async (t) => {
  const { canary, dns, targets, deliver } = await worldOf(t, { allowCidrs: [] }, () => ['127.0.0.1', '::1']);
  assert.equal(targets.validate(`https://${HOST}:${canary.port}/`), null);
  assert.equal(dns.questions.length, 0, 'registration queries no name server');
  assert.equal(await deliver(), 'target-not-allowed');
  assert.ok(dns.questions.includes(`A ${HOST}`));
  assert.equal(canary.reached(), 0);
});

test('SSRF-2 one private address among public ones makes the whole response invalid, regardless of its position and address family', async (t) => {
  const responses: readonly (readonly string[])[] = [
    ['93.184.215.14', '127.0.0.1'],
    ['127.0.0.1', '93.184.215.14'],
    ['93.184.215.14', '::1'],
    ['2606:4700::1111', '10.0.0.1'],
    ['2606:4700::1111', '::ffff:127.0.0.1'],
    ['2606:4700::1111', '64:ff9b::7f00:1'],
    ['93.184.215.14', '169.254.169.254'],
  ];
  let current: readonly string[] = [];
  const { canary, deliver } = await worldOf(t, { allowCidrs: [] }, () => current);
  for (const one of responses) {
    current = one;
    assert.equal(await deliver(), 'target-not-allowed', one.join());
  }
  assert.equal(canary.reached(), 0);
});

test('SSRF-2 a name with an allowed address is checked again for each connection', async (t) => {
  // Only 127.0.0.3, where the receiver listens, is allowed. The canary uses the same port on all other
  // addresses.
  const receiver = await startReceiver(
    t,
    (_request, response) => {
      // Each delivery needs a new connection, and therefore a new lookup.
      response.writeHead(204, { connection: 'close' }).end();
    },
    undefined,
    '127.0.0.3',
  );
  const canary = await startCanary(t, ['127.0.0.1', '127.0.0.2'], receiver.port);
  let asked = 0;
  const dns = await startDnsServer(t, (_name, type) => {
    if (type === 'AAAA') return [];
    asked += 1;
    return asked % 2 === 1 ? ['127.0.0.3'] : ['127.0.0.1'];
  });
  const { mayReach } = createCallbackUrlRules({
    allowCidrs: ['127.0.0.3/32'],
    bindsLoopback: true,
    ports: [443],
  });
  const agent = createGuardedAgent({
    mayReach,
    resolve: createNameResolver({ hostsFile: false, servers: [dns.address] }),
  });
  t.after(() => agent.destroy());
  const send = createSendAttempt(agent, systemClock);
  const outcomes: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    const callbackUrl = `http://${HOST}:${receiver.port}/`;
    outcomes.push((await send({ callbackUrl, headers: {}, body: '{}' }, never)).outcome);
  }
  assert.deepEqual(
    outcomes,
    Array.from({ length: 10 }, (_, round) => (round % 2 === 0 ? 'delivered' : 'target-not-allowed')),
  );
  // One query per connection proves that the connection uses the address that was checked, without a second
  // lookup.
  assert.equal(asked, 10);
  assert.equal(receiver.received.length, 5);
  assert.equal(canary.reached(), 0);
});

test('SSRF-2 a name in an allowed private network cannot be reached over plain http', async (t) => {
  const { canary, deliverTo } = await worldOf(t, { allowCidrs: ['10.0.0.0/8'] }, () => ['10.0.0.1']);
  assert.equal(await deliverTo(`http://${HOST}:${canary.port}/`), 'target-not-allowed');
  assert.equal(canary.reached(), 0);
});

test('SSRF-2 a redirect to loopback counts as a failure and is not followed', async (t) => {
  const canary = await startCanary(t);
  const receiver = await startReceiver(t, (_request, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${canary.port}/` }).end(),
  );
  const agent = createGuardedAgent({ mayReach: () => true, resolve: async () => ['127.0.0.1'] });
  t.after(() => agent.destroy());
  const send = createSendAttempt(agent, systemClock);
  const { outcome, status } = await send({ callbackUrl: receiver.url, headers: {}, body: '{}' }, never);
  assert.deepEqual([outcome, status], ['redirect', 307]);
  assert.equal(receiver.received.length, 1);
  assert.equal(canary.reached(), 0);
});

test('SSRF-2 a name that is unknown or has no address is reported as not found', async (t) => {
  let current: DnsAnswer = 'unknown';
  const { deliver } = await worldOf(t, { allowCidrs: [] }, () => current);
  assert.equal(await deliver(), 'name-not-found');
  current = [];
  assert.equal(await deliver(), 'name-not-found');
});

// SSRF-1: no spelling of a private address can be registered, and the service opens no connection to one, even
// if it bypassed registration.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dispatcher } from 'undici';
import { createCallbackUrlRules } from '../../src/events/callbacks/callback-url-rules.ts';
import { createGuardedAgent } from '../../src/events/callbacks/guarded-agent.ts';
import { createSendAttempt } from '../../src/events/delivery/send-attempt.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { countSockets, startCanary } from '../support/forbidden-servers.ts';
import { privateHosts, privateUrls } from '../support/private-spellings.ts';
import { cleanEnvironment, spawnProcess } from '../support/spawned-process.ts';
import type { Scope } from '../support/temporary-folder.ts';

const never = new AbortController().signal;
/** Resolves a disguised address of this machine as the system resolver would. */
const toLoopback = async (): Promise<readonly string[]> => ['127.0.0.1', '::1'];
const post = (callbackUrl: string) => ({ callbackUrl, headers: {}, body: '{}' });

const targetsFor = (port: number) =>
  createCallbackUrlRules({ allowCidrs: [], bindsLoopback: true, ports: [443, port] });

const senderBy = (
  scope: Scope,
  mayReach: (to: { address: string; protocol: string; port: number }) => boolean,
) => {
  const agent = createGuardedAgent({ mayReach, resolve: toLoopback });
  scope.after(() => agent.destroy());
  return { agent, send: createSendAttempt(agent, systemClock) };
};

test('SSRF-1 at least 300 spellings of private addresses are refused at registration', async (t) => {
  const { port } = await startCanary(t);
  const urls = privateUrls(port);
  const { validate } = targetsFor(port);
  const accepted = urls.filter((url) => validate(url) === null);
  t.diagnostic(`${privateHosts.length} hosts, ${urls.length} URLs, ${accepted.length} accepted`);
  assert.ok(privateHosts.length >= 300);
  assert.deepEqual(accepted, []);
  assert.equal(validate(`https://example.org:${port}/`), null);
});

test('SSRF-1 the connector opens no connection to any such spelling, and no canary is reached', async (t) => {
  const canary = await startCanary(t);
  const urls = privateUrls(canary.port).filter((url) => URL.canParse(url));
  const { send } = senderBy(t, targetsFor(canary.port).mayReach);
  const sockets = countSockets(t);
  const outcomes = new Map<string, number>();
  const handedOver = new Set<string>();
  for (const url of urls) {
    const { outcome, status } = await send(post(url), never);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome !== 'target-not-allowed' || status !== null) handedOver.add(url);
  }
  t.diagnostic(`${urls.length} URLs tried, ${sockets()} sockets, ${canary.reached()} reached the canary`);
  assert.ok(urls.length >= 300);
  assert.deepEqual([...handedOver], []);
  assert.equal(canary.reached(), 0);
  // Only a host name creates a socket, which resolves the name and then makes no connection. A literal address
  // is refused earlier.
  const named = urls.filter((url) => /[a-z]/.test(new URL(url).hostname.replace(/^\[.*\]$/, '')));
  assert.equal(sockets(), named.length);
});

test('SSRF-1 hosts that no URL parser has normalized are checked by the address that they denote', async (t) => {
  const canary = await startCanary(t);
  const { agent } = senderBy(t, targetsFor(canary.port).mayReach);
  const raw = ['127.1', '0x7f.1', '017700000001', '2130706433', '127.0.0.1', '[::1]', '[::ffff:7f00:1]'];
  for (const host of raw) {
    const { promise, resolve } = Promise.withResolvers<Error>();
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: () => resolve(new Error('answered')),
      onResponseData: () => undefined,
      onResponseEnd: () => undefined,
      onResponseError: (_controller, error) => resolve(error),
    };
    const origin = Object.assign(new URL(`https://placeholder.example:${canary.port}`), {});
    Object.defineProperties(origin, { hostname: { value: host }, host: { value: `${host}:${canary.port}` } });
    agent.dispatch({ origin, path: '/', method: 'POST' }, handler);
    assert.equal((await promise).message, 'target-not-allowed', host);
  }
  assert.equal(canary.reached(), 0);
});

test('SSRF-1 without a guard, loopback addresses reach the canary', async (t) => {
  const canary = await startCanary(t);
  const { send } = senderBy(t, () => true);
  const { outcome } = await send(post(`https://0x7f.1:${canary.port}/`), never);
  assert.equal(outcome, 'connection-failed');
  assert.equal(canary.reached(), 1);
});

test('SSRF-1 no proxy environment variable redirects a delivery', async (t) => {
  const canary = await startCanary(t, ['127.0.0.1']);
  const proxy = `http://127.0.0.1:${canary.port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const child = spawnProcess(t, {
    file: 'test/support/one-delivery.ts',
    env: {
      ...cleanEnvironment(),
      ...Object.fromEntries(names.map((name) => [name, proxy])),
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: '',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    },
  });
  const [, outcomes] = await child.output(/outcomes (.*)\n/);
  assert.equal(outcomes, 'plain delivered, self-signed tls-failed');
  assert.equal(canary.reached(), 0);
});

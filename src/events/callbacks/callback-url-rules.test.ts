// Tests the requirements that a callback URL must meet to be registered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallbackUrlSettings, createCallbackUrlRules, portOf } from './callback-url-rules.ts';

const ordinary = { allowCidrs: [], bindsLoopback: true, ports: [443] };
const sandbox = { allowCidrs: ['127.0.0.0/8', '::1/128'], bindsLoopback: true, ports: [443] };

const codesOf = (rules: Parameters<typeof createCallbackUrlRules>[0], urls: readonly string[]) => {
  const { validate } = createCallbackUrlRules(rules);
  return Object.fromEntries(urls.map((url) => [url, validate(url)?.details?.[0]?.code ?? 'accepted']));
};

test('https URLs of public names and addresses on port 443 are accepted', () => {
  assert.deepEqual(
    codesOf(ordinary, [
      'https://example.org/hook?key=1',
      'https://example.org:443/',
      'https://EXAMPLE.org./',
      'https://1.1.1.1/',
      'https://[2606:4700::1111]/',
      'https://xn--bcher-kva.example/',
    ]),
    {
      'https://example.org/hook?key=1': 'accepted',
      'https://example.org:443/': 'accepted',
      'https://EXAMPLE.org./': 'accepted',
      'https://1.1.1.1/': 'accepted',
      'https://[2606:4700::1111]/': 'accepted',
      'https://xn--bcher-kva.example/': 'accepted',
    },
  );
});

test('every other URL is refused with a reason that does not quote it', () => {
  assert.deepEqual(
    codesOf(ordinary, [
      'no url',
      'http://example.org/',
      'ftp://example.org/',
      'javascript:alert(1)',
      'https://user@example.org/',
      'https://:pass@example.org/',
      'https://example.org:8443/',
      'https://example.org:80/',
      'https://localhost/',
      'https://hook.localhost./',
      'https://intranet/',
      'https://printer.local/',
      'https://metadata.google.internal/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'http://127.0.0.1/',
    ]),
    {
      'no url': 'invalid_url',
      'http://example.org/': 'not_https',
      'ftp://example.org/': 'not_https',
      'javascript:alert(1)': 'not_https',
      'https://user@example.org/': 'credentials_in_url',
      'https://:pass@example.org/': 'credentials_in_url',
      'https://example.org:8443/': 'port_not_allowed',
      'https://example.org:80/': 'port_not_allowed',
      'https://localhost/': 'target_not_allowed',
      'https://hook.localhost./': 'target_not_allowed',
      'https://intranet/': 'target_not_allowed',
      'https://printer.local/': 'target_not_allowed',
      'https://metadata.google.internal/': 'target_not_allowed',
      'https://127.0.0.1/': 'target_not_allowed',
      'https://[::1]/': 'target_not_allowed',
      'http://127.0.0.1/': 'not_https',
    },
  );
  const problem = createCallbackUrlRules(ordinary).validate('https://user:hunter2@example.org/');
  assert.equal(problem?.code, 'VALIDATION_ERROR');
  assert.equal(problem?.message, 'callbackUrl: must not contain a user name or password');
});

test('only loopback, if opened, allows plain http and any port', () => {
  assert.deepEqual(
    codesOf(sandbox, [
      'http://127.0.0.1:4000/hook',
      'http://localhost:4000/',
      'http://[::1]:4000/',
      'https://127.0.0.1:8443/',
      'http://example.org/',
      'http://10.0.0.1/',
      'https://10.0.0.1/',
      'https://example.org:8443/',
    ]),
    {
      'http://127.0.0.1:4000/hook': 'accepted',
      'http://localhost:4000/': 'accepted',
      'http://[::1]:4000/': 'accepted',
      'https://127.0.0.1:8443/': 'accepted',
      'http://example.org/': 'not_https',
      'http://10.0.0.1/': 'not_https',
      'https://10.0.0.1/': 'target_not_allowed',
      'https://example.org:8443/': 'port_not_allowed',
    },
  );
});

test('opened loopback may be reached over plain http on any port, and other addresses may not', () => {
  const at = (rules: CallbackUrlSettings, address: string, protocol: string, port: number) =>
    createCallbackUrlRules(rules).mayReach({ address, protocol, port });
  for (const address of ['127.0.0.1', '127.8.8.8', '::1'])
    for (const protocol of ['http:', 'https:']) {
      assert.equal(at(sandbox, address, protocol, 4_000), true);
      assert.equal(at(ordinary, address, protocol, 443), false);
      assert.equal(at({ ...sandbox, bindsLoopback: false }, address, protocol, 443), false);
    }
  assert.equal(at(sandbox, '1.1.1.1', 'http:', 80), false);
});

test('a missing port means the default port of the protocol', () => {
  const ports = ['https://a.example/', 'http://a.example/', 'https://a.example:8443/'].map((url) =>
    portOf(new URL(url)),
  );
  assert.deepEqual(ports, [443, 80, 8443]);
});

test('ports and private networks opened by the operator are allowed over https only', () => {
  const rules = { allowCidrs: ['10.0.0.0/8'], bindsLoopback: false, ports: [443, 8443] };
  const { validate, mayReach } = createCallbackUrlRules(rules);
  assert.equal(validate('https://10.0.0.1:8443/'), null);
  assert.equal(validate('https://hooks.internal/'), null);
  assert.equal(validate('http://10.0.0.1/')?.details?.[0]?.code, 'not_https');
  const at = (address: string, protocol: string, port: number) => mayReach({ address, protocol, port });
  assert.equal(at('10.0.0.1', 'https:', 8443), true);
  assert.equal(at('10.0.0.1', 'http:', 8443), false);
  assert.equal(at('10.0.0.1', 'https:', 22), false);
  assert.equal(at('192.168.0.1', 'https:', 443), false);
  assert.equal(at('1.1.1.1', 'https:', 443), true);
});

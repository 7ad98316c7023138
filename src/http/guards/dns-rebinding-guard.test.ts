// Tests that only requests to our own host names are served.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDnsRebindingGuard, isLoopbackHost, singleHostHeader } from './dns-rebinding-guard.ts';

const check = (
  options: Partial<Parameters<typeof createDnsRebindingGuard>[0]>,
  host: string | undefined,
): string => {
  const guard = createDnsRebindingGuard({
    bindHost: '127.0.0.1',
    publicUrl: 'https://stake.example',
    allowedHosts: [],
    ...options,
  });
  // Runs twice, because an accepted host is cached and must give the same result.
  guard(host);
  return guard(host)?.code ?? 'ok';
};

describe('the DNS rebinding guard', () => {
  it('accepts the public name, and loopback names if the service is bound to loopback or to all addresses', () => {
    for (const bindHost of ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'])
      for (const host of [
        'localhost',
        'localhost:3000',
        '127.0.0.1:1',
        '[::1]:3000',
        'STAKE.example',
        'stake.example.:443',
      ])
        assert.equal(check({ bindHost }, host), 'ok', `${bindHost} ${host}`);
  });

  it('accepts no loopback name if the service is bound to another single address', () => {
    assert.equal(check({ bindHost: '10.0.0.5' }, '10.0.0.5:3000'), 'ok');
    assert.equal(check({ bindHost: '2001:db8::1' }, '[2001:db8::1]:3000'), 'ok');
    assert.equal(check({ bindHost: '10.0.0.5' }, 'localhost:3000'), 'HOST_NOT_ALLOWED');
  });

  it('accepts additional names, and a name with a port only at that port', () => {
    const allowedHosts = ['Other.example', 'ported.example:8443'];
    assert.equal(check({ allowedHosts }, 'other.example:99'), 'ok');
    assert.equal(check({ allowedHosts }, 'ported.example:8443'), 'ok');
    for (const host of ['ported.example', 'ported.example:443'])
      assert.equal(check({ allowedHosts }, host), 'HOST_NOT_ALLOWED');
  });

  it('accepts every spelling of a name', () => {
    const bindHost = '2001:db8:0:0:0:0:0:1';
    for (const host of ['[2001:db8::1]:3000', '[2001:DB8:0::1]', '[2001:db8:0:0:0:0:0:1]'])
      assert.equal(check({ bindHost }, host), 'ok', host);
    for (const allowedHosts of [['other.example.'], ['other.example.:8443'], ['OTHER.example']])
      assert.equal(check({ allowedHosts }, 'other.example:8443'), 'ok', allowedHosts.join());
    assert.equal(check({ allowedHosts: ['[::2:0]:80'] }, '[0:0:0:0:0:0:2:0]:80'), 'ok');
    assert.equal(check({ allowedHosts: ['[::2:0]:80'] }, '[::2:0]:81'), 'HOST_NOT_ALLOWED');
    assert.equal(check({ publicUrl: 'https://dotted.example.' }, 'dotted.example'), 'ok');
    assert.equal(check({ allowedHosts: ['[::zz]'] }, '[::2]'), 'HOST_NOT_ALLOWED');
  });

  it('refuses every other name', () => {
    for (const host of [
      'evil.example',
      'stake.example.evil',
      'xlocalhost',
      'localhost.evil',
      '127.0.0.2',
      '0.0.0.0:3000',
      '192.168.0.1',
    ])
      assert.equal(check({}, host), 'HOST_NOT_ALLOWED', host);
  });

  it('refuses a missing or malformed host as a bad request', () => {
    for (const host of [
      undefined,
      '',
      'a b',
      'user@localhost',
      'localhost:',
      'localhost:port',
      '[::1',
      'localhost/x',
      'localhost:123456',
    ])
      assert.equal(check({}, host), 'VALIDATION_ERROR', String(host));
  });
});

it('isLoopbackHost recognizes the names of this machine, whatever the port', () => {
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:3000', '[::1]'])
    assert.equal(isLoopbackHost(host), true);
  for (const host of [undefined, '', 'stake.example', 'localhost.evil', '10.0.0.1'])
    assert.equal(isLoopbackHost(host), false);
});

it('singleHostHeader returns the only Host header in any case and position, and undefined if there are none or several', () => {
  const one = ['Accept', 'host', 'HOST', 'a', 'X-Host', 'b'];
  assert.equal(singleHostHeader('a', one), 'a');
  assert.equal(singleHostHeader('a', ['host', 'a']), 'a');
  for (const second of [
    ['Host', 'b'],
    ['hOsT', 'a'],
  ])
    assert.equal(singleHostHeader('a', [...one, ...second]), undefined, second.join(' '));
  // A header value is not mistaken for a header name.
  assert.equal(singleHostHeader('a', ['X-Forwarded', 'host', ...one]), 'a');
  assert.equal(singleHostHeader('a', ['date', 'today']), undefined);
});

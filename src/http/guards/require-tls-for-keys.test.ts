// Tests that a secret key is read only over a private connection, and that a refusal explains the consequence
// for the key.
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import type { Peer } from './client-address.ts';
import { parseIp } from './parse-ip-address.ts';
import { forwardedOverHttps, requireTlsForKeys } from './require-tls-for-keys.ts';

const peer = (address: string, trustedProxy = false): Peer => ({ address: parseIp(address)!, trustedProxy });
const LOCAL = { host: '127.0.0.1:3000' };

const refused = (loopbackAllowed: boolean, from: Peer, headers: IncomingHttpHeaders): boolean =>
  requireTlsForKeys(loopbackAllowed)(from, headers) !== null;

describe('a secret key over plain HTTP', () => {
  it('is accepted from this machine only if that is allowed', () => {
    assert.equal(refused(true, peer('127.0.0.1'), LOCAL), false);
    assert.equal(refused(true, peer('::1'), { host: 'localhost' }), false);
    assert.equal(refused(false, peer('127.0.0.1'), LOCAL), true);
  });

  it('is refused from anywhere else', () => {
    for (const address of ['192.168.0.5', '203.0.113.9', '2001:db8::1'])
      assert.equal(refused(true, peer(address), LOCAL), true, address);
  });

  it('is refused if it is sent to a public host name, which implies a proxy', () => {
    assert.equal(refused(true, peer('127.0.0.1'), { host: 'stake.example' }), true);
  });

  it('is refused with any forwarding header from an unconfigured peer', () => {
    for (const name of [
      'x-forwarded-for',
      'x-forwarded-proto',
      'forwarded',
      'via',
      'x-real-ip',
      'cf-connecting-ip',
    ])
      assert.equal(refused(true, peer('127.0.0.1'), { ...LOCAL, [name]: 'https' }), true, name);
  });
});

describe('behind a configured proxy', () => {
  const from = peer('10.0.0.1', true);

  it('a key is refused unless the proxy states that the client used HTTPS', () => {
    assert.equal(refused(false, from, { host: 'stake.example', 'x-forwarded-proto': 'https' }), false);
    for (const proto of ['http', '', 'https, http', 'http, https', 'HTTPSS'])
      assert.equal(refused(true, from, { host: 'stake.example', 'x-forwarded-proto': proto }), true, proto);
    assert.equal(refused(true, peer('127.0.0.1', true), LOCAL), true);
  });

  it('a contradiction in the Forwarded header is refused', () => {
    assert.equal(
      forwardedOverHttps({ 'x-forwarded-proto': 'https', forwarded: 'for=1.2.3.4;proto=http' }),
      false,
    );
    assert.equal(
      forwardedOverHttps({ 'x-forwarded-proto': 'https', forwarded: 'for=1.2.3.4;proto=https' }),
      true,
    );
  });
});

it('the refusal is INSECURE_TRANSPORT and says to treat the key as exposed', () => {
  const error = requireTlsForKeys(false)(peer('203.0.113.9'), LOCAL);
  assert.equal(error?.code, 'INSECURE_TRANSPORT');
  assert.match(error.message, /Treat .* as exposed/);
});

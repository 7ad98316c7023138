// Tests that forwarding headers are trusted only if configured proxies wrote them.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createClientAddresses } from './client-address.ts';

const socketFrom = (remoteAddress: string | undefined): Socket => ({ remoteAddress }) as Socket;

const clientOf = (trusted: readonly string[], peer: string, forwarded?: string): string => {
  const clients = createClientAddresses(trusted);
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return clients.clientOf(clients.peerOf(socketFrom(peer)), headers).text;
};

describe('the client', () => {
  it('is the peer if the peer is not a configured proxy, regardless of its headers', () => {
    assert.equal(clientOf([], '192.0.2.1', '203.0.113.9'), '192.0.2.1');
    assert.equal(clientOf(['10.0.0.0/8'], '192.0.2.1', '203.0.113.9'), '192.0.2.1');
  });

  it('is the rightmost hop that is not a configured proxy', () => {
    assert.equal(clientOf(['10.0.0.0/8'], '10.0.0.1', '203.0.113.9'), '203.0.113.9');
    assert.equal(clientOf(['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.2.3.4'), '203.0.113.9');
    assert.equal(clientOf(['10.0.0.0/8'], '::ffff:10.0.0.1', '1.1.1.1,203.0.113.9'), '203.0.113.9');
    assert.equal(clientOf(['2001:db8::/32'], '2001:db8::5', '203.0.113.9'), '203.0.113.9');
  });

  it('is the last valid proxy before an invalid hop, and the first proxy if all hops are ours', () => {
    assert.equal(clientOf(['10.0.0.0/8'], '10.0.0.1', '203.0.113.9, nonsense'), '10.0.0.1');
    assert.equal(clientOf(['10.0.0.0/8'], '10.0.0.1', 'nonsense, 10.0.0.2'), '10.0.0.2');
    assert.equal(clientOf(['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2'), '10.0.0.3');
    assert.equal(clientOf(['10.0.0.1'], '10.0.0.1', ''), '10.0.0.1');
  });
});

describe('the peer', () => {
  it('is trusted inside the configured ranges and nowhere else', () => {
    const { peerOf } = createClientAddresses(['10.0.0.0/30', '::1']);
    const trusted = (address: string | undefined) => peerOf(socketFrom(address)).trustedProxy;
    assert.deepEqual(['10.0.0.3', '10.0.0.4', '::1', '127.0.0.1'].map(trusted), [true, false, true, false]);
    assert.equal(createClientAddresses(['0.0.0.0/0']).peerOf(socketFrom(undefined)).trustedProxy, false);
  });

  it('is determined once per connection', () => {
    const { peerOf } = createClientAddresses([]);
    const socket = socketFrom('192.0.2.1');
    assert.equal(peerOf(socket), peerOf(socket));
  });

  it('can only be configured with addresses', () => {
    for (const wrong of ['10.0.0.0/33', 'proxy.example', '10.0.0'])
      assert.throws(() => createClientAddresses([wrong]), wrong);
  });
});

// Tests that a client has one canonical address, however it is written.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHop, parseIp } from './parse-ip-address.ts';

describe('parseIp', () => {
  it('returns the same text for every notation of an address', () => {
    const spellings = [
      '2001:db8::1',
      '2001:0DB8:0:0:0:0:0:1',
      '2001:db8:0:0::0:1',
      '2001:db8::0.0.0.1',
      '2001:db8::1%eth0',
    ];
    assert.deepEqual(
      new Set(spellings.map((text) => parseIp(text)?.text)),
      new Set(['2001:db8:0:0:0:0:0:1']),
    );
    assert.equal(parseIp('::')?.text, '0:0:0:0:0:0:0:0');
    assert.equal(parseIp('1::')?.text, '1:0:0:0:0:0:0:0');
  });

  it('treats an IPv4-mapped address as an IPv4 address', () => {
    for (const text of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
      assert.deepEqual(parseIp(text), parseIp('192.0.2.1'));
    assert.equal(parseIp('::1:ffff:192.0.2.1')?.family, 'ipv6');
  });

  it('recognizes this machine', () => {
    for (const text of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'])
      assert.equal(parseIp(text)?.loopback, true, text);
    for (const text of ['128.0.0.1', '::', '::2', '1::1', '10.127.0.1'])
      assert.equal(parseIp(text)?.loopback, false, text);
  });

  it('counts an IPv6 site as one client and IPv4 addresses separately', () => {
    const key = (text: string) => parseIp(text)?.rateKey;
    assert.equal(key('2001:db8:1:2::1'), key('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    assert.notEqual(key('2001:db8:1:2::1'), key('2001:db8:1:3::1'));
    assert.notEqual(key('192.0.2.1'), key('192.0.2.2'));
  });

  it('refuses text that is not an address', () => {
    for (const text of [
      '',
      'x',
      '1.2.3',
      '1.2.3.256',
      '01.2.3.4',
      ':::',
      '1:2:3',
      '::1::',
      '12345::',
      'unknown',
      '1.2.3.4 ',
    ])
      assert.equal(parseIp(text), null, text);
  });
});

describe('parseHop', () => {
  it('removes brackets and ports', () => {
    for (const text of [
      '192.0.2.1',
      ' 192.0.2.1 ',
      '192.0.2.1:8080',
      '[::ffff:192.0.2.1]:80',
      '[::ffff:192.0.2.1]',
    ])
      assert.equal(parseHop(text)?.text, '192.0.2.1', text);
    for (const text of ['unknown', '_hidden', '[192.0.2.1', '192.0.2.1:x', ''])
      assert.equal(parseHop(text), null, text);
  });
});

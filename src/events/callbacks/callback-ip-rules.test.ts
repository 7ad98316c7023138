// Tests which addresses callbacks may reach, range by range.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AddressClass, createCallbackIpRules } from './callback-ip-rules.ts';

const classesOf = (
  rules: Parameters<typeof createCallbackIpRules>[0],
  addresses: readonly string[],
): Readonly<Record<string, AddressClass>> => {
  const evaluate = createCallbackIpRules(rules);
  return Object.fromEntries(addresses.map((address) => [address, evaluate(address)]));
};

const all = (addresses: readonly string[], addressClass: AddressClass) =>
  Object.fromEntries(addresses.map((address) => [address, addressClass]));

const closed = { allowCidrs: [], bindsLoopback: true };

test('public Internet addresses are allowed', () => {
  const addresses = ['1.1.1.1', '93.184.215.14', '223.255.255.1', '2606:4700::1111', '2a00:1450:4001::200e'];
  assert.deepEqual(classesOf(closed, addresses), all(addresses, 'public'));
});

test('loopback, private, cloud metadata and unassigned addresses are forbidden', () => {
  const addresses = [
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
    ...['192.168.0.1', '169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192', '192.0.2.1'],
    ...['192.88.99.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250'],
    ...['240.0.0.1', '255.255.255.255', '168.63.129.16', '::', '::1', '::2', 'fe80::1', 'fe80::1%eth0'],
    ...['fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '100::1', '2001:db8::1', '3fff::1', '5f00::1'],
    ...['4000::1', 'c000::1', '2001:2::1', '2001:10::1', '2001:20::1'],
  ];
  assert.deepEqual(classesOf(closed, addresses), all(addresses, 'forbidden'));
});

test('an IPv6 address that embeds a forbidden IPv4 address is forbidden', () => {
  const addresses = [
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:a00:1', '::127.0.0.1', '::ffff:0:127.0.0.1'],
    ...['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2002:c0a8:101::1'],
    ...['2001:0:4136:e378:8000:63bf:80ff:fffe', '2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:a00:1'],
  ];
  assert.deepEqual(classesOf(closed, addresses), all(addresses, 'forbidden'));
  assert.equal(createCallbackIpRules(closed)('::ffff:1.1.1.1'), 'public');
  const compatible = ['::8.8.8.8', '::808:808', '0:0:0:0:0:0:8.8.8.8'];
  assert.deepEqual(
    classesOf(closed, compatible),
    all(compatible, 'forbidden'),
    'a socket cannot connect to any of them',
  );
});

test('text that is not an address is forbidden', () => {
  const texts = [
    ...['', 'localhost', '1.1.1.1:443', '1.1.1.1/32', '[::1]', '1.2.3.4.5', '256.1.1.1', 'x'],
    ...['1.1', '010.8.8.8', '0x8.8.8.8', '134744072', '8.8.8.8.', ' 8.8.8.8', '2606:4700::1::1'],
  ];
  assert.deepEqual(
    classesOf({ allowCidrs: ['10.0.0.0/8'], bindsLoopback: true }, texts),
    all(texts, 'forbidden'),
  );
});

test('of the non-public networks, only those opened by the operator are allowed', () => {
  const rules = { allowCidrs: ['10.1.0.0/16', 'fd00::/8', '::ffff:192.168.7.0/120'], bindsLoopback: true };
  assert.deepEqual(
    classesOf(rules, [
      '10.1.2.3',
      '::ffff:10.1.2.3',
      '10.2.0.1',
      'fd12::1',
      'fc00::1',
      '192.168.7.9',
      '127.0.0.1',
    ]),
    {
      '10.1.2.3': 'opened',
      '::ffff:10.1.2.3': 'opened',
      '10.2.0.1': 'forbidden',
      'fd12::1': 'opened',
      'fc00::1': 'forbidden',
      '192.168.7.9': 'opened',
      '127.0.0.1': 'forbidden',
    },
  );
});

test('loopback can be opened only if the service listens on loopback only', () => {
  const addresses = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
  const allowCidrs = ['127.0.0.0/8', '::1/128'];
  assert.deepEqual(
    classesOf({ allowCidrs, bindsLoopback: true }, addresses),
    all(addresses, 'opened-loopback'),
  );
  assert.deepEqual(classesOf({ allowCidrs, bindsLoopback: false }, addresses), all(addresses, 'forbidden'));
});

test('an opened network never includes the unspecified address, multicast or broadcast', () => {
  const allowCidrs = ['0.0.0.0/1', '128.0.0.0/1', '::/1', '8000::/1'];
  const addresses = ['0.0.0.0', '::', '224.0.0.1', '255.255.255.255', 'ff02::1'];
  assert.deepEqual(classesOf({ allowCidrs, bindsLoopback: true }, addresses), all(addresses, 'forbidden'));
});

test('an IPv4 network written as IPv4-mapped IPv6 is the same network, bit for bit', () => {
  const rules = { allowCidrs: ['::ffff:169.254.1.0/120'], bindsLoopback: true };
  assert.deepEqual(classesOf(rules, ['169.254.0.255', '169.254.1.0', '169.254.1.255', '169.254.2.0']), {
    '169.254.0.255': 'forbidden',
    '169.254.1.0': 'opened',
    '169.254.1.255': 'opened',
    '169.254.2.0': 'forbidden',
  });
  const whole = { allowCidrs: ['::ffff:0:0/96'], bindsLoopback: false };
  assert.deepEqual(classesOf(whole, ['192.168.7.9', '127.0.0.1', 'fd00::1']), {
    '192.168.7.9': 'opened',
    '127.0.0.1': 'forbidden',
    'fd00::1': 'forbidden',
  });
});

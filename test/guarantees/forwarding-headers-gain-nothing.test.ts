// RL-3: forwarding headers have no effect unless a proxy is configured, and behind a configured proxy only
// the entry added by the proxy counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../support/http-operations.ts';
import { exchangeRaw, rawGet } from '../support/http-raw.ts';
import { seededRandom } from '../support/seeded-random.ts';

const LIMIT = 5;
const ATTEMPTS = process.env.HOLDFAST_TEST_FULL === '1' ? 2_000 : 200;
const SPOOFABLE = [
  'X-Forwarded-For',
  'X-Real-IP',
  'Forwarded',
  'CF-Connecting-IP',
  'True-Client-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'Fastly-Client-IP',
  'X-Original-Forwarded-For',
];

const anyAddress = (random: () => number): string =>
  random() < 0.5
    ? Array.from({ length: 4 }, () => Math.floor(random() * 256)).join('.')
    : `2001:db8:${Math.floor(random() * 65_536).toString(16)}::${Math.floor(random() * 65_536).toString(16)}`;

const countPassed = async (
  trustedProxies: readonly string[],
  headersOf: (attempt: number) => readonly string[],
): Promise<number> => {
  const server = await startTestServer({ config: { rateLimit: LIMIT, trustedProxies } });
  try {
    let passed = 0;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { status } = await exchangeRaw(server.port, rawGet('/none', headersOf(attempt)));
      if (status !== 429) passed += 1;
    }
    return passed;
  } finally {
    await server.close();
  }
};

test(`RL-3 ${ATTEMPTS} requests with spoofed forwarding headers cannot exceed the limit`, async () => {
  const random = seededRandom(3);
  const passed = await countPassed([], (attempt) => {
    const name = SPOOFABLE[attempt % SPOOFABLE.length];
    return name === 'Forwarded'
      ? [`${name}: for="${anyAddress(random)}"`]
      : [`${name}: ${anyAddress(random)}`];
  });
  assert.equal(passed, LIMIT);
});

test('RL-3 behind a configured proxy, entries that the client adds have no effect', async () => {
  const random = seededRandom(4);
  const spoofed = await countPassed(['127.0.0.0/8', '10.0.0.0/8'], () => [
    `X-Forwarded-For: ${anyAddress(random)}, ${anyAddress(random)}`,
    'X-Forwarded-For: 203.0.113.7:5000, 10.1.2.3',
  ]);
  assert.equal(spoofed, LIMIT);
});

test('RL-3 addresses of one IPv6 site share a limit, and an IPv4-mapped address counts as the IPv4 address', async () => {
  const random = seededRandom(5);
  const site = await countPassed(['127.0.0.1'], () => [
    `X-Forwarded-For: 2001:db8:1:2:${Math.floor(random() * 65_536).toString(16)}::${Math.floor(random() * 65_536).toString(16)}`,
  ]);
  assert.equal(site, LIMIT);
  const spellings = [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '::ffff:cb00:7107',
    '[::ffff:203.0.113.7]:80',
    '203.0.113.7:81',
  ];
  const mapped = await countPassed(['127.0.0.1'], (attempt) => [
    `X-Forwarded-For: ${spellings[attempt % spellings.length]}`,
  ]);
  assert.equal(mapped, LIMIT);
});

test('RL-3 different clients behind a configured proxy have separate limits', async () => {
  const passed = await countPassed(['127.0.0.1'], (attempt) => [
    `X-Forwarded-For: 203.0.${attempt >> 8}.${attempt & 255}`,
  ]);
  assert.equal(passed, ATTEMPTS);
});

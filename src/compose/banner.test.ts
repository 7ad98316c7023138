import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { banner } from './banner.ts';

const URL_TEXT = 'http://127.0.0.1:3000';
const facts = {
  url: URL_TEXT,
  clusterName: 'sandbox',
  metricsUrl: 'http://127.0.0.1:9/metrics',
  dataDir: '/data',
};
const sandbox = {
  endpoints: [{ httpUrl: 'http://127.0.0.1:8899', wsUrl: 'ws://127.0.0.1:8900' }],
  voteAccount: 'vote' as Address,
  memo: 'memo',
  donationAddress: 'donation' as Address,
};

test('in the sandbox it says where everything is, that the chain is new, and what to paste', () => {
  const text = banner({ ...facts, sandbox });
  for (const part of [
    `${URL_TEXT}/docs`,
    'http://127.0.0.1:8899',
    'ws://127.0.0.1:8900',
    'vote',
    '/data',
    '127.0.0.1:9/metrics',
  ])
    assert.ok(text.includes(part), part);
  assert.match(text, /sandbox chain is new/);
  assert.match(text, /curl -s .*\/api\/v1\/stake /);
  assert.ok(text.includes(`npm run demo -- ${URL_TEXT}\n`));
});

test('on a real cluster it names no RPC URL and offers no faucet', () => {
  const text = banner({ ...facts, clusterName: 'mainnet-beta', sandbox: null });
  assert.match(text, /mainnet-beta/);
  assert.doesNotMatch(text, /sandbox|RPC|airdrop/i);
});

test('metrics that are off are not mentioned', () => {
  assert.doesNotMatch(banner({ ...facts, metricsUrl: null, sandbox: null }), /metrics/i);
});

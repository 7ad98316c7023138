import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { banner } from './banner.ts';

const URL_TEXT = 'http://127.0.0.1:3000';
const facts = {
  url: URL_TEXT,
  localUrl: URL_TEXT,
  hasPage: true,
  profile: null,
  clusterName: 'sandbox',
  metricsUrl: 'http://127.0.0.1:9/metrics',
  operatorConsole: { url: 'http://127.0.0.1:10', tokenPath: '/data/operator-token' },
  dataDir: '/data',
  dataHistory: 'continued from the last run',
  unsettled: 0,
  setup: { store: 'the store', limits: 'the limits', alerts: 'the alerts' },
  report: null,
};
const sandbox = {
  endpoints: [{ httpUrl: 'http://127.0.0.1:8899', wsUrl: 'ws://127.0.0.1:8900' }],
  voteAccount: 'vote' as Address,
  memo: 'memo',
  donationAddress: 'donation' as Address,
};

test('the sandbox banner shows all addresses, says that the chain is new, and lists commands to copy', () => {
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
  assert.match(text, /Chain +new \(the sandbox starts over/);
  assert.ok(text.includes(`npm run demo -- ${URL_TEXT}\n`));
});

test('on a real cluster the banner names the validator, the RPC latency and the remaining tasks, and offers no faucet', () => {
  const report = {
    validator: 'Aurora, 120,000 SOL staked, vote account vote',
    rpc: 'node 1 responds in 41 ms',
    toDo: ['TLS: put a proxy in front', 'Backup: keep a copy'],
  };
  const text = banner({ ...facts, clusterName: 'mainnet-beta', sandbox: null, report });
  for (const part of [
    'mainnet-beta',
    'Aurora, 120,000 SOL',
    '41 ms',
    'TLS: put',
    'Backup: keep',
    '/data: continued from',
  ])
    assert.ok(text.includes(part), part);
  assert.doesNotMatch(text, /sandbox|airdrop|https?:\/\/(?!127\.0\.0\.1)/i);
});

test('behind a proxy the banner also shows the local address and uses it in the commands to copy', () => {
  const text = banner({ ...facts, url: 'https://stake.example', sandbox });
  assert.match(text, /Holdfast is ready: https:\/\/stake\.example\n/);
  assert.match(text, /Local +http:\/\/127\.0\.0\.1:3000\n/);
  assert.match(text, /airdrop 10 --url http:\/\/127\.0\.0\.1:3000 /);
  assert.doesNotMatch(banner({ ...facts, sandbox }), /Local/);
});

test('the banner shows the store, the limits and the alerts, each on one line', () => {
  const text = banner({ ...facts, sandbox: null });
  assert.match(text, /^ {2}Store {6}the store\n {2}Limits {5}the limits\n {2}Alerts {5}the alerts$/m);
});

test('the banner shows the profile on one line', () => {
  const text = banner({ ...facts, sandbox: null, profile: 'Aurora, logo logo.svg' });
  assert.match(text, /^ {2}Profile {4}Aurora, logo logo\.svg$/m);
});

test('the banner omits metrics if they are off', () => {
  assert.doesNotMatch(banner({ ...facts, metricsUrl: null, sandbox: null }), /metrics/i);
});

test('the banner says how to build the page if it is not built', () => {
  const text = banner({ ...facts, hasPage: false, sandbox: null });
  assert.match(text, /Page +NOT BUILT.*npm run build/);
});

test('the banner says what happened to the data and what is resumed; with PostgreSQL the former is unknown', () => {
  const data = (dataHistory: string, unsettled: number) =>
    /^ +Data +(.*)$/m.exec(banner({ ...facts, sandbox: null, dataHistory, unsettled }))?.[1];
  assert.equal(data('', 0), '/data');
  assert.equal(data('new', 0), '/data: new');
  assert.equal(data('', 1), '/data: resuming 1 unsettled submission');
  assert.equal(data('new', 2), '/data: new; resuming 2 unsettled submissions');
});

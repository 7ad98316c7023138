import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorerQueryOf } from './service-settings.ts';

test('explorer links contain the cluster, and contain the local RPC URL only for the sandbox on this machine', () => {
  const url = 'http://127.0.0.1:8899/?a=b&c';
  assert.equal(explorerQueryOf('mainnet-beta', undefined), '');
  assert.equal(explorerQueryOf('devnet', undefined), '?cluster=devnet');
  assert.equal(explorerQueryOf('testnet', undefined), '?cluster=testnet');
  assert.equal(explorerQueryOf('custom', undefined), '?cluster=custom');
  const query = new URLSearchParams(explorerQueryOf('sandbox', url));
  assert.deepEqual(
    [...query],
    [
      ['cluster', 'custom'],
      ['customUrl', url],
    ],
  );
});

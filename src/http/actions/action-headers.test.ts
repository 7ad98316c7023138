// Tests that the Action headers name the chain by the identifiers that wallets know.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { ACTION_VERSION, actionHeaders, blockchainId } from './action-headers.ts';

const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

it('each cluster has its CAIP-2 identifier from the solana namespace', () => {
  assert.equal(blockchainId(MAINNET_GENESIS), 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp');
  assert.equal(
    blockchainId('EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'),
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  );
});

it('no header occurs twice, and all are lower case', () => {
  const names = actionHeaders(MAINNET_GENESIS).filter((_item, index) => index % 2 === 0);
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(
    names,
    names.map((name) => name.toLowerCase()),
  );
});

it('the version is that of the specification whose types check the responses', () => {
  const installed = new URL('../../../node_modules/@solana/actions-spec/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(installed, 'utf8')) as { version: string };
  assert.ok(version.startsWith(`${ACTION_VERSION}.`), version);
});

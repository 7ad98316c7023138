// Tests which wallets can be used: an unusable wallet gets the most helpful reason, and public clusters are
// never confused.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Wallet } from '@wallet-standard/base';
import { chainOf, unsuitableReason } from './features.ts';

const ABLE = { 'standard:connect': {}, 'solana:signTransaction': {} };
const walletOf = (chains: readonly string[], features: object = ABLE) =>
  ({ name: 'Signer', chains, features }) as unknown as Wallet;

it('a cluster that is not public counts as local, whatever its name', () => {
  for (const [cluster, chain] of [
    ['mainnet-beta', 'solana:mainnet'],
    ['testnet', 'solana:testnet'],
    ['devnet', 'solana:devnet'],
    ['sandbox', 'solana:localnet'],
    ['mainnet', 'solana:localnet'],
    ['', 'solana:localnet'],
  ] as const)
    assert.equal(chainOf(cluster), chain, cluster);
});

it('an unusable wallet is reported with its first reason', () => {
  const sends = { 'standard:connect': {}, 'solana:signAndSendTransaction': {} };
  for (const [chains, features, reason] of [
    [['solana:devnet', 'solana:mainnet'], ABLE, null],
    [['solana:devnet'], sends, null],
    [['solana:mainnet'], ABLE, 'Does not support devnet'],
    [['solana:devnetwork'], ABLE, 'Does not support devnet'],
    [['ethereum:1'], ABLE, 'Not a Solana wallet'],
    [['x-solana:devnet'], ABLE, 'Not a Solana wallet'],
    [[], {}, 'Not a Solana wallet'],
    [['solana:mainnet'], {}, 'Cannot connect to pages'],
    [['solana:mainnet'], { 'standard:connect': {} }, 'Cannot sign transactions'],
  ] as const)
    assert.deepEqual(
      unsuitableReason(walletOf(chains, features), 'solana:devnet'),
      reason && { kind: reason.startsWith('Does') ? 'wrong-chain' : 'unsupported', text: reason },
      chains.join(),
    );
});

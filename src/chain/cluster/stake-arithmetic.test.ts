// The arithmetic counts as unknown for every image that is not listed. Recognition of the sandbox's v5.0 is
// tested in cluster-state.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../ports.ts';
import { STAKE_PROGRAM_ACCOUNTS, stakeArithmeticOf } from './stake-arithmetic.ts';

const account = (i: number, owner: string, data: Uint8Array): ChainAccount => ({
  address: STAKE_PROGRAM_ACCOUNTS[i]!,
  owner: owner as Address,
  lamports: 1n,
  data,
});

test('the arithmetic is unknown for an unknown image, a missing account or a different loader', () => {
  const image = new Uint8Array(300).fill(7);
  const upgradeable = 'BPFLoaderUpgradeab1e11111111111111111111111';
  const native = 'NativeLoader1111111111111111111111111111111';
  const plain = 'BPFLoader2111111111111111111111111111111111';
  for (const accounts of [
    [],
    [null, null],
    [account(0, native, image), null],
    [account(0, plain, image), null],
    [account(0, plain, new Uint8Array()), null],
    [account(0, upgradeable, image), null],
    [account(0, upgradeable, image), account(1, native, image)],
    [account(0, upgradeable, image), account(1, upgradeable, image)],
    [account(0, upgradeable, image), account(1, upgradeable, new Uint8Array(3))],
  ]) {
    assert.equal(stakeArithmeticOf(accounts), undefined);
  }
});

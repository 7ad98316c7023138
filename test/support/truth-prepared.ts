// A runtime with the real Stake program and the keys that sequences use.
import { readFileSync } from 'node:fs';
import type { Address } from '@solana/kit';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { createTruthRandom } from './truth-random.ts';
import { TruthRuntime } from './truth-runtime.ts';
import { VOTE_PROGRAM, voteAccountData } from './truth-vote-account.ts';
import type { TruthKeys } from './truth-world.ts';

const SYSTEM = '11111111111111111111111111111111' as Address;

/** Path of the Stake program's v5.1 image, which `npm run cluster` downloads. Without it, tests use v5.0. */
const IMAGE = process.env.HOLDFAST_TEST_STAKE_IMAGE;

/** Prepares a runtime with funded wallets and vote accounts. */
export const preparedTruth = (): { runtime: TruthRuntime; keys: TruthKeys } => {
  const random = createTruthRandom(1);
  const key = (): Uint8Array => random.bytes(32);
  const address = (bytes = key()) => readAddressAt(bytes, 0);
  const runtime = new TruthRuntime(address(), IMAGE === undefined ? undefined : readFileSync(IMAGE));
  const keys = { owner: address(), staker: address(), custodian: address(), votes: [address(), address()] };
  for (const wallet of [keys.owner, keys.staker, keys.custodian]) {
    runtime.setAccount({ address: wallet, owner: SYSTEM, lamports: 10n ** 17n, data: new Uint8Array() });
  }
  for (const vote of keys.votes) {
    runtime.setAccount({
      address: vote,
      owner: VOTE_PROGRAM,
      lamports: 10n ** 9n,
      data: voteAccountData(key()),
    });
  }
  return { runtime, keys };
};

/**
 * Returns `count` consecutive seeds from `first` on. `HOLDFAST_TEST_SEED` replays one of them, or several as a
 * range `from-to`.
 */
export const truthSeeds = (first: number, count: number): readonly number[] => {
  const named = process.env.HOLDFAST_TEST_SEED;
  const [from, to] = named ? named.split('-').map(Number) : [first, first + count - 1];
  return Array.from({ length: (to ?? from!) - from! + 1 }, (_, i) => from! + i);
};

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { patience } from '../../test/support/patience.ts';
import { exampleKey } from '../../test/support/plan-context.ts';
import { stakeAccountBytes } from '../../test/support/stake-account-bytes.ts';
import { steadyHistory } from '../../test/support/stake-account-examples.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import type { EpochPayments } from '../chain/validator/reward-reads.ts';
import { STAKE_PROGRAM } from '../domain/instruction-programs.ts';
import { AppError, isAppError } from '../kernel/app-error.ts';
import { createMeasuredInflation } from './measured-inflation.ts';
import type { ChainFacts } from './validator-chain-facts.ts';
import type { ValidatorSources } from './validator-sources.ts';

const signal = patience();
const SOL = 1_000_000_000n;
const [ONE, OTHER, VOTE] = [exampleKey(1), exampleKey(2), exampleKey(3)];

/**
 * Opens a measurement of sample accounts. Each holds 1 SOL, effective since genesis, and was paid a
 * thousandth of it for every epoch unless the test overrides this.
 */
const open = () => {
  const clock = createManualClock();
  const world = {
    epoch: 20n,
    rewarding: false,
    references: [ONE] as Address[],
    gone: [] as Address[],
    state: (_epoch: bigint): EpochPayments['state'] => 'known',
    lamports: (_address: Address, _epoch: bigint): bigint | null => SOL / 1_000n,
    commissionPct: (_epoch: bigint): number | null => 5,
    /** The commission paid to the vote account, and the account that receives it. */
    commission: (_epoch: bigint): bigint | null => 7n,
    collector: VOTE as Address,
    asked: [] as (readonly bigint[])[],
    /** Epochs in which the validator earned credits. */
    credited: [15n, 16n, 18n, 19n],
    /** Epochs whose yield is recorded. */
    recorded: [] as bigint[],
    scans: 0,
  };
  const data = stakeAccountBytes({
    wallet: exampleKey(9),
    delegation: { voteAccount: VOTE, stakeLamports: SOL },
  });
  const paymentsOf = (epoch: bigint): EpochPayments => {
    const state = world.state(epoch);
    if (state !== 'known') return { epoch, state };
    const payments = [...world.references, VOTE].map((address) => {
      const lamports = address === VOTE ? world.commission(epoch) : world.lamports(address, epoch);
      const commissionPct = world.commissionPct(epoch);
      const paid = lamports && {
        epoch,
        lamports,
        commissionPct,
        postBalanceLamports: SOL,
        effectiveSlot: 1n,
      };
      return [address, paid || null] as const;
    });
    return { epoch, state, payments: new Map(payments) };
  };
  const sources = {
    clock,
    lifetime: new AbortController().signal,
    cluster: {
      recentEpochPosition: async () => ({ epoch: world.epoch, epochRewardsActive: world.rewarding }),
      stakeHistory: async (epoch: bigint) => steadyHistory(0n, epoch),
    },
    reads: {
      accounts: async (asked: readonly Address[]) => ({
        accounts: asked.map((address) =>
          world.gone.includes(address) ? null : { address, owner: STAKE_PROGRAM, lamports: SOL, data },
        ),
      }),
    },
    samples: { epochs: async () => world.recorded.map((epoch) => ({ epoch, apy: 6 })) },
    rewards: {
      inflationPayments: async (addresses: readonly Address[], epochs: readonly bigint[]) => {
        world.asked.push(epochs);
        assert.deepEqual(addresses, [...world.references, VOTE]);
        return epochs.map(paymentsOf);
      },
    },
  } as unknown as ValidatorSources;
  const facts = {
    own: async () => ({
      listed: { voteAccount: VOTE },
      state: {
        epochCredits: world.credited.map((epoch) => ({ epoch, credits: 9n, previousCredits: 0n })),
        layout4: { inflationCollector: world.collector },
      },
    }),
    delegatorScan: async () => {
      world.scans += 1;
      return { delegators: 1, references: world.references };
    },
  } as unknown as ChainFacts;
  return { clock, world, read: createMeasuredInflation(sources, facts) };
};

test('five ended epochs are measured once, and the result is valid for the whole following epoch', async () => {
  const { world, read, clock } = open();
  const realised = await read(signal);
  assert.deepEqual(
    [realised?.rate?.fromEpoch, realised?.rate?.toEpoch, realised?.rate?.sampleCount],
    [15n, 19n, 5],
  );
  // The stake is the current balance minus its growth since then.
  assert.equal(realised?.byEpoch.get(19n), 1e6 / (1e9 - 1e6));
  assert.equal(realised?.byEpoch.get(15n), 1e6 / (1e9 - 5e6));
  assert.equal(realised?.commissionByEpoch.get(15n), 5);
  clock.advance(3_600_000);
  assert.equal(await read(signal), realised);
  assert.deepEqual([world.asked.length, world.scans], [1, 1]);
});

test('epochs that the record lacks, for example after thirty epochs at once, are measured too, but not included in the rate', async () => {
  const { world, read } = open();
  world.epoch = 60n;
  world.credited = Array.from({ length: 60 }, (_, epoch) => BigInt(epoch));
  world.recorded = [30n, 31n, 32n];
  const realised = await read(signal);
  assert.deepEqual([...realised!.byEpoch.keys()].at(0), 33n);
  assert.equal(realised?.byEpoch.size, 27);
  assert.equal(realised?.commissionByEpoch.get(33n), 5);
  assert.deepEqual([realised?.rate?.fromEpoch, realised?.rate?.epochCount], [55n, 5]);
  world.epoch = 61n;
  world.recorded = world.credited;
  world.asked = [];
  assert.equal((await read(signal))?.byEpoch.size, 5);
  assert.deepEqual(world.asked, [[60n, 59n, 58n, 57n, 56n]], 'recorded epochs are not read again');
});

test('earlier epochs that no node has, or that cannot be read, leave the rate as it is', async () => {
  for (const fails of [false, true]) {
    const { world, read } = open();
    world.epoch = 60n;
    world.credited = Array.from({ length: 60 }, (_, epoch) => BigInt(epoch));
    world.state = (epoch) => {
      if (epoch >= 50n) return 'known';
      if (fails) throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
      return 'unavailable';
    };
    const realised = await read(signal);
    assert.equal(realised?.rate?.epochCount, 5);
    assert.equal(realised?.byEpoch.size, fails ? 5 : 10);
  }
});

test('an epoch without a payment counts as a return of zero, with an unknown commission', async () => {
  const { world, read } = open();
  world.lamports = (_address, epoch) => (epoch === 17n ? null : 1_000n);
  world.commissionPct = (epoch) => (epoch === 16n ? null : 0);
  const realised = await read(signal);
  assert.equal(realised?.byEpoch.get(17n), 0);
  assert.deepEqual([...realised!.commissionByEpoch].sort(), [
    [15n, 0],
    [18n, 0],
    [19n, 0],
  ]);
});

test('stake without a payment in an epoch with credits counts as having been in another account then', async () => {
  const { world, read } = open();
  world.lamports = (_address, epoch) => (epoch < 18n ? null : 1_000n);
  assert.deepEqual([...(await read(signal))!.byEpoch.keys()].sort(), [17n, 18n, 19n]);
  const full = open();
  full.world.lamports = () => null;
  full.world.commissionPct = () => 100;
  assert.deepEqual([...(await full.read(signal))!.byEpoch.values()], [0, 0, 0, 0, 0]);
});

test('the measurement ends at the first older epoch whose payment is unknown, and nothing before it is estimated', async () => {
  const { world, read } = open();
  world.state = (epoch) => (epoch <= 17n ? 'unavailable' : 'known');
  const realised = await read(signal);
  assert.deepEqual([realised?.rate?.fromEpoch, realised?.rate?.epochCount], [18n, 2]);
});

test("in a cluster's first epochs, only existing epochs are queried, and none in the very first epoch", async () => {
  const { world, read } = open();
  world.epoch = 0n;
  assert.equal(await read(signal), null);
  world.epoch = 2n;
  assert.equal((await read(signal))?.rate?.epochCount, 2);
  assert.deepEqual(world.asked.at(-1), [1n, 0n]);
});

test('without delegators there is no rate, and this result is cached until the epoch ends', async () => {
  const { world, read } = open();
  world.references = [];
  assert.deepEqual(await read(signal), {
    rate: null,
    grossRate: null,
    byEpoch: new Map(),
    commissionByEpoch: new Map(),
    commissionLamportsByEpoch: new Map(),
  });
  await read(signal);
  assert.deepEqual([world.scans, world.asked.length], [1, 0]);
});

test('an account closed since the scan is left out, and the median of several accounts is used', async () => {
  const { world, read } = open();
  world.references = [ONE, OTHER];
  world.gone = [OTHER];
  assert.equal((await read(signal))?.rate?.sampleCount, 5);
  const three = open();
  three.world.references = [ONE, OTHER, exampleKey(4)];
  three.world.lamports = (address) => (address === OTHER ? 500_000_000n : 1_000n);
  const newest = (await three.read(signal))?.byEpoch.get(19n);
  assert.equal(newest, 1_000 / (1e9 - 1_000));
});

test('while the rewards of the last epoch are unknown, the previous measurement stays, and a new one is tried every 15 seconds', async () => {
  const { world, read, clock } = open();
  const before = await read(signal);
  Object.assign(world, { epoch: 21n, state: (): EpochPayments['state'] => 'distributing' });
  assert.equal(await read(signal), before);
  Object.assign(world, { state: () => 'known' });
  clock.advance(14_999);
  assert.equal(await read(signal), before);
  clock.advance(1);
  assert.equal((await read(signal))?.rate?.toEpoch, 20n);
});

test('while the rewards of the last epoch are being paid, the previous measurement stays, and afterwards they are measured immediately', async () => {
  const { world, read } = open();
  const before = await read(signal);
  Object.assign(world, { epoch: 21n, rewarding: true });
  assert.equal(await read(signal), before);
  Object.assign(world, { rewarding: false });
  assert.equal((await read(signal))?.rate?.toEpoch, 20n);
});

test('a new epoch is measured immediately, even shortly after the last measurement', async () => {
  const { world, read } = open();
  await read(signal);
  world.epoch = 21n;
  assert.equal((await read(signal))?.rate?.toEpoch, 20n);
});

test('an unavailable chain is a failure, which is not cached', async () => {
  const { world, read } = open();
  const { state } = world;
  world.state = () => {
    throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
  };
  await assert.rejects(read(signal), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
  world.state = state;
  assert.equal((await read(signal))?.rate?.epochCount, 5);
});

test('the commission of each measured epoch is the one paid to the vote account', async () => {
  const { world, read } = open();
  world.state = (epoch) => (epoch === 15n ? 'unavailable' : 'known');
  world.commission = (epoch) => (epoch === 17n ? null : 2n ** 60n + epoch);
  const realised = await read(signal);
  assert.deepEqual([...realised!.commissionLamportsByEpoch].sort(), [
    [16n, 2n ** 60n + 16n],
    [17n, 0n],
    [18n, 2n ** 60n + 18n],
    [19n, 2n ** 60n + 19n],
  ]);
});

test('the commission of an epoch without a payment to the vote account is unknown if another account receives it', async () => {
  const { world, read } = open();
  world.collector = OTHER;
  world.commission = (epoch) => (epoch === 18n ? 9n : null);
  assert.deepEqual([...(await read(signal))!.commissionLamportsByEpoch], [[18n, 9n]]);
});

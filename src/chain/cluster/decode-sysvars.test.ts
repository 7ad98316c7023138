// Sysvars are decoded the way Agave encodes them, and every slot is assigned to the same epoch as in Agave.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { sysvarAccounts } from '../../../test/support/chain-snapshots.ts';
import { decodeSysvars, positionOfSlot, SYSVAR_ADDRESSES } from './decode-sysvars.ts';

const FIXTURES = '../../../test/fixtures/agave-4.1.2/';

interface RecordedCall {
  readonly name: string;
  readonly params: readonly (readonly string[])[];
  // biome-ignore lint/suspicious/noExplicitAny: the response of any method.
  readonly answer: { readonly result: any };
}

const recorded = (method: string, name: string): RecordedCall => {
  const file = new URL(`${FIXTURES}${method}.json`, import.meta.url);
  const { calls } = JSON.parse(readFileSync(file, 'utf8')) as { calls: RecordedCall[] };
  return calls.find((call) => call.name === name) ?? assert.fail(`${method} "${name}" is not recorded`);
};

const bytesOf = (account: { data: readonly unknown[] }): Uint8Array =>
  Buffer.from(String(account.data[0]), 'base64');

/** The same rent, encoded by a cluster with a two-year exemption threshold. */
const TWO_YEARS_RENT = Buffer.from('980d000000000000000000000000004032', 'hex');
const scripted = (): Uint8Array[] =>
  sysvarAccounts({ epoch: 20, slotsPerEpoch: 432_000 }).map((account) => bytesOf(account));

const RENT = bytesOf(recorded('getMultipleAccounts', 'Rent').answer.result.value[0]);

describe('the sysvars of a real validator', () => {
  const { params, answer } = recorded('getMultipleAccounts', 'Clock, EpochSchedule and EpochRewards');
  const { context, value } = answer.result;
  const [clock, schedule, rewards] = value.map(bytesOf) as [Buffer, Buffer, Buffer];

  it('have the expected addresses and lengths', () => {
    assert.deepEqual(params[0], SYSVAR_ADDRESSES.slice(0, 3));
    assert.deepEqual([clock.length, schedule.length, rewards.length], [40, 33, 81]);
  });

  it('contain the epoch, the position in it and the time, and show no rewards freeze', () => {
    const sysvars = decodeSysvars([clock, schedule, rewards, RENT])!;
    assert.equal(sysvars.epoch, 4n);
    assert.equal(sysvars.unixTimestamp, 1_795_357_528n);
    assert.equal(sysvars.epochRewardsActive, false);
    assert.deepEqual(positionOfSlot(BigInt(context.slot), sysvars.schedule), {
      epoch: 4n,
      slotIndex: 1n,
      slotsInEpoch: 32n,
    });
    assert.equal(
      clock.readBigUInt64LE(0),
      BigInt(context.slot),
      'the slot of the response is that of the Clock',
    );
  });

  it('assign slots to the same epochs as getEpochInfo does on the same validator', () => {
    const { schedule: its } = decodeSysvars([clock, schedule, rewards, RENT])!;
    for (const name of ['confirmed', 'finalized']) {
      const { absoluteSlot, epoch, slotIndex, slotsInEpoch } = recorded('getEpochInfo', name).answer.result;
      assert.deepEqual(positionOfSlot(BigInt(absoluteSlot), its), {
        epoch: BigInt(epoch),
        slotIndex: BigInt(slotIndex),
        slotsInEpoch: BigInt(slotsInEpoch),
      });
    }
  });

  it('show the rewards freeze in the last byte of EpochRewards', () => {
    const frozen = Buffer.from(rewards);
    frozen[80] = 1;
    assert.equal(decodeSysvars([clock, schedule, frozen, RENT])?.epochRewardsActive, true);
  });

  it('yield the same rent as the RPC of that validator', () => {
    const rpc = (name: string) => BigInt(recorded('getMinimumBalanceForRentExemption', name).answer.result);
    for (const rent of [RENT, TWO_YEARS_RENT]) {
      const { rentLamports } = decodeSysvars([clock, schedule, rewards, rent])!;
      assert.deepEqual([rentLamports(200), rentLamports(0)], [rpc('a stake account'), rpc('a wallet')]);
    }
  });
});

describe('malformed sysvars', () => {
  it('a missing EpochRewards, as before the first rewards, means that there is no freeze', () => {
    const [clock, schedule, , rent] = scripted();
    assert.equal(decodeSysvars([clock!, schedule!, null, rent!])?.epochRewardsActive, false);
  });

  it('a missing, truncated or overlong sysvar is rejected', () => {
    for (const at of [0, 1, 3]) assert.equal(decodeSysvars(scripted().with(at, null as never)), null);
    for (const at of [0, 1, 2, 3]) {
      const whole = scripted();
      assert.equal(decodeSysvars(whole.with(at, whole[at]!.slice(1))), null);
      assert.equal(decodeSysvars(whole.with(at, Buffer.concat([whole[at]!, Buffer.alloc(1)]))), null);
    }
    assert.notEqual(decodeSysvars(scripted()), null);
  });

  it('an invalid flag, an epoch without slots and a rent that is not a number are rejected', () => {
    const [clock, schedule, rewards, rent] = scripted().map((bytes) => Buffer.from(bytes));
    const half = Buffer.from(rewards!).fill(2, 80);
    assert.equal(decodeSysvars([clock!, schedule!, half, rent!]), null);
    assert.equal(decodeSysvars([clock!, Buffer.from(schedule!).fill(0, 0, 8), rewards!, rent!]), null);
    const endless = Buffer.from(rent!);
    endless.writeDoubleLE(Number.NaN, 8);
    assert.equal(decodeSysvars([clock!, schedule!, rewards!, endless]), null);
  });
});

describe('a chain with warm-up epochs', () => {
  // Devnet's schedule: 14 epochs of 32, 64, … slots, then 432,000 each.
  const devnet = { slotsPerEpoch: 432_000n, firstNormalEpoch: 14n, firstNormalSlot: 524_256n };
  const cases: readonly (readonly [slot: bigint, epoch: bigint, slotIndex: bigint, slotsInEpoch: bigint])[] =
    [
      [0n, 0n, 0n, 32n],
      [31n, 0n, 31n, 32n],
      [32n, 1n, 0n, 64n],
      [95n, 1n, 63n, 64n],
      [96n, 2n, 0n, 128n],
      [524_255n, 13n, 262_143n, 262_144n],
      [524_256n, 14n, 0n, 432_000n],
      [524_256n + 432_000n, 15n, 0n, 432_000n],
    ];
  for (const [slot, epoch, slotIndex, slotsInEpoch] of cases)
    it(`slot ${slot} has index ${slotIndex} in epoch ${epoch}`, () =>
      assert.deepEqual(positionOfSlot(slot, devnet), { epoch, slotIndex, slotsInEpoch }));
});

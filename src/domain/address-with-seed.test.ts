// Addresses with a seed equal those of @solana/kit, and both refuse the same inputs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, createAddressWithSeed } from '@solana/kit';
import fc from 'fast-check';
import { encodeBase58 } from '../kernel/base58.ts';
import { addressWithSeed } from './address-with-seed.ts';

const addresses = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => encodeBase58(bytes) as Address);

test('the derived address equals that of kit’s createAddressWithSeed for random bases, seeds and programs', async () => {
  await fc.assert(
    fc.asyncProperty(addresses, fc.string({ maxLength: 40 }), addresses, async (base, seed, program) => {
      const expected = await createAddressWithSeed({
        baseAddress: base,
        programAddress: program,
        seed,
      }).catch(() => null);
      assert.equal(addressWithSeed(base, seed, program), expected);
    }),
    { numRuns: 500, seed: 20_261_127 },
  );
});

test('a program whose address ends with the marker of program-derived addresses is refused', () => {
  const program = encodeBase58(Buffer.from('12345678901ProgramDerivedAddress')) as Address;
  assert.equal(addressWithSeed('11111111111111111111111111111111' as Address, 'seed', program), null);
});

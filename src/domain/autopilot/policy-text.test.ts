// The autopilot's signed text is exact to the byte, and no two requests share a text.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { type PolicyScope, policyDeletionText, policyText, type StakingPolicy } from './policy-text.ts';

const scope: PolicyScope = {
  prefix: 'holdfast-autopilot',
  genesisHash: 'GENESIS',
  serviceOrigin: 'https://stake.example',
  voteAccount: 'VOTE' as Address,
};
const policy: StakingPolicy = {
  walletAddress: 'WALLET' as Address,
  keepLiquidLamports: 1_000_000_000n,
  minSweepLamports: 5n,
  callbackUrl: 'https://hook.example/a?b=c',
  paused: false,
  nonce: 7,
};

it('the text of a policy consists of exactly these lines', () => {
  assert.equal(
    policyText(scope, policy),
    'holdfast-autopilot-policy:v1\ncluster=GENESIS\nservice=https://stake.example\nvote=VOTE\nwallet=WALLET\nkeepLiquidLamports=1000000000\nminSweepLamports=5\ncallbackUrl=https://hook.example/a?b=c\npaused=false\nnonce=7',
  );
});

it('the text of a deletion consists of exactly these lines', () => {
  assert.equal(
    policyDeletionText(scope, 'WALLET' as Address, 8),
    'holdfast-autopilot-delete:v1\ncluster=GENESIS\nservice=https://stake.example\nvote=VOTE\nwallet=WALLET\nnonce=8',
  );
});

it('two different requests never share a text, and the text of a deletion never equals that of a policy', () => {
  const line = fc.stringMatching(/^[\x21-\x7e]{1,12}$/);
  const request = fc.record({
    walletAddress: line as fc.Arbitrary<Address>,
    keepLiquidLamports: fc.bigInt({ min: 0n, max: 99n }),
    minSweepLamports: fc.bigInt({ min: 0n, max: 99n }),
    callbackUrl: line,
    paused: fc.boolean(),
    nonce: fc.integer({ min: 1, max: 99 }),
  });
  const keyOf = (value: StakingPolicy) =>
    JSON.stringify(Object.entries(value).sort(), (_name, part) =>
      typeof part === 'bigint' ? String(part) : part,
    );
  fc.assert(
    fc.property(request, request, (a, b) => {
      assert.equal(policyText(scope, a) === policyText(scope, b), keyOf(a) === keyOf(b));
      assert.notEqual(policyText(scope, a), policyDeletionText(scope, b.walletAddress, b.nonce));
    }),
    { numRuns: 500 },
  );
});

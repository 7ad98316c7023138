// Tests that SOL can be added only to activating stake, up to the balance of the wallet.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { canTopUp, mostTopUp, readTopUp } from './top-up-limits.ts';

const account = {
  role: 'owner',
  state: 'activating',
  deactivationEpoch: null,
  stakeAuthority: 'W',
  voteAccount: 'V',
  activeSol: 0,
  lockup: null,
} as const;
const where = { walletAddress: 'W', validatorVoteAccount: 'V', rewardsActive: false };

it("only the wallet's own activating account at this validator, without a lockup, can be topped up, and not while rewards are paid", () => {
  assert.ok(canTopUp(account, where));
  for (const other of [
    { role: 'staker' },
    { state: 'active' },
    { activeSol: 0.1 },
    { lockup: {} },
    { stakeAuthority: 'X' },
    { voteAccount: 'X' },
  ] as const)
    assert.ok(!canTopUp({ ...account, ...other }, where), JSON.stringify(other));
  assert.ok(!canTopUp(account, { ...where, rewardsActive: true }));
});

it('an amount too small for a separate stake is limited to the balance minus the rent-exempt minimum', () => {
  const limits = { rentLamports: 1_666_240n, minimumStakeLamports: 1_001_666_240n };
  const read = (text: string, availableLamports: bigint | null = 5_000_000_000n) =>
    readTopUp(text, { availableLamports, ...limits });
  assert.equal(read('0.3').lamports, 300_000_000n);
  assert.equal(read('5').lamports, 5_000_000_000n);
  assert.match(read('5.000000001').problem!, /up to 5 SOL from your wallet/);
  assert.equal(read('0.001').lamports, 1_000_000n);
  assert.match(read('0.5', 501_000_000n).problem!, /up to 0\.501 SOL from .* 0\.00166624 SOL of rent/);
  assert.equal(read('0.5', 501_666_240n).lamports, 500_000_000n);
  assert.equal(mostTopUp(501_666_240n, limits), 500_000_000n);
  assert.equal(mostTopUp(2_000_000_000n, limits), 2_000_000_000n);
  assert.equal(mostTopUp(1_000n, limits), 0n);
  assert.equal(read('9', null).lamports, 9_000_000_000n);
  assert.equal(read('').problem, null);
});

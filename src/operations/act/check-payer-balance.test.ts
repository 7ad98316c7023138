import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { guidanceText } from '../../../test/support/guidance-text.ts';
import { AppError } from '../../kernel/app-error.ts';
import { checkPayer, type PayerDemand } from './check-payer-balance.ts';

const SYSTEM = '11111111111111111111111111111111' as Address;
const STAKE = 'Stake11111111111111111111111111111111111111' as Address;
const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2' as Address;
const SOL = 1_000_000_000n;
const RENT = 890_880n;
const FEE = 5_000n;

const walletWith = (lamports: bigint) => ({
  address: WALLET,
  owner: SYSTEM,
  lamports,
  data: new Uint8Array(),
});

const demand = (overrides: Partial<PayerDemand>): PayerDemand => ({
  wallet: WALLET,
  account: walletWith(10n * SOL),
  spendLamports: 0n,
  feeLamports: FEE,
  reserveLamports: 0n,
  walletRentLamports: RENT,
  ...overrides,
});

const refusalOf = (overrides: Partial<PayerDemand>): AppError => {
  try {
    checkPayer(demand(overrides));
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error;
  }
  return assert.fail('the payer should have been refused');
};

const stakeOf2 = { spendLamports: 2n * SOL, feeLamports: 10_000n, reserveLamports: 5_000_000n };
const donation = { spendLamports: SOL / 100n };

const cases: readonly {
  readonly name: string;
  readonly request: Partial<PayerDemand>;
  readonly balance: bigint;
  readonly shortfall: bigint;
}[] = [
  {
    name: 'a stake of everything above the reserve',
    request: stakeOf2,
    balance: 2n * SOL + 5_000_000n,
    shortfall: 0n,
  },
  { name: 'a stake one lamport short', request: stakeOf2, balance: 2n * SOL + 4_999_999n, shortfall: 1n },
  { name: 'a stake from an empty wallet', request: stakeOf2, balance: 0n, shortfall: 2n * SOL + 5_000_000n },
  { name: 'an unstake that leaves the rent', request: {}, balance: RENT + FEE, shortfall: 0n },
  {
    name: 'an unstake that would leave less than rent',
    request: {},
    balance: RENT + FEE - 1n,
    shortfall: 1n,
  },
  {
    name: 'an unstake from an empty wallet, which cannot hold just the 5,000 lamports of the fee',
    request: {},
    balance: RENT,
    shortfall: FEE,
  },
  {
    name: 'an unstake from an empty wallet, which could not receive 5,000 lamports alone',
    request: {},
    balance: 0n,
    shortfall: RENT + FEE,
  },
  {
    name: 'a donation of everything but the fee',
    request: donation,
    balance: SOL / 100n + FEE,
    shortfall: 0n,
  },
  { name: 'a donation one lamport short', request: donation, balance: SOL / 100n + FEE - 1n, shortfall: 1n },
  {
    name: 'a donation that leaves a little',
    request: donation,
    balance: SOL / 100n + FEE + 1n,
    shortfall: RENT - 1n,
  },
  {
    name: 'a donation that leaves the rent',
    request: donation,
    balance: SOL / 100n + FEE + RENT,
    shortfall: 0n,
  },
];

for (const { name, request, balance, shortfall } of cases) {
  test(`${name}: the error reports ${shortfall} missing lamports, and exactly that much more is enough`, () => {
    const funded = { ...request, account: walletWith(balance + shortfall) };
    checkPayer(demand(funded));
    if (shortfall === 0n) return;
    const account = balance === 0n ? null : walletWith(balance);
    const refusal = refusalOf({ ...request, account });
    assert.equal(refusal.code, 'INSUFFICIENT_BALANCE');
    assert.equal(refusal.body.shortfallSol, Number(shortfall) / 1e9);
    assert.equal(refusal.body.balanceSol, Number(balance) / 1e9);
    assert.match(
      guidanceText(refusal.suggestedAction),
      new RegExp(`^Fund ${WALLET} with at least [0-9.]+ more SOL`),
    );
    const lessThanThat = refusalOf({ ...request, account: walletWith(balance + shortfall - 1n) });
    assert.equal(lessThanThat.body.shortfallSol, 1e-9, 'one lamport less is not enough');
  });
}

test('the refusal of a stake that is too large names the largest possible stake, which then passes the check', () => {
  const account = walletWith(3n * SOL);
  // With a priority fee, the reserve alone may not cover the fee and the rent-exempt minimum.
  for (const feeLamports of [10_000n, 4_500_000n]) {
    const request = { ...stakeOf2, account, feeLamports, spendLamports: 4n * SOL };
    const refusal = refusalOf({ ...request, minimumSpendLamports: SOL });
    const most = BigInt(refusal.body.availableToStakeLamports as number);
    assert.equal(refusal.body.availableToStake, Number(most) / 1e9);
    assert.equal(refusal.reason, 'WALLET_SHORT_OF_AMOUNT');
    assert.match(
      guidanceText(refusal.suggestedAction),
      /^Stake at most 2\.99\d* SOL\. Or fund .* 1\.00\d* more/,
    );
    checkPayer(demand({ ...request, spendLamports: most }));
    assert.throws(() => checkPayer(demand({ ...request, spendLamports: most + 1n })));
  }
});

test('the refusal suggests no amount if the wallet cannot afford even the minimum stake', () => {
  const { body, reason } = refusalOf({
    ...stakeOf2,
    account: walletWith(SOL + 4_999_999n),
    minimumSpendLamports: SOL,
  });
  assert.deepEqual([reason, body.availableToStakeLamports], ['WALLET_SHORT_OF_MINIMUM', 0]);
});

test('the refusal for an empty wallet states the amounts that this stake and the smallest stake need', () => {
  const { suggestedAction } = refusalOf({ ...stakeOf2, account: null, minimumSpendLamports: SOL });
  assert.match(
    guidanceText(suggestedAction),
    /^Fund \S+ with at least 2\.005 more SOL for this stake, then try again\. The smallest possible stake, 1 SOL, needs a balance of 1\.005 SOL\.$/,
  );
});

test('without a reserve, as with a fee payer, the refusal allows stakes that empty the wallet', () => {
  const sponsored = { ...stakeOf2, feeLamports: 0n, reserveLamports: 0n, minimumSpendLamports: SOL };
  const short = refusalOf({ ...sponsored, account: walletWith(SOL - 1n) });
  assert.match(guidanceText(short.suggestedAction), / 1 SOL, needs a balance of 1 SOL\.$/);
  const enough = { ...sponsored, account: walletWith(SOL + 5n) };
  const { body, reason } = refusalOf(enough);
  const most = BigInt(body.availableToStakeLamports as number);
  assert.deepEqual([reason, most], ['WALLET_SHORT_OF_AMOUNT', SOL + 5n]);
  checkPayer(demand({ ...enough, spendLamports: most }));
});

test('the amounts in the message add up to the shortfall', () => {
  const { message } = refusalOf({ ...stakeOf2, account: walletWith(SOL) });
  assert.equal(
    message,
    'The wallet holds 1 SOL, which does not cover 2 SOL to move plus 0.005 SOL fee reserve: 1.005 SOL short.',
  );
  const empty = refusalOf({ account: null }).message;
  assert.match(
    empty,
    /0\.000005 SOL network fee plus 0\.00089088 SOL rent-exempt minimum.*: 0\.00089588 SOL short/,
  );
});

for (const [name, account] of [
  ['an account that a program owns', { ...walletWith(10n * SOL), owner: STAKE }],
  ['a System account with data, such as a nonce', { ...walletWith(10n * SOL), data: new Uint8Array(80) }],
] as const) {
  test(`${name} cannot pay, whatever its balance`, () => {
    assert.equal(refusalOf({ account }).code, 'WALLET_CANNOT_PAY');
  });
}

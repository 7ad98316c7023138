// VAT-1: a validator loses admission in exactly the predicted epoch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admissionOutlook } from '../../src/domain/validator/admission.ts';
import { seededRandom } from '../support/seeded-random.ts';

const DRAWS = process.env.HOLDFAST_TEST_FULL === '1' ? 1_000_000 : 20_000;

/**
 * Simulates the epoch boundaries of SIMD-0357. At the start of epoch E, either the ticket for E + 1 is paid or
 * the account is excluded from E + 1. Returns the first excluded epoch.
 */
const firstExclusion = (
  { balance, rent, ticket, bls }: { balance: bigint; rent: bigint; ticket: bigint; bls: boolean },
  epoch: bigint,
): bigint => {
  let left = balance;
  for (let started = epoch + 1n; ; started += 1n) {
    if (!bls || left - rent < ticket) return started + 1n;
    left -= ticket;
  }
};

test(`VAT-1: for ${DRAWS} random balances, tickets and epochs, the first epoch without admission is the predicted one`, () => {
  const random = seededRandom(1);
  const lamports = (most: number): bigint => BigInt(Math.floor(random() * most));
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const ticket = 1n + lamports(2e9);
    const rent = lamports(3e7);
    const near = [-1n, 0n, 1n][Math.floor(random() * 3)]!;
    const balance = random() < 0.5 ? lamports(5e10) : rent + ticket * lamports(30) + near;
    const bls = random() < 0.9;
    const epoch = lamports(2_000);
    const outlook = admissionOutlook({
      balanceLamports: balance,
      rentLamports: rent,
      ticketLamports: ticket,
      hasBlsKey: bls,
      epoch,
    });
    assert.equal(
      outlook.excludedFromEpoch,
      firstExclusion({ balance, rent, ticket, bls }, epoch),
      JSON.stringify({ draw, balance: String(balance), rent: String(rent), ticket: String(ticket), bls }),
    );
    assert.equal(outlook.excludedFromEpoch - epoch - 2n, outlook.epochsLeft);
  }
});

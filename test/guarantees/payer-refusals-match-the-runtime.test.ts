// PAYER-1: a wallet that cannot pay is refused if and only if the runtime refuses it, to the lamport, at any
// rent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address, Instruction } from '@solana/kit';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { checkPayer } from '../../src/operations/act/check-payer-balance.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import * as build from '../support/truth-instructions.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';
import { TruthRuntime } from '../support/truth-runtime.ts';
import { VOTE_PROGRAM, voteAccountData } from '../support/truth-vote-account.ts';

const ROUNDS = process.env.HOLDFAST_TEST_FULL ? 20_000 : 1_500;
const SOL = 1_000_000_000n;
/** Fee per signature. A stake has two signatures: the wallet's and the new account's. */
const FEE = 5_000n;
const STAKE_BYTES = 200n;
const ACCOUNT_OVERHEAD_BYTES = 128n;
const YEARS_EXEMPT = 1n;

const key = (tag: number): Address => readAddressAt(new Uint8Array(32).fill(tag), 0);
const [wallet, stakeAccount, donationAddress, voteAccount, newStakeAccount] = [11, 12, 13, 14, 15].map(
  key,
) as [Address, Address, Address, Address, Address];

/** Picks one of the limits, or an amount within two lamports of it. */
const nearby = (random: TruthRandom, ...edges: bigint[]): bigint => {
  const amount = random.pick(edges) + BigInt(random.int(5) - 2);
  return amount < 0n ? 0n : amount;
};

const openRuntime = (): TruthRuntime => {
  const runtime = new TruthRuntime(wallet);
  runtime.enterEpoch(50n, 1_700_000_000n, () => ({
    effectiveLamports: 1_000_000n * SOL,
    activatingLamports: 0n,
    deactivatingLamports: 0n,
  }));
  return runtime;
};

interface Case {
  readonly balance: bigint;
  readonly rent: bigint;
  readonly spendLamports: bigint;
  readonly incomeLamports: bigint;
  readonly feeLamports: bigint;
  readonly kind: 'stake' | 'unstake' | 'withdraw' | 'donate';
  readonly instructions: readonly Instruction[];
}

/** Generates a stake that the Stake program accepts, so only the wallet's balance matters. */
const drawStake = (random: TruthRandom, perByte: bigint, rent: bigint): Case => {
  const feeLamports = 2n * FEE;
  const spendLamports = perByte * (STAKE_BYTES + ACCOUNT_OVERHEAD_BYTES) + SOL + BigInt(random.int(1_000));
  const emptied = spendLamports + feeLamports;
  const balance = nearby(random, spendLamports, emptied, emptied + rent / 2n, emptied + rent, emptied + SOL);
  const noLockup = { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM };
  const instructions = [
    build.createStake(wallet, newStakeAccount, spendLamports),
    build.initialize(newStakeAccount, wallet, wallet, noLockup),
    build.delegate(newStakeAccount, voteAccount, wallet),
  ];
  return { balance, rent, kind: 'stake', instructions, feeLamports, spendLamports, incomeLamports: 0n };
};

const draw = (random: TruthRandom): Case => {
  const perByte = random.pick([500n, 6_960n, 12_000n]);
  const rent = perByte * YEARS_EXEMPT * ACCOUNT_OVERHEAD_BYTES;
  const balance = nearby(random, 0n, FEE, 2n * FEE, rent / 2n, rent, rent + FEE, 2n * rent + FEE, 3n * rent);
  const kind = random.pick(['stake', 'unstake', 'withdraw', 'donate'] as const);
  if (kind === 'stake') return drawStake(random, perByte, rent);
  const moved = nearby(random, 1n, balance - FEE, balance - FEE - rent, rent, rent - FEE, 2n * rent, SOL);
  const lamports = moved > 0n ? moved : 1n;
  const instruction = {
    unstake: build.deactivate(stakeAccount, wallet),
    withdraw: build.withdraw(stakeAccount, wallet, lamports),
    donate: build.transfer(wallet, donationAddress, lamports),
  }[kind];
  return {
    balance,
    rent,
    kind,
    instructions: [instruction],
    feeLamports: FEE,
    spendLamports: kind === 'donate' ? lamports : 0n,
    incomeLamports: kind === 'withdraw' ? lamports : 0n,
  };
};

const setScene = (
  runtime: TruthRuntime,
  { balance, rent, incomeLamports }: Case,
  accountLamports = balance,
) => {
  runtime.setRentPerByte(rent / ACCOUNT_OVERHEAD_BYTES);
  const plain = (address: Address, lamports: bigint) =>
    runtime.setAccount({ address, owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array() });
  plain(wallet, accountLamports);
  plain(donationAddress, SOL);
  plain(newStakeAccount, 0n);
  runtime.setAccount({
    address: voteAccount,
    owner: VOTE_PROGRAM,
    lamports: SOL,
    data: voteAccountData(new Uint8Array(32).fill(14)),
  });
  runtime.setAccount({
    address: stakeAccount,
    owner: STAKE_PROGRAM,
    lamports: 10n * SOL,
    data: stakeAccountBytes({
      wallet,
      delegation: {
        voteAccount,
        stakeLamports: 5n * SOL,
        activationEpoch: 10n,
        ...(incomeLamports > 0n ? { deactivationEpoch: 20n } : {}),
      },
    }),
  });
};

/** Returns the shortfall that Holdfast reports, or 0 if the wallet can pay. */
const shortfallOf = (each: Case, balance: bigint): bigint => {
  const data = new Uint8Array();
  const account = balance === 0n ? null : { address: wallet, owner: SYSTEM_PROGRAM, lamports: balance, data };
  const { spendLamports, incomeLamports, feeLamports, rent } = each;
  try {
    checkPayer({
      wallet,
      account,
      spendLamports,
      incomeLamports,
      feeLamports,
      reserveLamports: 0n,
      walletRentLamports: rent,
    });
    return 0n;
  } catch (error) {
    assert.ok(isAppError(error, 'INSUFFICIENT_BALANCE'), String(error));
    return BigInt(Math.round(Number(error.body.shortfallSol) * 1e9));
  }
};

/**
 * Returns true for a wallet below its rent-exempt minimum whose withdrawal does not exceed the fee.
 * Validators compare its final balance with the balance after the fee, and this runtime with the balance
 * before it. Holdfast applies the stricter rule.
 */
const isJudgedDifferently = ({ balance, rent, incomeLamports }: Case): boolean =>
  balance < rent && incomeLamports > 0n && incomeLamports <= FEE && balance - FEE + incomeLamports < rent;

test(`PAYER-1 among ${ROUNDS} wallets with balances at or near a limit, Holdfast refuses exactly those that the runtime refuses`, (t) => {
  const runtime = openRuntime();
  const none = () => ({ paid: 0, short: 0 });
  const counts = { stake: none(), unstake: none(), withdraw: none(), donate: none() };
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const each = draw(createTruthRandom(seed));
    if (isJudgedDifferently(each)) continue;
    const says = shortfallOf(each, each.balance);
    setScene(runtime, each);
    const does = runtime.send(each.instructions);
    const facts = `seed ${seed}: balance ${each.balance}, rent ${each.rent}, out ${each.spendLamports}, in ${each.incomeLamports}`;
    assert.equal(says === 0n, does === null, `${facts}: we say ${says}, the runtime ${does}`);
    const tally = counts[each.kind];
    if (says === 0n) tally.paid += 1;
    else {
      tally.short += 1;
      assert.ok(says > 0n, facts);
      const funded = each.balance + says;
      assert.equal(shortfallOf(each, funded), 0n, facts);
      setScene(runtime, each, funded);
      assert.equal(runtime.send(each.instructions), null, `${facts}: ${says} more should be enough`);
    }
  }
  t.diagnostic(JSON.stringify(counts));
  for (const [kind, { paid, short }] of Object.entries(counts))
    assert.ok(paid > ROUNDS / 50 && short > ROUNDS / 50, `${kind}: ${paid} could pay, ${short} could not`);
});

// VERDICT-1: whatever is changed in a transaction, if the verifier still finds it as asked and the real programs carry it out, it did exactly that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address, Instruction } from '@solana/kit';
import { parseMessage } from '../../src/chain/transactions/wire-message.ts';
import { decodeStakeAccount, EPOCH_ABSENT } from '../../src/domain/stake/stake-account.ts';
import { addressAt } from '../../src/domain/stake/stake-account-base58.ts';
import { decodeInstruction } from '../../src/domain/transaction/instruction-decoder.ts';
import { networkFeeLamports } from '../../src/domain/transaction/instruction-fees.ts';
import { MEMO_PROGRAM, STAKE_PROGRAM } from '../../src/domain/transaction/instruction-programs.ts';
import { recogniseTransaction } from '../../src/domain/transaction/stake-verifier.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import * as build from '../support/truth-instructions.ts';
import { compileUnsigned, keyBytes } from '../support/truth-message.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';
import { TruthRuntime } from '../support/truth-runtime.ts';
import { voteAccountData } from '../support/truth-vote-account.ts';
import { mutated, type VerdictCast } from '../support/verdict-mutations.ts';

const SOL = 1_000_000_000n;
const ROUNDS = process.env.HOLDFAST_TEST_FULL ? 50_000 : 2_500;
const MEMO = 'example.org';
const EPOCH = 50n;
const MOVED = 3n * SOL;
const WALLET_LAMPORTS = 1_000n * SOL;
const SYSTEM = '11111111111111111111111111111111' as Address;
const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111' as Address;

const key = (tag: number): Address => addressAt(new Uint8Array(32).fill(tag), 0);
const cast: VerdictCast = {
  wallet: key(11),
  stranger: key(12),
  stakeAccount: key(13),
  newStakeAccount: key(14),
  strangersStakeAccount: key(15),
  voteAccount: key(16),
  otherVoteAccount: key(18),
  donationAddress: key(17),
};
const { wallet, stakeAccount, newStakeAccount, voteAccount, donationAddress } = cast;

const memo: Instruction = { programAddress: MEMO_PROGRAM, data: Buffer.from(MEMO) };
const none = { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM };
const asked = {
  stake: [
    build.createStake(wallet, newStakeAccount, MOVED),
    build.initialize(newStakeAccount, wallet, wallet, none),
    build.delegate(newStakeAccount, voteAccount, wallet),
    memo,
  ],
  unstake: [build.deactivate(stakeAccount, wallet), memo],
  withdraw: [build.withdraw(stakeAccount, wallet, MOVED), memo],
  donate: [build.transfer(wallet, donationAddress, MOVED), memo],
} as const;
type Kind = keyof typeof asked;
const kinds = Object.keys(asked) as Kind[];

const openRuntime = (): TruthRuntime => {
  const runtime = new TruthRuntime(wallet);
  for (const address of [voteAccount, cast.otherVoteAccount])
    runtime.setAccount({
      address,
      owner: VOTE_PROGRAM,
      lamports: 10n * SOL,
      data: voteAccountData(keyBytes(address)),
    });
  runtime.enterEpoch(EPOCH, 1_700_000_000n, () => ({
    effectiveLamports: 1_000_000n * SOL,
    activatingLamports: 0n,
    deactivatingLamports: 0n,
  }));
  return runtime;
};

/** The same world before every transaction: only a withdrawal meets a stake that has cooled down. */
const setScene = (runtime: TruthRuntime, kind: Kind): void => {
  const plain = (address: Address, lamports: bigint) =>
    runtime.setAccount({ address, owner: SYSTEM, lamports, data: new Uint8Array() });
  const stake = (address: Address, owner: Address) =>
    runtime.setAccount({
      address,
      owner: STAKE_PROGRAM,
      lamports: 10n * SOL,
      data: stakeAccountBytes({
        wallet: owner,
        delegation: {
          voteAccount,
          stakeLamports: 9n * SOL,
          activationEpoch: 10n,
          deactivationEpoch: kind === 'withdraw' ? 20n : EPOCH_ABSENT,
        },
      }),
    });
  plain(wallet, WALLET_LAMPORTS);
  plain(cast.stranger, SOL);
  plain(donationAddress, SOL);
  plain(newStakeAccount, 0n);
  stake(stakeAccount, wallet);
  stake(cast.strangersStakeAccount, cast.stranger);
};

const balances = (runtime: TruthRuntime): ReadonlyMap<Address, bigint> =>
  new Map(Object.values(cast).map((address) => [address, runtime.account(address)?.lamports ?? 0n]));

const read = (runtime: TruthRuntime, address: Address) => {
  const account = runtime.account(address);
  return account && decodeStakeAccount(account);
};

/** What each kind may have moved, the fee aside. */
const MOVES: Record<Kind, Partial<Record<Address, bigint>>> = {
  stake: { [wallet]: -MOVED, [newStakeAccount]: MOVED },
  unstake: {},
  withdraw: { [wallet]: MOVED, [stakeAccount]: -MOVED },
  donate: { [wallet]: -MOVED, [donationAddress]: MOVED },
};

const checkStakes = (runtime: TruthRuntime, kind: Kind): void => {
  const kept = read(runtime, stakeAccount)!;
  assert.deepEqual(
    [kept.stakeAuthority, kept.withdrawAuthority, kept.lockup, kept.delegation!.voteAccount],
    [wallet, wallet, none, voteAccount],
  );
  assert.equal(
    kept.delegation!.deactivationEpoch,
    { stake: EPOCH_ABSENT, unstake: EPOCH, withdraw: 20n, donate: EPOCH_ABSENT }[kind],
  );
  if (kind !== 'stake') return;
  const made = read(runtime, newStakeAccount)!;
  assert.deepEqual(
    [made.stakeAuthority, made.withdrawAuthority, made.lockup, made.delegation!.voteAccount],
    [wallet, wallet, none, voteAccount],
  );
  assert.deepEqual(
    [made.delegation!.activationEpoch, made.delegation!.deactivationEpoch],
    [EPOCH, EPOCH_ABSENT],
  );
};

/** Whether the verifier found `instructions` to be what was asked for, and the most that they may then cost. */
const verdictOn = (instructions: readonly Instruction[], kind: Kind) => {
  const { messageBytes } = compileUnsigned(wallet, instructions);
  const message = parseMessage(messageBytes as unknown as Uint8Array);
  const decoded = message.instructions.map(decodeInstruction);
  const seen = recogniseTransaction(
    { feePayer: wallet, requiredSigners: message.requiredSigners, instructions: decoded },
    {
      ...{ wallet, voteAccount, donationAddress, memo: MEMO },
      ...(kind === 'donate' ? {} : { stakeAccount: kind === 'stake' ? newStakeAccount : stakeAccount }),
      ...(kind === 'unstake' ? {} : { lamports: MOVED }),
    },
  );
  return {
    ok: seen.ok && seen.kind === kind,
    mostFeeLamports: networkFeeLamports(message.requiredSigners.length, decoded),
  };
};

type End = 'refused by the verifier' | 'refused by the chain' | 'as asked';

const judge = (runtime: TruthRuntime, kind: Kind, instructions: readonly Instruction[]): End => {
  const { ok, mostFeeLamports } = verdictOn(instructions, kind);
  if (!ok) return 'refused by the verifier';
  setScene(runtime, kind);
  const before = balances(runtime);
  if (runtime.send(instructions) !== null) return 'refused by the chain';
  const after = balances(runtime);
  for (const address of Object.values(cast)) {
    const moved = after.get(address)! - before.get(address)! - (MOVES[kind][address] ?? 0n);
    if (address === wallet) assert.ok(-moved <= mostFeeLamports && moved <= -5_000n, `fee ${-moved}`);
    else assert.equal(moved, 0n, address);
  }
  checkStakes(runtime, kind);
  return 'as asked';
};

const changed = (random: TruthRandom) => {
  const kind = random.pick(kinds);
  return { kind, instructions: mutated(asked[kind], cast, random) };
};

test('VERDICT-1 the transactions themselves are found as asked, and do it', () => {
  const runtime = openRuntime();
  for (const kind of kinds) assert.equal(judge(runtime, kind, asked[kind]), 'as asked', kind);
});

test(`VERDICT-1 ${ROUNDS} changed transactions: none passes the verifier and does anything else`, (t) => {
  const runtime = openRuntime();
  const ends = new Map<End, number>();
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const { kind, instructions } = changed(createTruthRandom(seed));
    try {
      const end = judge(runtime, kind, instructions);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    } catch (error) {
      throw new Error(`seed ${seed}, ${kind}: ${String(error)}`, { cause: error });
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(ends)));
  assert.ok((ends.get('as asked') ?? 0) > ROUNDS / 60);
});

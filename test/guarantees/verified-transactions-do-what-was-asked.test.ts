// VERDICT-1: if the verifier accepts a transaction after any change by a service or a wallet, and the real
// programs execute it, it has exactly the requested effects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { parseMessage } from '../../src/chain/transactions/wire-message.ts';
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM, STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { decodeStakeAccount, EPOCH_ABSENT } from '../../src/domain/stake/stake-account.ts';
import { decodeInstruction } from '../../src/domain/transaction/instruction-decoder.ts';
import { networkFeeLamports } from '../../src/domain/transaction/instruction-fees.ts';
import { recogniseTransaction } from '../../src/domain/transaction/stake-verifier.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import * as build from '../support/truth-instructions.ts';
import { compileUnsigned, keyBytes } from '../support/truth-message.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';
import { TruthRuntime } from '../support/truth-runtime.ts';
import { VOTE_PROGRAM, voteAccountData } from '../support/truth-vote-account.ts';
import { mutated, recast, type VerdictCast } from '../support/verdict-mutations.ts';

const SOL = 1_000_000_000n;
const ROUNDS = process.env.HOLDFAST_TEST_FULL ? 50_000 : 2_500;
const MEMO = 'example.org';
const EPOCH = 50n;
const MOVED = 3n * SOL;
const WALLET_LAMPORTS = 1_000n * SOL;
const SYSTEM = '11111111111111111111111111111111' as Address;

const key = (tag: number): Address => readAddressAt(new Uint8Array(32).fill(tag), 0);
const cast: VerdictCast = {
  wallet: key(11),
  outsider: key(12),
  stakeAccount: key(13),
  newStakeAccount: key(14),
  outsidersStakeAccount: key(15),
  voteAccount: key(16),
  otherVoteAccount: key(18),
  donationAddress: key(17),
  nonceAccount: key(19),
  outsidersNonceAccount: key(20),
  sponsor: key(21),
};
const { wallet, stakeAccount, newStakeAccount, voteAccount, donationAddress, nonceAccount } = cast;

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

/** A nonce account: version 1, initialized, authority, any value, fee per signature. */
const nonceBytes = (authority: Address): Uint8Array =>
  Uint8Array.from([
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    ...keyBytes(authority),
    ...keyBytes(key(99)),
    136,
    19,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);

/** Sets up the same world before every transaction; only a withdrawal has an inactive stake. */
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
  plain(cast.outsider, SOL);
  plain(cast.sponsor, SOL);
  plain(donationAddress, SOL);
  plain(newStakeAccount, 0n);
  const nonce = (address: Address, authority: Address) =>
    runtime.setAccount({ address, owner: SYSTEM, lamports: SOL, data: nonceBytes(authority) });
  nonce(nonceAccount, wallet);
  nonce(cast.outsidersNonceAccount, cast.outsider);
  stake(stakeAccount, wallet);
  stake(cast.outsidersStakeAccount, cast.outsider);
};

const balances = (runtime: TruthRuntime): ReadonlyMap<Address, bigint> =>
  new Map(Object.values(cast).map((address) => [address, runtime.account(address)?.lamports ?? 0n]));

const read = (runtime: TruthRuntime, address: Address) => {
  const account = runtime.account(address);
  return account && decodeStakeAccount(account);
};

/** Allowed balance changes of each kind, without the fee. */
const MOVES: Record<Kind, Partial<Record<Address, bigint>>> = {
  stake: { [wallet]: -MOVED, [newStakeAccount]: MOVED },
  unstake: {},
  withdraw: { [wallet]: MOVED, [stakeAccount]: -MOVED },
  donate: { [wallet]: -MOVED, [donationAddress]: MOVED },
};

const checkStakes = (runtime: TruthRuntime, kind: Kind): void => {
  const staked = read(runtime, stakeAccount)!;
  assert.deepEqual(
    [staked.stakeAuthority, staked.withdrawAuthority, staked.lockup, staked.delegation!.voteAccount],
    [wallet, wallet, none, voteAccount],
  );
  assert.equal(
    staked.delegation!.deactivationEpoch,
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

/** A transaction to sign, or one claimed to be the signed one. */
interface Offered {
  readonly kind: Kind;
  readonly instructions: readonly Instruction[];
  readonly payer: Address;
  /** Number of accounts in a lookup table of a version 0 transaction; null for a legacy message. */
  readonly lookups: number | null;
  /**
   * The service's bytes before signing, or those that a wallet returned: only the latter may contain guards
   * and a priority fee.
   */
  readonly from: 'service' | 'wallet';
  /** True if the request names the wallet's nonce account. */
  readonly hasNonce: boolean;
  /** True if the request names the sponsor as fee payer. */
  readonly hasSponsor: boolean;
}

const offer = (kind: Kind, change: Partial<Offered> = {}): Offered => ({
  kind,
  instructions: asked[kind],
  payer: wallet,
  lookups: null,
  from: 'service',
  hasNonce: false,
  hasSponsor: false,
  ...change,
});

const messageOf = ({ instructions, payer, lookups }: Offered): Uint8Array => {
  const legacy = compileUnsigned(payer, instructions).messageBytes as unknown as Uint8Array;
  if (lookups === null) return legacy;
  const table = [...keyBytes(cast.outsider), lookups, ...Array(lookups).keys(), 0];
  return Uint8Array.from([0x80, ...legacy, ...(lookups === 0 ? [0] : [1, ...table])]);
};

/** Whether the verifier accepted it as requested, and its maximum cost. */
const verdictOn = (offered: Offered) => {
  const { kind, from } = offered;
  const message = parseMessage(messageOf(offered));
  const decoded = message.instructions.map(decodeInstruction);
  const seen = recogniseTransaction(
    {
      feePayer: message.requiredSigners[0]!,
      requiredSigners: message.requiredSigners,
      instructions: decoded,
      hasLookups: message.hasLookups,
    },
    {
      wallet,
      voteAccount,
      donationAddress,
      memo: MEMO,
      ...(offered.hasNonce && { nonceAccount }),
      ...(offered.hasSponsor && { feePayer: cast.sponsor }),
      ...(from === 'service' ? { maxPriorityFeeLamports: 0n } : { allowWalletGuards: true }),
      ...(kind === 'donate' ? {} : { stakeAccount: kind === 'stake' ? newStakeAccount : stakeAccount }),
      ...(kind === 'unstake' ? {} : { lamports: MOVED }),
    },
  );
  return {
    ok: seen.ok && seen.kind === kind,
    mostFeeLamports: networkFeeLamports(message.requiredSigners.length, decoded),
  };
};

type End =
  | 'refused by the verifier'
  | 'refused by the chain'
  | 'as requested'
  | 'as asked, guarded'
  | 'as asked, paid by the sponsor'
  | 'as asked, with a nonce'
  | 'as asked, with a nonce and guarded'
  | 'as asked, under another memo program';

/** Lighthouse is not installed here. According to its published interface, these instructions only assert. */
const ONLY_ASSERTS: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17];
const isGuard = ({ programAddress }: Instruction): boolean => programAddress === LIGHTHOUSE_PROGRAM;

const checkGuards = ({ kind, instructions, from, payer }: Offered): void => {
  const guards = instructions.filter(isGuard);
  assert.ok(from === 'wallet' || guards.length === 0, 'a guard before any wallet had it');
  const own: readonly string[] = asked[kind].flatMap(({ accounts = [] }: Instruction) =>
    accounts.filter(({ role }) => role !== AccountRole.READONLY).map(({ address }) => address),
  );
  for (const { accounts = [], data = [] } of guards) {
    assert.ok(ONLY_ASSERTS.includes(data[0]!), `Lighthouse instruction ${data[0]}`);
    for (const { address, role } of accounts)
      assert.ok(
        role === AccountRole.READONLY || [wallet, payer].includes(address) || own.includes(address),
        address,
      );
  }
};

/** The nonce account that the runtime takes the lifetime from: it reads only the start of the first instruction. */
const lifetimeNonceOf = (offered: Offered): Address | null => {
  const [first] = parseMessage(messageOf(offered)).instructions;
  const [account] = first?.accounts ?? [];
  const isAdvance =
    first?.programId === SYSTEM && Buffer.from(first.data.slice(0, 4)).equals(Buffer.from([4, 0, 0, 0]));
  return isAdvance && account?.writable ? account.address : null;
};

const judge = (runtime: TruthRuntime, offered: Offered): End => {
  const { kind, instructions } = offered;
  const { ok, mostFeeLamports } = verdictOn(offered);
  if (!ok) return 'refused by the verifier';
  const payer = offered.hasSponsor ? cast.sponsor : wallet;
  assert.equal(offered.payer, payer, 'another fee payer');
  assert.equal(offered.lookups ?? 0, 0, 'lookup tables');
  checkGuards(offered);
  assert.equal(lifetimeNonceOf(offered), offered.hasNonce ? nonceAccount : null, 'the lifetime');
  setScene(runtime, kind);
  const before = balances(runtime);
  // Assertions change nothing, whether they hold or not.
  if (
    runtime.run(
      instructions.filter((instruction) => !isGuard(instruction)),
      payer,
    ) !== null
  )
    return 'refused by the chain';
  const after = balances(runtime);
  for (const address of Object.values(cast)) {
    const moved = after.get(address)! - before.get(address)! - (MOVES[kind][address] ?? 0n);
    if (address === payer) assert.ok(-moved <= mostFeeLamports && moved <= -5_000n, `fee ${-moved}`);
    else assert.equal(moved, 0n, address);
  }
  checkStakes(runtime, kind);
  const nonce = runtime.account(nonceAccount)!;
  assert.deepEqual(nonce.data.slice(8, 40), keyBytes(wallet), 'the authority of the nonce account');
  if (offered.hasSponsor) return 'as asked, paid by the sponsor';
  if (offered.hasNonce)
    return instructions.some(isGuard) ? 'as asked, with a nonce and guarded' : 'as asked, with a nonce';
  if (instructions.some(isGuard)) return 'as asked, guarded';
  return instructions.some(({ programAddress }) => programAddress === MEMO_PROGRAM)
    ? 'as requested'
    : 'as asked, under another memo program';
};

const changed = (random: TruthRandom): Offered => {
  const kind = random.pick(kinds);
  const hasNonce = random.chance(0.3);
  const original = hasNonce ? [build.advanceNonce(nonceAccount, wallet), ...asked[kind]] : asked[kind];
  const somebody = random.pick([cast.outsider, stakeAccount, newStakeAccount, donationAddress]);
  const [instructions, payer] = random.pick([
    ...Array(16).fill([mutated(original, cast, random), wallet]),
    [mutated(original, cast, random), somebody],
    [original, somebody],
    [original, wallet],
    [recast(original, wallet, cast.outsider), cast.outsider],
  ]) as [readonly Instruction[], Address];
  const isSponsored = payer === wallet && random.chance(0.25);
  return offer(kind, {
    instructions,
    hasSponsor: random.int(20) === 0 ? !isSponsored : isSponsored,
    hasNonce: random.int(20) === 0 ? !hasNonce : hasNonce,
    payer: isSponsored ? cast.sponsor : payer,
    lookups: random.int(10) === 0 ? random.int(3) : null,
    from: random.pick(['service', 'wallet']),
  });
};

test('VERDICT-1 the unchanged transactions are accepted and have exactly the requested effects', () => {
  const runtime = openRuntime();
  for (const kind of kinds)
    for (const from of ['service', 'wallet'] as const)
      for (const lookups of [null, 0])
        assert.equal(judge(runtime, offer(kind, { from, lookups })), 'as requested', kind);
});

test(`VERDICT-1 ${ROUNDS} changed transactions: none passes the verifier with another effect`, (t) => {
  const runtime = openRuntime();
  const ends = new Map<End, number>();
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const offered = changed(createTruthRandom(seed));
    try {
      const end = judge(runtime, offered);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    } catch (error) {
      throw new Error(`seed ${seed}, ${offered.kind}: ${String(error)}`, { cause: error });
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(ends)));
  assert.ok((ends.get('as requested') ?? 0) > ROUNDS / 60);
  const guarded =
    (ends.get('as asked, guarded') ?? 0) + (ends.get('as asked, with a nonce and guarded') ?? 0);
  assert.ok(guarded > ROUNDS / 500, `${guarded} guarded`);
  assert.ok((ends.get('as asked, under another memo program') ?? 0) > 0);
  assert.ok((ends.get('as asked, with a nonce') ?? 0) > ROUNDS / 60);
  assert.ok((ends.get('as asked, with a nonce and guarded') ?? 0) > 0);
  assert.ok((ends.get('as asked, paid by the sponsor') ?? 0) > ROUNDS / 60);
});

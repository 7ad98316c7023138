// VERDICT-1: if the verifier accepts a transaction that a service or a wallet changed in any way, and the real
// programs execute it, the transaction has exactly the requested effects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountRole, type Address, createAddressWithSeed, type Instruction } from '@solana/kit';
import { parseMessage } from '../../src/chain/transactions/wire-message.ts';
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM, STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { decodeStakeAccount, EPOCH_ABSENT } from '../../src/domain/stake/stake-account.ts';
import { decodeInstruction } from '../../src/domain/transaction/instruction-decoder.ts';
import { networkFeeLamports } from '../../src/domain/transaction/instruction-fees.ts';
import { recognizeTransaction } from '../../src/domain/transaction/stake-verifier.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { nonceAccountBytes } from '../support/nonce-account-bytes.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { mutated, recast, type TransactionCast } from '../support/transaction-mutations.ts';
import * as build from '../support/truth-instructions.ts';
import { compileUnsigned, keyBytes } from '../support/truth-message.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';
import { TruthRuntime } from '../support/truth-runtime.ts';
import { VOTE_PROGRAM, voteAccountData } from '../support/truth-vote-account.ts';
import {
  drawnHeader,
  ENOUGH,
  unsignedVersion1,
  type Version1Header,
  version1MessageOf,
} from '../support/version-1-message.ts';

const SOL = 1_000_000_000n;
const ROUNDS = process.env.HOLDFAST_TEST_FULL ? 50_000 : 2_500;
const MEMO = 'example.org';
const EPOCH = 50n;
const MOVED = 3n * SOL;
const WALLET_LAMPORTS = 1_000n * SOL;
const SYSTEM = '11111111111111111111111111111111' as Address;

const key = (tag: number): Address => readAddressAt(new Uint8Array(32).fill(tag), 0);
const SEED = '0123456789abcdef'.repeat(2);
const derivedFrom = (base: Address): Promise<Address> =>
  createAddressWithSeed({ baseAddress: base, seed: SEED, programAddress: STAKE_PROGRAM });
const cast: TransactionCast = {
  wallet: key(11),
  outsider: key(12),
  seededStakeAccount: await derivedFrom(key(11)),
  outsidersSeededAccount: await derivedFrom(key(12)),
  stakeAccount: key(13),
  newStakeAccount: key(14),
  outsidersStakeAccount: key(15),
  voteAccount: key(16),
  otherVoteAccount: key(18),
  donationAddress: key(17),
  nonceAccount: key(19),
  outsidersNonceAccount: key(20),
  sponsor: key(21),
  agent: key(22),
};
const { wallet, stakeAccount, newStakeAccount, voteAccount, donationAddress, nonceAccount } = cast;
const { seededStakeAccount, outsidersSeededAccount, outsider } = cast;

const memo: Instruction = { programAddress: MEMO_PROGRAM, data: Buffer.from(MEMO) };
const none = { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM };
const asked = {
  stake: [
    build.createStake(wallet, newStakeAccount, MOVED),
    build.initialize(newStakeAccount, wallet, wallet, none),
    build.delegate(newStakeAccount, voteAccount, wallet),
    memo,
  ],
  'stake by seed': [
    build.createStakeBySeed(wallet, seededStakeAccount, MOVED, { seed: SEED }),
    build.initialize(seededStakeAccount, wallet, wallet, none),
    build.delegate(seededStakeAccount, voteAccount, wallet),
    memo,
  ],
  'stake for an agent': [
    build.createStake(wallet, newStakeAccount, MOVED),
    build.initialize(newStakeAccount, wallet, wallet, none),
    build.delegate(newStakeAccount, voteAccount, wallet),
    build.authorizeStaker(newStakeAccount, wallet, cast.agent),
    memo,
  ],
  unstake: [build.deactivate(stakeAccount, wallet), memo],
  withdraw: [build.withdraw(stakeAccount, wallet, MOVED), memo],
  donate: [build.transfer(wallet, donationAddress, MOVED), memo],
} as const;
type Kind = keyof typeof asked;
const kinds = Object.keys(asked) as Kind[];
const isNewStake = (kind: Kind): boolean => kind.startsWith('stake');
const newAccountOf = (kind: Kind): Address =>
  kind === 'stake by seed' ? seededStakeAccount : newStakeAccount;

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

/** Sets up the same accounts before every transaction. The stake is inactive only for a withdrawal. */
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
  for (const free of [newStakeAccount, seededStakeAccount, outsidersSeededAccount]) plain(free, 0n);
  const nonce = (address: Address, authority: Address) =>
    runtime.setAccount({ address, owner: SYSTEM, lamports: SOL, data: nonceAccountBytes(authority) });
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

/** Expected balance changes per kind, without the fee. */
const MOVES: Record<Kind, Partial<Record<Address, bigint>>> = {
  stake: { [wallet]: -MOVED, [newStakeAccount]: MOVED },
  'stake by seed': { [wallet]: -MOVED, [seededStakeAccount]: MOVED },
  'stake for an agent': { [wallet]: -MOVED, [newStakeAccount]: MOVED },
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
    { unstake: EPOCH, withdraw: 20n }[kind as string] ?? EPOCH_ABSENT,
  );
  if (!isNewStake(kind)) return;
  const made = read(runtime, newAccountOf(kind))!;
  assert.deepEqual(
    [made.stakeAuthority, made.withdrawAuthority, made.lockup, made.delegation!.voteAccount],
    [kind === 'stake for an agent' ? cast.agent : wallet, wallet, none, voteAccount],
  );
  assert.deepEqual(
    [made.delegation!.activationEpoch, made.delegation!.deactivationEpoch],
    [EPOCH, EPOCH_ABSENT],
  );
};

/** A transaction to sign, or one returned as signed. */
interface Offered {
  readonly kind: Kind;
  readonly instructions: readonly Instruction[];
  readonly payer: Address;
  /** Number of accounts in the lookup table of a version 0 transaction, or null for a legacy message. */
  readonly lookups: number | null;
  /** Header of a version 1 message, or null for other versions. */
  readonly header: Version1Header | null;
  /**
   * `service` for a transaction before signing, `wallet` for one that a wallet returned. Only a wallet may add
   * guards and a priority fee.
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
  header: null,
  from: 'service',
  hasNonce: false,
  hasSponsor: false,
  ...change,
});

const messageOf = ({ instructions, payer, lookups, header }: Offered): Uint8Array => {
  const legacy = compileUnsigned(payer, instructions).messageBytes as unknown as Uint8Array;
  if (header !== null) return version1MessageOf(legacy, header);
  if (lookups === null) return legacy;
  const table = [...keyBytes(cast.outsider), lookups, ...Array(lookups).keys(), 0];
  return Uint8Array.from([0x80, ...legacy, ...(lookups === 0 ? [0] : [1, ...table])]);
};

/** Returns the parsed message, or null if it is invalid. */
const readMessage = (offered: Offered) => {
  try {
    return parseMessage(messageOf(offered));
  } catch (error) {
    assert.ok(isAppError(error, 'INVALID_TRANSACTION'), String(error));
    return null;
  }
};

/** Returns whether the verifier accepts the transaction as requested, and the maximum fee. */
const checkResultOf = (offered: Offered) => {
  const { kind, from } = offered;
  const message = readMessage(offered);
  if (message === null) return { ok: false, mostFeeLamports: 0n };
  const decoded = message.instructions.map(decodeInstruction);
  const seen = recognizeTransaction(
    {
      feePayer: message.requiredSigners[0]!,
      requiredSigners: message.requiredSigners,
      instructions: decoded,
      hasLookups: message.hasLookups,
      headerBudget: message.headerBudget,
    },
    {
      wallet,
      voteAccount,
      donationAddress,
      memo: MEMO,
      ...(kind === 'stake for an agent' && { stakeAuthority: cast.agent }),
      ...(offered.hasNonce && { nonceAccount }),
      ...(offered.hasSponsor && { feePayer: cast.sponsor }),
      ...(from === 'service' ? { maxPriorityFeeLamports: 0n } : { allowWalletGuards: true }),
      ...(kind === 'donate' ? {} : { stakeAccount: isNewStake(kind) ? newAccountOf(kind) : stakeAccount }),
      ...(kind === 'unstake' ? {} : { lamports: MOVED }),
    },
  );
  return {
    ok: seen.ok && seen.kind === (isNewStake(kind) ? 'stake' : kind),
    mostFeeLamports: networkFeeLamports({ ...message, instructions: decoded }),
  };
};

type End =
  | 'refused by the verifier'
  | 'refused by the chain'
  | 'as requested'
  | 'as requested, in version 1'
  | 'as requested, guarded'
  | 'as requested, paid by the sponsor'
  | 'as requested, with a nonce'
  | 'as requested, with a nonce and guarded'
  | 'as requested, under another memo program';

/**
 * Instructions that only assert according to Lighthouse's published interface. Lighthouse is not installed
 * here.
 */
const ONLY_ASSERTS: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17];
const isGuard = ({ programAddress }: Instruction): boolean => programAddress === LIGHTHOUSE_PROGRAM;

const checkGuards = ({ kind, instructions, from, payer }: Offered): void => {
  const guards = instructions.filter(isGuard);
  assert.ok(from === 'wallet' || guards.length === 0, 'the wallet has not added its guards yet');
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

/**
 * Returns the nonce account that the runtime uses. The runtime reads only the start of the first instruction.
 */
const lifetimeNonceOf = (offered: Offered): Address | null => {
  const [first] = parseMessage(messageOf(offered)).instructions;
  const [account] = first?.accounts ?? [];
  const isAdvance =
    first?.programId === SYSTEM && Buffer.from(first.data.slice(0, 4)).equals(Buffer.from([4, 0, 0, 0]));
  return isAdvance && account?.writable ? account.address : null;
};

const runOffered = (runtime: TruthRuntime, offered: Offered) =>
  offered.header === null
    ? runtime.run(offered.instructions, offered.payer)
    : runtime.runWire(unsignedVersion1(messageOf(offered)));

const evaluate = (runtime: TruthRuntime, offered: Offered): End => {
  const { kind, instructions } = offered;
  const { ok, mostFeeLamports } = checkResultOf(offered);
  if (!ok) return 'refused by the verifier';
  const payer = offered.hasSponsor ? cast.sponsor : wallet;
  assert.equal(offered.payer, payer, 'another fee payer');
  if (offered.header === null) assert.equal(offered.lookups ?? 0, 0, 'lookup tables');
  checkGuards(offered);
  assert.equal(lifetimeNonceOf(offered), offered.hasNonce ? nonceAccount : null, 'the lifetime');
  setScene(runtime, kind);
  const before = balances(runtime);
  // Assertions have no effects, whether they pass or fail.
  const unguarded = instructions.filter((instruction) => !isGuard(instruction));
  if (runOffered(runtime, { ...offered, instructions: unguarded, payer }) !== null)
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
  if (offered.hasSponsor) return 'as requested, paid by the sponsor';
  if (offered.hasNonce)
    return instructions.some(isGuard)
      ? 'as requested, with a nonce and guarded'
      : 'as requested, with a nonce';
  if (instructions.some(isGuard)) return 'as requested, guarded';
  if (offered.header !== null) return 'as requested, in version 1';
  return instructions.some(({ programAddress }) => programAddress === MEMO_PROGRAM)
    ? 'as requested'
    : 'as requested, under another memo program';
};

const changed = (random: TruthRandom): Offered => {
  const kind = random.pick(kinds);
  const hasNonce = random.chance(0.3);
  const original = hasNonce ? [build.advanceNonce(nonceAccount, wallet), ...asked[kind]] : asked[kind];
  const somebody = random.pick([outsider, stakeAccount, newStakeAccount, donationAddress]);
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
    header: random.chance(0.25) ? drawnHeader(random) : null,
  });
};

test('VERDICT-1 the unchanged transactions are accepted and have exactly the requested effects', () => {
  const runtime = openRuntime();
  for (const kind of kinds)
    for (const from of ['service', 'wallet'] as const)
      for (const lookups of [null, 0])
        assert.equal(evaluate(runtime, offer(kind, { from, lookups })), 'as requested', kind);
  for (const kind of kinds)
    assert.equal(evaluate(runtime, offer(kind, { header: ENOUGH })), 'as requested, in version 1', kind);
});

test('VERDICT-1 a stake account derived from any base other than the wallet is refused, even if the base signs', () => {
  const runtime = openRuntime();
  const create = build.createStakeBySeed(wallet, outsidersSeededAccount, MOVED, {
    base: outsider,
    seed: SEED,
  });
  const instructions = [
    create,
    build.initialize(outsidersSeededAccount, wallet, wallet, none),
    build.delegate(outsidersSeededAccount, voteAccount, wallet),
    memo,
  ];
  setScene(runtime, 'stake by seed');
  assert.equal(runtime.run(instructions), null, 'the chain executes it');
  assert.equal(evaluate(runtime, offer('stake by seed', { instructions })), 'refused by the verifier');
});

test('VERDICT-1 a version 1 header with a different fee, without a required limit or with unknown bits is refused', () => {
  const runtime = openRuntime();
  for (const change of [
    { feeLamports: 1n },
    { computeUnits: null },
    { computeUnits: 0 },
    { loadedBytes: null },
    { loadedBytes: 0 },
    { heapBytes: 1 },
    { moreBits: 1 },
    { moreBits: 2 },
    { moreBits: 32 },
  ])
    assert.equal(
      evaluate(runtime, offer('stake', { header: { ...ENOUGH, ...change } })),
      'refused by the verifier',
      JSON.stringify(change, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
});

test(`VERDICT-1 none of ${ROUNDS} changed transactions passes the verifier with a different effect`, (t) => {
  const runtime = openRuntime();
  const ends = new Map<End, number>();
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const offered = changed(createTruthRandom(seed));
    try {
      const end = evaluate(runtime, offered);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    } catch (error) {
      throw new Error(`seed ${seed}, ${offered.kind}: ${String(error)}`, { cause: error });
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(ends)));
  assert.ok((ends.get('as requested') ?? 0) > ROUNDS / 60);
  const guarded =
    (ends.get('as requested, guarded') ?? 0) + (ends.get('as requested, with a nonce and guarded') ?? 0);
  assert.ok(guarded > ROUNDS / 500, `${guarded} guarded`);
  assert.ok((ends.get('as requested, under another memo program') ?? 0) > 0);
  assert.ok((ends.get('as requested, in version 1') ?? 0) > ROUNDS / 200);
  assert.ok((ends.get('as requested, with a nonce') ?? 0) > ROUNDS / 60);
  assert.ok((ends.get('as requested, with a nonce and guarded') ?? 0) > 0);
  assert.ok((ends.get('as requested, paid by the sponsor') ?? 0) > ROUNDS / 60);
});

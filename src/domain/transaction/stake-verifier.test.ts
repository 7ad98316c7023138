// The verifier accepts our own transactions and refuses every modified one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Address, createAddressWithSeed } from '@solana/kit';
import {
  Authorized,
  Keypair,
  Lockup,
  PublicKey,
  StakeProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { guardBytes, RECORDED_GUARDS, RECORDED_MEMORY } from '../../../test/support/recorded-guards.ts';
import { buildTransaction } from '../../chain/transactions/transaction.ts';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { textOf } from '../../kernel/sentence.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAMS,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
} from '../instruction-programs.ts';
import type { DecodedInstruction, InstructionFields, RawInstruction } from '../instruction-types.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import { NO_LOCKUP } from '../stake/stake-account.ts';
import { decodeInstruction } from './instruction-decoder.ts';
import type { HeaderBudget } from './instruction-fees.ts';
import type { KnownAccount } from './kind-record.ts';
import { type Expectations, type MessageFacts, recognizeTransaction } from './stake-verifier.ts';
import { kinds } from './transaction-kinds.ts';
import type { VerifierProblem } from './verifier-problems.ts';

const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [wallet, stakeAccount, voteAccount, donationAddress, outsider] = [11, 12, 13, 14, 15].map(key) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const expected: Expectations = { voteAccount, donationAddress, memo: 'example.org' };
const common = { wallet, memo: 'example.org', blockhash: key(16) };
const SEED = 'a'.repeat(32);
const seeded = await createAddressWithSeed({
  baseAddress: wallet,
  seed: SEED,
  programAddress: STAKE_PROGRAM,
});
const built = {
  'stake by seed': buildTransaction.stake({
    ...common,
    stakeAccount: seeded,
    seed: SEED,
    voteAccount,
    lamports: 5n,
  }),
  stake: buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 5n }),
  unstake: buildTransaction.unstake({ ...common, stakeAccount }),
  withdraw: buildTransaction.withdraw({ ...common, stakeAccount, lamports: 6n }),
  donate: buildTransaction.donate({ ...common, donationAddress, lamports: 7n }),
} satisfies Record<string, MessageFacts>;
type Kind = keyof typeof built;
const builtKinds = Object.keys(built) as Kind[];

/** Returns one of our transactions with fields of instruction `index` changed. */
const tampered = (kind: Kind, index: number, change: Record<string, unknown>): MessageFacts => {
  const facts = built[kind];
  const instructions = facts.instructions.map((instruction, i) =>
    i === index
      ? { ...instruction, data: { ...instruction.data, ...change } as InstructionFields }
      : instruction,
  );
  return { feePayer: facts.feePayer, requiredSigners: facts.requiredSigners, instructions };
};

const withInstructions = (
  kind: Kind,
  instructions: readonly DecodedInstruction<Address | null>[],
): MessageFacts => ({
  feePayer: built[kind].feePayer,
  requiredSigners: built[kind].requiredSigners,
  instructions,
});

const raw = (programId: Address, data: number[], accounts: RawInstruction['accounts'] = []) =>
  decodeInstruction({ programId, accounts, data: Uint8Array.from(data) });

/** Puts the stake transaction into a version 1 message. */
const withHeader = (
  change: Partial<HeaderBudget>,
  instructions: readonly DecodedInstruction<Address | null>[] = built.stake.instructions,
): MessageFacts => ({
  ...withInstructions('stake', instructions),
  headerBudget: {
    priorityFeeLamports: 1n,
    computeUnitLimit: 50_000,
    loadedAccountsDataBytes: 400_000,
    heapBytes: 32_768,
    ...change,
  },
});

const failedChecks = (facts: MessageFacts, wanted = expected): readonly VerifierProblem['check'][] => {
  const { ok, problems } = recognizeTransaction(facts, wanted);
  assert.equal(ok, problems.length === 0);
  return problems.map(({ check }) => check);
};

/**
 * Returns the stake transaction with an address derived from this base, which the other instructions use too.
 */
const derivedStake = async (base: Address, signers: readonly Address[]): Promise<MessageFacts> => {
  const account = await createAddressWithSeed({
    baseAddress: base,
    seed: SEED,
    programAddress: STAKE_PROGRAM,
  });
  const { instructions } = buildTransaction.stake({
    ...common,
    stakeAccount: account,
    seed: SEED,
    voteAccount,
    lamports: 5n,
  });
  const [create, ...rest] = instructions;
  const data = { ...create!.data, derivedFrom: { base, seed: SEED } } as InstructionFields;
  return { feePayer: wallet, requiredSigners: signers, instructions: [{ ...create!, data }, ...rest] };
};

describe('a stake whose address is derived from the wallet', () => {
  const found = (facts: MessageFacts) =>
    recognizeTransaction(facts, expected).problems.map(({ code }) => code);
  const create = built['stake by seed'];

  test('passes with only the wallet’s signature', () => {
    const seen = recognizeTransaction(create, expected);
    assert.deepEqual([seen.ok, seen.kind, seen.stakeAccount, seen.lamports], [true, 'stake', seeded, 5n]);
    assert.deepEqual(create.requiredSigners, [wallet]);
  });

  test('is refused if its address is derived from a different base, even if that base signs', async () => {
    assert.deepEqual(found(await derivedStake(wallet, [wallet])), []);
    assert.deepEqual(found(await derivedStake(outsider, [wallet])), ['DERIVED_FROM_OTHER']);
    assert.deepEqual(found(await derivedStake(outsider, [wallet, outsider])), [
      'DERIVED_FROM_OTHER',
      'UNEXPECTED_SIGNERS',
    ]);
  });

  for (const [name, change, codes] of [
    ['seed', { derivedFrom: { base: wallet, seed: 'b'.repeat(32) } }, ['NOT_ITS_SEEDS_ADDRESS']],
    ['seed, too long', { derivedFrom: { base: wallet, seed: 'a'.repeat(33) } }, ['NOT_ITS_SEEDS_ADDRESS']],
    ['address', { newAccount: stakeAccount }, ['CREATES_OTHER_ACCOUNT', 'NOT_ITS_SEEDS_ADDRESS']],
    ['address, hidden', { newAccount: null }, ['CREATES_OTHER_ACCOUNT', 'NOT_ITS_SEEDS_ADDRESS']],
    ['owner', { owner: SYSTEM_PROGRAM }, ['NOT_A_STAKE_ACCOUNT', 'NOT_ITS_SEEDS_ADDRESS']],
    ['size', { space: 201n }, ['NOT_A_STAKE_ACCOUNT']],
    ['payer', { from: outsider }, ['FUNDED_BY_OTHER']],
    ['kind of address', { derivedFrom: undefined }, ['UNEXPECTED_SIGNERS']],
  ] as const)
    test(`is refused with a different ${name}`, () => {
      assert.deepEqual(found(tampered('stake by seed', 0, change)), codes);
    });

  test('is refused if the account, which has no key, is a signer', () => {
    assert.deepEqual(
      found({ ...withInstructions('stake by seed', create.instructions), requiredSigners: [wallet, seeded] }),
      ['UNEXPECTED_SIGNERS'],
    );
  });

  test('a split into such an account follows the same rules', () => {
    const split = (change: Record<string, unknown>) => {
      const { instructions, ...facts } = buildTransaction.rearrange({
        ...common,
        operations: [
          { type: 'create', account: seeded, payer: wallet, lamports: 1_666_240n, seed: SEED },
          { type: 'split', account: stakeAccount, into: seeded, lamports: 9n, authority: wallet },
          { type: 'deactivate', account: seeded, authority: wallet },
        ],
      });
      const [first, ...rest] = instructions;
      const data = { ...first!.data, ...change } as InstructionFields;
      return found({ ...facts, instructions: [{ ...first!, data }, ...rest] });
    };
    assert.deepEqual(split({}), []);
    assert.deepEqual(split({ derivedFrom: { base: outsider, seed: SEED } }), [
      'DERIVED_FROM_OTHER',
      'NOT_ITS_SEEDS_ADDRESS',
    ]);
    assert.deepEqual(split({ lamports: 3_000_001n }), ['SPLIT_ABOVE_RENT']);
  });
});

describe('our own transactions are recognized', () => {
  test('a stake, with its account, amount and validator', () => {
    const seen = recognizeTransaction(built.stake, expected);
    assert.deepEqual(seen, {
      kind: 'stake',
      wallet,
      stakeAccount,
      voteAccount,
      lamports: 5n,
      hasOurMemo: true,
      extraInstructions: [],
      problems: [],
      ok: true,
    });
  });

  test('an unstake, a withdrawal and a donation, with their account, amount and recipient', () => {
    const rest = { wallet, hasOurMemo: true, extraInstructions: [], problems: [], ok: true };
    assert.deepEqual(recognizeTransaction(built.unstake, expected), {
      kind: 'unstake',
      stakeAccount,
      ...rest,
    });
    assert.deepEqual(recognizeTransaction(built.withdraw, expected), {
      kind: 'withdraw',
      stakeAccount,
      recipient: wallet,
      lamports: 6n,
      ...rest,
    });
    assert.deepEqual(recognizeTransaction(built.donate, expected), {
      kind: 'donate',
      recipient: donationAddress,
      lamports: 7n,
      ...rest,
    });
  });

  test('a withdrawal to the requested recipient that the custodian also signs', () => {
    const facts = buildTransaction.withdraw({
      ...common,
      stakeAccount,
      lamports: 6n,
      recipient: outsider,
      custodian: key(17),
    });
    assert.deepEqual(failedChecks(facts, { ...expected, recipient: outsider }), []);
    assert.deepEqual(failedChecks(facts), ['recipient']);
  });

  test('the older form with sysvar accounts that the legacy client builds', () => {
    const [payer, account] = [
      Keypair.fromSeed(new Uint8Array(32).fill(1)),
      Keypair.fromSeed(new Uint8Array(32).fill(2)),
    ];
    const memo = new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAM),
      keys: [],
      data: Buffer.from('example.org'),
    });
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: key(9) })
      .add(
        StakeProgram.createAccount({
          fromPubkey: payer.publicKey,
          stakePubkey: account.publicKey,
          authorized: new Authorized(payer.publicKey, payer.publicKey),
          lockup: new Lockup(0, 0, PublicKey.default),
          lamports: 5,
        }),
      )
      .add(
        StakeProgram.delegate({
          stakePubkey: account.publicKey,
          authorizedPubkey: payer.publicKey,
          votePubkey: new PublicKey(voteAccount),
        }),
      )
      .add(memo);
    transaction.sign(payer, account);
    const seen = recognizeTransaction(decodeWire(transaction.serialize()), expected);
    assert.deepEqual([seen.kind, seen.ok, seen.lamports, seen.problems], ['stake', true, 5n, []]);
  });

  const budget = [
    raw(COMPUTE_BUDGET_PROGRAM, [2, 64, 156, 0, 0]),
    raw(COMPUTE_BUDGET_PROGRAM, [3, 100, 0, 0, 0, 0, 0, 0, 0]),
  ];

  test('with compute budget instructions', () => {
    const facts = withInstructions('stake', [...budget, ...built.stake.instructions]);
    const seen = recognizeTransaction(facts, expected);
    assert.deepEqual(
      [seen.ok, seen.extraInstructions.map(({ known }) => known)],
      [true, ['compute-budget', 'compute-budget']],
    );
  });

  test('with the guards that wallets add, each of them listed', () => {
    const onWallet = { address: wallet, signer: true, writable: true };
    const onStake = { address: stakeAccount, signer: true, writable: true };
    const guards = RECORDED_GUARDS.map((guard, index) =>
      raw(LIGHTHOUSE_PROGRAM, [...guardBytes(guard)], [index === 1 ? onStake : onWallet]),
    );
    const facts = withInstructions('stake', [...budget, ...built.stake.instructions, ...guards]);
    const seen = recognizeTransaction(facts, { ...expected, allowWalletGuards: true });
    assert.deepEqual(seen.problems, []);
    assert.deepEqual(
      seen.extraInstructions.slice(budget.length).map(({ name, known }) => [name, known]),
      RECORDED_GUARDS.map(({ name }) => [name, 'wallet-guard']),
    );
    for (const { program, summary } of seen.extraInstructions) assert.ok(program && summary);
  });

  test('with the memo under any memo program', () => {
    for (const programId of MEMO_PROGRAMS) {
      const facts = withInstructions('unstake', [
        built.unstake.instructions[0]!,
        raw(programId, [...Buffer.from('example.org')]),
      ]);
      assert.deepEqual(failedChecks(facts), []);
      assert.deepEqual(
        failedChecks(facts, { ...expected, memoPrograms: [MEMO_PROGRAM] }),
        programId === MEMO_PROGRAM ? [] : ['memo'],
      );
    }
  });
});

describe('changed transactions fail with the reason', () => {
  test('wallet guards with bytes that no wallet would write', () => {
    for (const kind of builtKinds)
      for (const guard of RECORDED_GUARDS) {
        const facts = withInstructions(kind, [
          ...built[kind].instructions,
          raw(LIGHTHOUSE_PROGRAM, [...guardBytes(guard)]),
        ]);
        assert.deepEqual(failedChecks(facts), ['instructions'], `${kind} ${guard.name}`);
        assert.deepEqual(failedChecks(facts, { ...expected, allowWalletGuards: true }), [], guard.name);
      }
  });

  test('an extra instruction with an account that signs or is writable only for that instruction', () => {
    const wanted = { ...expected, allowWalletGuards: true };
    const takes = (address: Address | null, signer: boolean, writable: boolean) =>
      failedChecks(
        withInstructions('stake', [
          ...built.stake.instructions,
          decodeInstruction<Address | null>({
            programId: LIGHTHOUSE_PROGRAM,
            data: guardBytes(RECORDED_GUARDS[0]!),
            accounts: [{ address, signer, writable }],
          }),
        ]),
        wanted,
      );
    for (const address of [outsider, voteAccount, null]) {
      assert.deepEqual(takes(address, false, true), ['instructions'], String(address));
      assert.deepEqual(takes(address, true, false), ['instructions'], String(address));
    }
    assert.deepEqual(takes(outsider, false, false), []);
    assert.deepEqual(takes(stakeAccount, true, true), []);
  });

  const lockup = (change: object) => ({
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM, ...change },
  });
  const cases: [string, MessageFacts, VerifierProblem['check'][]][] = [
    ['stake authority', tampered('stake', 1, { staker: outsider }), ['stake-authority']],
    ['withdraw authority', tampered('stake', 1, { withdrawer: outsider }), ['withdraw-authority']],
    ['lockup time', tampered('stake', 1, lockup({ unixTimestamp: 1n })), ['lockup']],
    ['lockup epoch', tampered('stake', 1, lockup({ epoch: 1n })), ['lockup']],
    ['custodian', tampered('stake', 1, lockup({ custodian: outsider })), ['lockup']],
    ['validator', tampered('stake', 2, { voteAccount: outsider }), ['vote-account']],
    ['delegating authority', tampered('stake', 2, { stakeAuthority: outsider }), ['stake-authority']],
    ['funding account', tampered('stake', 0, { from: outsider }), ['sender']],
    ['owner of the new account', tampered('stake', 0, { owner: outsider }), ['create-account']],
    ['size of the new account', tampered('stake', 0, { space: 201n }), ['create-account']],
    ['account created', tampered('stake', 0, { newAccount: outsider }), ['stake-account']],
    ['account initialized', tampered('stake', 1, { stakeAccount: outsider }), ['stake-account']],
    ['memo of a stake', tampered('stake', 3, { text: 'example.org ' }), ['memo']],
    ['memo that is not text', tampered('stake', 3, { text: null }), ['memo']],
    ['unstaking authority', tampered('unstake', 0, { stakeAuthority: outsider }), ['stake-authority']],
    ['unknown stake account', tampered('unstake', 0, { stakeAccount: null }), ['stake-account']],
    [
      'withdrawing authority',
      tampered('withdraw', 0, { withdrawAuthority: outsider }),
      ['withdraw-authority'],
    ],
    ['recipient', tampered('withdraw', 0, { recipient: outsider }), ['recipient']],
    ['custodian that does not sign', tampered('withdraw', 0, { custodian: outsider }), ['signers']],
    [
      'withdrawal from an unknown account',
      tampered('withdraw', 0, { stakeAccount: null }),
      ['stake-account'],
    ],
    ['donor', tampered('donate', 0, { from: outsider }), ['sender']],
    ['donation address', tampered('donate', 0, { to: outsider }), ['kind', 'instructions']],
    [
      'another signer',
      { ...withInstructions('unstake', built.unstake.instructions), requiredSigners: [wallet, outsider] },
      ['signers'],
    ],
    [
      'another signer instead of the stake account',
      { ...withInstructions('stake', built.stake.instructions), requiredSigners: [wallet, outsider] },
      ['signers'],
    ],
    [
      'stake account that does not sign',
      { ...withInstructions('stake', built.stake.instructions), requiredSigners: [wallet] },
      ['signers'],
    ],
    [
      'lookup tables',
      { ...withInstructions('stake', built.stake.instructions), hasLookups: true },
      ['lookup-tables'],
    ],
    ['priority fee in the header', withHeader({ priorityFeeLamports: 10_000_001n }), ['priority-fee']],
    ['missing compute unit limit in the header', withHeader({ computeUnitLimit: 0 }), ['priority-fee']],
    [
      'missing account data limit in the header',
      withHeader({ loadedAccountsDataBytes: 0 }),
      ['priority-fee'],
    ],
    [
      'priority fee in a version 1 message, set by an instruction',
      withHeader({}, [raw(COMPUTE_BUDGET_PROGRAM, [2, 64, 66, 15, 0]), ...built.stake.instructions]),
      ['instructions'],
    ],
  ];
  for (const [name, facts, checks] of cases) {
    test(name, () => assert.deepEqual(failedChecks(facts), checks));
  }

  test('the wallet itself as its stake account, or no stake account at all', () => {
    const delegating = (account: Address | null) =>
      recognizeTransaction(tampered('stake', 2, { stakeAccount: account }), expected);
    for (const account of [wallet, null]) {
      const texts = delegating(account).problems.map(({ text }) => text);
      assert.ok(texts.includes('It contains no stake account.'), String(account));
    }
    assert.equal('stakeAccount' in delegating(null), false);
  });

  test('a donation is checked by its own transfer, not by an earlier one', () => {
    const [donation, memo] = built.donate.instructions;
    const before = {
      ...donation!,
      data: { ...donation!.data, to: outsider, lamports: 1n } as InstructionFields,
    };
    const seen = recognizeTransaction(withInstructions('donate', [before, donation!, memo!]), expected);
    assert.deepEqual([seen.ok, seen.recipient, seen.lamports], [false, donationAddress, 7n]);
  });

  test('an extra instruction anywhere, of any program other than the known helpers', () => {
    const transfer = raw(
      SYSTEM_PROGRAM,
      [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
      [
        { address: wallet, signer: true, writable: true },
        { address: outsider, signer: false, writable: true },
      ],
    );
    const extras = [
      transfer,
      raw(outsider, []),
      ...RECORDED_MEMORY.map((guard) => raw(LIGHTHOUSE_PROGRAM, [...guardBytes(guard)])),
      raw(LIGHTHOUSE_PROGRAM, []),
      // First an instruction that calls another program, then two that do not exist in any published version.
      raw(LIGHTHOUSE_PROGRAM, [16, 4, 0]),
      raw(LIGHTHOUSE_PROGRAM, [18, 4, 0]),
      raw(LIGHTHOUSE_PROGRAM, [255]),
      raw(MEMO_PROGRAM, [104, 105]),
      raw(COMPUTE_BUDGET_PROGRAM, [5, 0, 0, 0, 0]),
      raw(COMPUTE_BUDGET_PROGRAM, [3, 1]),
    ];
    for (const kind of builtKinds) {
      for (const extra of built[kind].instructions) {
        // Repeating an instruction changes the transaction's kind. The chain decides whether it succeeds.
        const seen = recognizeTransaction(
          withInstructions(kind, [...built[kind].instructions, extra]),
          expected,
        );
        assert.ok(!(seen.ok && seen.kind === kind), `${kind} ${extra.summary}`);
      }
      for (const extra of extras) {
        for (let at = 0; at <= built[kind].instructions.length; at += 1) {
          const facts = withInstructions(kind, built[kind].instructions.toSpliced(at, 0, extra));
          for (const allowWalletGuards of [false, true])
            assert.ok(
              failedChecks(facts, { ...expected, allowWalletGuards }).includes('instructions'),
              `${kind} ${at} ${extra.summary}`,
            );
        }
      }
    }
  });

  test('a missing instruction, or two swapped ones', () => {
    for (const kind of builtKinds) {
      const { instructions } = built[kind];
      for (let at = 0; at < instructions.length; at += 1) {
        assert.notDeepEqual(failedChecks(withInstructions(kind, instructions.toSpliced(at, 1))), []);
        for (let other = 0; other < at; other += 1) {
          const swapped = instructions.with(at, instructions[other]!).with(other, instructions[at]!);
          assert.notDeepEqual(failedChecks(withInstructions(kind, swapped)), []);
        }
      }
    }
  });

  test('a priority fee above the limit', () => {
    const priced = (microLamports: number, ...behind: number[]) => [
      raw(COMPUTE_BUDGET_PROGRAM, [
        3,
        ...new Uint8Array(new BigUint64Array([BigInt(microLamports)]).buffer),
        ...behind,
      ]),
      ...built.stake.instructions,
    ];
    const hidden = withInstructions('stake', priced(1_000_000_000, 0));
    assert.deepEqual(failedChecks(hidden), ['priority-fee'], 'a trailing byte does not hide the fee');
    const facts = withInstructions('stake', priced(1_000_000));
    assert.deepEqual(failedChecks(facts, { ...expected, maxPriorityFeeLamports: 1_000_000n }), []);
    assert.deepEqual(failedChecks(facts, { ...expected, maxPriorityFeeLamports: 999_999n }), [
      'priority-fee',
    ]);
  });

  test('a transaction that differs from a known request', () => {
    assert.deepEqual(failedChecks(built.stake, { ...expected, wallet, stakeAccount, lamports: 5n }), []);
    assert.deepEqual(failedChecks(built.stake, { ...expected, wallet: outsider }), ['wallet']);
    assert.deepEqual(failedChecks(built.withdraw, { ...expected, stakeAccount: outsider }), [
      'stake-account',
    ]);
    assert.deepEqual(failedChecks(built.donate, { ...expected, lamports: 8n }), ['lamports']);
  });

  test('any donation if none is expected, regardless of the recipient', () => {
    for (const to of [donationAddress, SYSTEM_PROGRAM]) {
      const { kind, ok } = recognizeTransaction(tampered('donate', 0, { to }), {
        voteAccount,
        memo: 'example.org',
      });
      assert.deepEqual([kind, ok], ['other', false]);
    }
  });

  test('an empty transaction is not recognized', () => {
    assert.equal(
      recognizeTransaction({ feePayer: wallet, requiredSigners: [wallet], instructions: [] }, expected).kind,
      'other',
    );
  });
});

const [source, target, child] = [21, 22, 23].map(key) as [Address, Address, Address];
const rent = 1_666_240n;
const own = { authority: wallet } as const;
const create = (account: Address, lamports = rent): MachineOperation => ({
  type: 'create',
  account,
  payer: wallet,
  lamports,
});
const initialize = (account: Address): MachineOperation => ({
  type: 'initialize',
  account,
  stakeAuthority: wallet,
  withdrawAuthority: wallet,
  lockup: NO_LOCKUP,
});
const withdraw = (account: Address, lamports: bigint): MachineOperation => ({
  type: 'withdraw',
  account,
  to: wallet,
  lamports,
  ...own,
});
const merge: MachineOperation = { type: 'merge', account: target, from: source, ...own };
const moveStake: MachineOperation = {
  type: 'moveStake',
  account: source,
  into: target,
  lamports: 3n,
  ...own,
};
const split: MachineOperation = { type: 'split', account: source, into: child, lamports: 9n, ...own };
const deactivate = (account: Address): MachineOperation => ({ type: 'deactivate', account, ...own });
const delegate = (account: Address): MachineOperation => ({
  type: 'delegate',
  account,
  voteAccount,
  ...own,
});
const moveOut = (lamports: bigint): MachineOperation => ({
  type: 'moveLamports',
  account: child,
  into: target,
  lamports,
  ...own,
});
const lend = (to: Address, lamports: bigint): MachineOperation => ({
  type: 'transfer',
  from: wallet,
  to,
  lamports,
});

const rearranged = (operations: readonly MachineOperation[], more: Partial<Expectations> = {}) =>
  recognizeTransaction(buildTransaction.rearrange({ ...common, operations }), {
    ...expected,
    wallet,
    ...more,
  });
const checksOf = (operations: readonly MachineOperation[], more: Partial<Expectations> = {}): string[] => {
  const { kind, problems } = rearranged(operations, more);
  assert.equal(kind, 'rearrange');
  return problems.map(({ check }) => check);
};

describe('a rearrangement', () => {
  test('counts the stake and the rent that stays in the new account', () => {
    const { effects, kind } = rearranged([
      ...[create(child, 2_000_009n), initialize(child), moveOut(9n), delegate(target)],
    ]);
    assert.deepEqual([kind, effects!.stakedLamports, effects!.rentLamports], ['rearrange', 9n, 2_000_000n]);
  });
  const good: Readonly<Record<string, readonly MachineOperation[]>> = {
    'a part is split off and deactivated': [create(child), split, deactivate(child)],
    'stake is moved, and its source is deactivated': [moveStake, deactivate(source)],
    'two accounts are merged and idle lamports are withdrawn': [merge, withdraw(target, 5n)],
    'several accounts are deactivated': [deactivate(source), deactivate(target)],
    'idle lamports are staked': [withdraw(source, 5n), create(child, 9n), initialize(child), delegate(child)],
    'a new account is merged into an activating one': [
      ...[create(child, 9n), initialize(child)],
      { type: 'merge', account: target, from: child, ...own },
    ],
    'lamports go through a new account that keeps its rent': [
      ...[create(child, 2_000_009n), initialize(child), moveOut(9n), delegate(target)],
    ],
    'the minimum is borrowed within the transaction': [
      lend(source, 8n),
      delegate(source),
      withdraw(source, 8n),
    ],
    'the wallet takes the stake authority back': [
      { type: 'authorize', account: source, role: 'staker', newAuthority: wallet, ...own },
      deactivate(source),
    ],
  };
  for (const [name, operations] of Object.entries(good))
    test(`is accepted: ${name}`, () => assert.deepEqual(checksOf(operations), []));

  const bad: readonly (readonly [string, string, readonly MachineOperation[], Partial<Expectations>?])[] = [
    ['withdraw to another address', 'recipient', [merge, { ...withdraw(target, 5n), to: outsider } as never]],
    ['delegate elsewhere', 'vote-account', [merge, { ...delegate(target), voteAccount: outsider } as never]],
    ['transfer into an existing stake account', 'recipient', [lend(target, 8n), merge]],
    ['withdraw less than was lent', 'recipient', [lend(source, 8n), delegate(source), withdraw(source, 7n)]],
    [
      'withdraw only one of two loans',
      'recipient',
      [lend(source, 8n), lend(source, 8n), delegate(source), withdraw(source, 8n)],
    ],
    ['withdraw before lending', 'recipient', [delegate(source), withdraw(source, 8n), lend(source, 8n)]],
    [
      'withdraw from an account other than the one that received the loan',
      'recipient',
      [lend(source, 8n), delegate(source), withdraw(target, 8n)],
    ],
    ['fund an account without using it', 'create-account', [merge, create(child)]],
    ['leave a new account undelegated', 'create-account', [merge, create(child), initialize(child)]],
    ['split into an existing account', 'create-account', [split, deactivate(child)]],
    [
      'leave more than the rent in a new account',
      'create-account',
      [create(child, 3_000_010n), initialize(child), moveOut(9n), delegate(target)],
    ],
    [
      'leave nothing in a new account',
      'create-account',
      [create(child, 9n), initialize(child), moveOut(9n), delegate(target)],
    ],
    [
      'leave more than the rent in a split-off part',
      'create-account',
      [create(child, 3_000_001n), split, deactivate(child)],
    ],
    [
      'give away the withdraw authority of a new stake',
      'withdraw-authority',
      [
        withdraw(source, 5n),
        create(child, 9n),
        { ...initialize(child), withdrawAuthority: outsider } as never,
        delegate(child),
      ],
    ],
    [
      'lock a new stake',
      'lockup',
      [
        withdraw(source, 5n),
        create(child, 9n),
        { ...initialize(child), lockup: { ...NO_LOCKUP, epoch: 9n } } as never,
        delegate(child),
      ],
    ],
    [
      'give away the stake authority',
      'stake-authority',
      [{ type: 'authorize', account: source, role: 'staker', newAuthority: outsider, ...own }],
    ],
    [
      'set a withdraw authority, even the wallet itself',
      'stake-authority',
      [{ type: 'authorize', account: source, role: 'withdrawer', newAuthority: wallet, ...own }],
    ],
    ['use another authority', 'stake-authority', [{ ...merge, authority: outsider } as never]],
    ['need another custodian', 'lockup', [merge, { ...withdraw(target, 5n), custodian: outsider } as never]],
    [
      'contain an instruction that was not requested',
      'order',
      [merge, deactivate(target)],
      { allowed: ['stake.merge', 'stake.withdraw'] },
    ],
    ['change an account other than the given one', 'stake-account', [moveStake], { stakeAccount: target }],
    [
      'cancel an activation',
      'kind',
      [merge],
      {
        accounts: new Map([
          [source, { state: 'activating' as const }],
          [target, { state: 'inactive' as const }],
        ]),
      },
    ],
    [
      'end an activation and merge another activating stake into the account',
      'kind',
      [deactivate(target), merge],
      {
        accounts: new Map([
          [source, { state: 'activating' as const }],
          [target, { state: 'activating' as const }],
        ]),
      },
    ],
  ];
  for (const [name, check, operations, more] of bad)
    test(`must not ${name}`, () => {
      const failed = checksOf(operations, more);
      assert.ok(failed.includes(check), failed.join());
    });

  test('may merge one activating account into another', () => {
    const activating: KnownAccount = { state: 'activating' };
    const accounts = new Map([source, target].map((one) => [one, activating]));
    assert.deepEqual(checksOf([merge], { accounts }), []);
    assert.deepEqual(
      checksOf([delegate(target), merge], {
        accounts: new Map([...accounts, [target, { state: 'inactive' }]]),
      }),
      [],
    );
  });

  test('reports the rent of a split as at risk if the owner of the account is unknown', () => {
    const parts = [create(child), split, deactivate(child)];
    const riskOf = (operations: readonly MachineOperation[], accounts?: Expectations['accounts']) =>
      rearranged(operations, accounts ? { accounts } : {}).effects?.atRiskLamports;
    assert.equal(riskOf(parts), rent);
    assert.equal(
      riskOf([withdraw(source, 1n), ...parts]),
      0n,
      'the wallet withdraws from it in this transaction',
    );
    assert.equal(
      riskOf([merge, withdraw(target, 1n), ...parts]),
      0n,
      'it is merged into an account of the wallet',
    );
    const state = 'active' as const;
    assert.equal(riskOf(parts, new Map([[source, { state, withdrawer: wallet }]])), 0n);
    assert.equal(riskOf(parts, new Map([[source, { state, withdrawer: outsider }]])), rent);
    const { ok, ...seen } = rearranged(parts);
    assert.ok(ok);
    assert.match(
      textOf(kinds.rearrange.resultSentences(seen)),
      /You could lose up to 0\.00166624 SOL of it if another party controls the account being split\./,
    );
  });

  test('without our memo, or with a second one, is not recognized', () => {
    const { instructions, requiredSigners, feePayer } = buildTransaction.rearrange({
      ...common,
      operations: [merge],
    });
    const checks = (some: typeof instructions) =>
      recognizeTransaction({ instructions: some, requiredSigners, feePayer }, expected).problems.map(
        ({ check }) => check,
      );
    assert.deepEqual(checks(instructions.slice(0, 1)), ['order', 'memo']);
    assert.deepEqual(checks([...instructions, instructions[1]!]), ['instructions']);
  });
});

test('a fee payer that was not expected is the only problem, if the wallet controls and funds everything', () => {
  const feePayer = outsider;
  for (const message of [
    buildTransaction.stake({ ...common, feePayer, stakeAccount, voteAccount, lamports: 5n }),
    buildTransaction.withdraw({ ...common, feePayer, stakeAccount, lamports: 6n }),
  ]) {
    const seen = recognizeTransaction(message, { ...expected, wallet });
    assert.equal(seen.wallet, wallet);
    assert.deepEqual(
      seen.problems.map(({ code }) => code),
      ['OTHER_PAYER', 'UNEXPECTED_SIGNERS'],
    );
    assert.ok(recognizeTransaction(message, { ...expected, wallet, feePayer }).ok);
  }
});

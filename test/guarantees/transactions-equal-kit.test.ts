// TX-2: with the legacy accounts of Stake instructions added, built transactions equal kit's for the same keys
// byte for byte. Their instructions equal those of web3.js, and they fit into a packet.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  PublicKey,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
} from '@solana/web3.js';
import { getAddMemoInstruction } from '@solana-program/memo';
import {
  getDeactivateInstruction,
  getDelegateStakeInstruction,
  getInitializeInstruction,
  getWithdrawInstruction,
} from '@solana-program/stake';
import {
  getCreateAccountInstruction,
  getCreateAccountWithSeedInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import fc from 'fast-check';
import {
  type BuiltTransaction,
  buildTransaction,
  encodeWire,
} from '../../src/chain/transactions/transaction.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { HeaderBudget } from '../../src/domain/transaction/instruction-fees.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';

const CASES = process.env.HOLDFAST_TEST_FULL === '1' ? 10_000 : 1_000;

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const STAKE_PROGRAM = address('Stake11111111111111111111111111111111111111');
const NOBODY = address('11111111111111111111111111111111');
const CLOCK = address('SysvarC1ock11111111111111111111111111111111');
const STAKE_HISTORY = address('SysvarStakeHistory1111111111111111111111111');
const RENT = address('SysvarRent111111111111111111111111111111111');
const STAKE_CONFIG = address('StakeConfig11111111111111111111111111111111');

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeBase58(bytes) as Address);
// Some addresses coincide with each other or with the fixed accounts of the messages, because merging duplicate
// accounts changes the whole layout.
const awkward = fc.oneof(
  { weight: 6, arbitrary: key },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      MEMO_PROGRAM,
      STAKE_PROGRAM,
      NOBODY,
      CLOCK,
      ...[1, 2].map((tag) => encodeBase58(new Uint8Array(32).fill(tag)) as Address),
    ),
  },
);
const lamports = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const memo = fc.oneof(fc.constant('holdfast.example'), fc.string({ unit: 'grapheme', maxLength: 60 }));
// Usually one vote account for all cases, as in a service, and sometimes another.
const voteAccount = fc.oneof(fc.constant(encodeBase58(new Uint8Array(32).fill(77)) as Address), key);
const version = fc.constantFrom('legacy' as const, 0 as const, 1 as const);
const common = {
  wallet: awkward,
  stakeAccount: awkward,
  memo,
  blockhash: key.map((text) => text as string),
  version,
};

type Header = Partial<HeaderBudget> | null;

const kitMessage =
  (
    { wallet, blockhash, version }: { wallet: Address; blockhash: string; version: 'legacy' | 0 | 1 },
    instructions: Instruction[],
  ) =>
  (header: Header): Uint8Array => {
    const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 1n };
    const form = (message: ReturnType<typeof createTransactionMessage>) =>
      pipe(
        message,
        (empty) => setTransactionMessageFeePayer(wallet, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
        (timed) => appendTransactionMessageInstructions(instructions, timed),
      ) as Parameters<typeof compileTransaction>[0];
    const message =
      version === 1
        ? setTransactionMessageConfig(
            {
              computeUnitLimit: header?.computeUnitLimit ?? 1,
              loadedAccountsDataSizeLimit: header?.loadedAccountsDataBytes ?? 1,
            },
            createTransactionMessage({ version }),
          )
        : createTransactionMessage({ version });
    return compileTransaction(form(message as never)).messageBytes as unknown as Uint8Array;
  };

/** Inserts legacy accounts into kit's instruction at an index. */
const classic = (instruction: Instruction, at: number, ...accounts: Address[]): Instruction => ({
  ...instruction,
  accounts: [
    ...instruction.accounts!.slice(0, at),
    ...accounts.map((one) => ({ address: one, role: AccountRole.READONLY })),
    ...instruction.accounts!.slice(at),
  ],
});

/**
 * Returns instructions that initialize a stake account for the wallet alone, without a lockup, and delegate
 * it.
 */
const initializeAndDelegate = ({
  wallet,
  stakeAccount,
  voteAccount: vote,
}: Readonly<Record<'wallet' | 'stakeAccount' | 'voteAccount', Address>>): readonly Instruction[] => [
  classic(
    getInitializeInstruction({
      stake: stakeAccount,
      arg0: { staker: wallet, withdrawer: wallet },
      arg1: { unixTimestamp: 0n, epoch: 0n, custodian: NOBODY },
    }),
    1,
    RENT,
  ),
  classic(
    getDelegateStakeInstruction({ stake: stakeAccount, vote, stakeAuthority: createNoopSigner(wallet) }),
    2,
    CLOCK,
    STAKE_HISTORY,
    STAKE_CONFIG,
  ),
];

const kitMemo = (text: string) => getAddMemoInstruction({ memo: text }, { programAddress: MEMO_PROGRAM });

/** Returns kit's message, or null if kit refuses a program's address as payer or writable account. */
const orRefused = (compile: () => Uint8Array): Uint8Array | null => {
  try {
    return compile();
  } catch (error) {
    assert.match(String(error), /both invoked and|program/i);
    return null;
  }
};

/**
 * Checks that the bytes are equal, that each signer has a signature slot, and that the transaction fits into a
 * packet.
 */
const assertSame = (build: () => BuiltTransaction, compile: (header: Header) => Uint8Array): void => {
  if (orRefused(() => compile(null)) === null) {
    assert.throws(build, { code: 'VALIDATION_ERROR' });
    return;
  }
  const built = build();
  // Copies the header's limits, because FEE-1 already checks that they suffice.
  const kitBytes = compile(built.headerBudget);
  assert.deepEqual(Buffer.from(built.messageBytes), Buffer.from(kitBytes));
  const wire = encodeWire(built);
  assert.ok(wire.length < 1232, `${wire.length} bytes`);
  const { requiredSigners } = decodeWire(wire);
  assert.deepEqual(built.requiredSigners, requiredSigners);
  const signatures = Object.fromEntries(requiredSigners.map((signer) => [signer, null]));
  assert.deepEqual(
    Buffer.from(wire),
    Buffer.from(
      getTransactionEncoder().encode({ messageBytes: kitBytes, signatures } as never) as Uint8Array,
    ),
  );
};

const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void => {
  fc.assert(fc.property(arbitrary, property), { seed: 2, numRuns: CASES / 4 });
};

describe(`TX-2: ${CASES} random transactions equal those of kit byte for byte`, () => {
  test('a stake consists of create account, initialize, delegate and memo, in this order', () => {
    check(fc.record({ ...common, voteAccount, lamports }), (input) => {
      const { wallet, stakeAccount } = input;
      const payer = createNoopSigner(wallet);
      const expected = [
        getCreateAccountInstruction({
          payer,
          newAccount: createNoopSigner(stakeAccount),
          lamports: input.lamports,
          space: 200n,
          programAddress: STAKE_PROGRAM,
        }),
        ...initializeAndDelegate(input),
        kitMemo(input.memo),
      ];
      assertSame(() => buildTransaction.stake(input), kitMessage(input, expected));
    });
  });

  test('a stake by seed consists of create account with seed, initialize, delegate and memo, signed by the wallet alone', () => {
    const seeds = fc.string({ minLength: 1, maxLength: 32, unit: 'binary-ascii' });
    check(fc.record({ ...common, voteAccount, lamports, seed: seeds }), (input) => {
      const { wallet, stakeAccount } = input;
      const payer = createNoopSigner(wallet);
      const expected = [
        getCreateAccountWithSeedInstruction({
          payer,
          newAccount: stakeAccount,
          base: wallet,
          seed: input.seed,
          amount: input.lamports,
          space: 200n,
          programAddress: STAKE_PROGRAM,
        }),
        ...initializeAndDelegate(input),
        kitMemo(input.memo),
      ];
      const build = () => {
        const built = buildTransaction.stake(input);
        assert.deepEqual(built.requiredSigners, [wallet]);
        return built;
      };
      assertSame(build, kitMessage(input, expected));
    });
  });

  test('a stake contains create account, initialize, delegate and memo, in this order', () => {
    const tag = (byte: number) => encodeBase58(new Uint8Array(32).fill(byte)) as Address;
    const built = buildTransaction.stake({
      wallet: tag(1),
      stakeAccount: tag(2),
      voteAccount: tag(3),
      lamports: 1n,
      memo: 'holdfast.example',
      blockhash: tag(4),
    });
    assert.deepEqual(
      built.instructions.map(({ data }) => data.type),
      ['system.createAccount', 'stake.initialize', 'stake.delegateStake', 'memo'],
    );
  });

  test('unstake: deactivate, memo', () => {
    check(fc.record(common), (input) => {
      const instruction = classic(
        getDeactivateInstruction({
          stake: input.stakeAccount,
          stakeAuthority: createNoopSigner(input.wallet),
        }),
        1,
        CLOCK,
      );
      assertSame(
        () => buildTransaction.unstake(input),
        kitMessage(input, [instruction, kitMemo(input.memo)]),
      );
    });
  });

  test('a withdrawal consists of withdraw and memo, for any recipient and custodian', () => {
    const optional = fc.option(awkward, { nil: undefined });
    check(
      fc.record({
        ...common,
        lamports,
        recipient: optional,
        custodian: optional,
        own: fc.constantFrom('', 'recipient', 'custodian'),
      }),
      ({ own, ...drawn }) => {
        const input = {
          ...drawn,
          recipient: own === 'recipient' ? drawn.wallet : drawn.recipient,
          custodian: own === 'custodian' ? drawn.wallet : drawn.custodian,
        };
        const { recipient, custodian, ...rest } = input;
        const instruction = classic(
          getWithdrawInstruction({
            stake: input.stakeAccount,
            recipient: recipient ?? input.wallet,
            withdrawAuthority: createNoopSigner(input.wallet),
            ...(custodian === undefined ? {} : { lockupAuthority: createNoopSigner(custodian) }),
            args: input.lamports,
          }),
          2,
          CLOCK,
          STAKE_HISTORY,
        );
        const build = () =>
          buildTransaction.withdraw({
            ...rest,
            ...(recipient && { recipient }),
            ...(custodian && { custodian }),
          });
        assertSame(build, kitMessage(input, [instruction, kitMemo(input.memo)]));
      },
    );
  });

  test('donate: transfer, memo', () => {
    check(fc.record({ ...common, donationAddress: fc.oneof(awkward, voteAccount), lamports }), (input) => {
      const instruction = getTransferSolInstruction({
        source: createNoopSigner(input.wallet),
        destination: input.donationAddress,
        amount: input.lamports,
      });
      assertSame(() => buildTransaction.donate(input), kitMessage(input, [instruction, kitMemo(input.memo)]));
    });
  });
});

/** Returns an instruction's program, accounts and data. */
const plain = ({ programId, keys, data }: TransactionInstruction) => ({
  programId: programId.toBase58(),
  keys: keys.map(({ pubkey }) => pubkey.toBase58()),
  data: Buffer.from(data).toString('hex'),
});

/** Checks that the built instructions, without the memo, equal those of web3.js. */
const assertWeb3 = ({ messageBytes }: BuiltTransaction, expected: readonly TransactionInstruction[]): void =>
  assert.deepEqual(
    TransactionMessage.decompile(VersionedMessage.deserialize(messageBytes))
      .instructions.slice(0, -1)
      .map(plain),
    expected.map(plain),
  );

describe('TX-2: each instruction has the same accounts and data as in web3.js', () => {
  const tag = (byte: number) => encodeBase58(new Uint8Array(32).fill(byte)) as Address;
  const [wallet, account, other, vote, custodian] = [1, 2, 3, 4, 5].map(tag) as [
    Address,
    Address,
    Address,
    Address,
    Address,
  ];
  const key = (one: Address) => new PublicKey(one);
  const common = { wallet, memo: 'holdfast.example', blockhash: tag(9) };
  const authorizedPubkey = key(wallet);
  const of = (operation: MachineOperation) =>
    buildTransaction.rearrange({ ...common, operations: [operation] });
  const lamports = 5_000_000_000;

  test('a stake', () => {
    assertWeb3(
      buildTransaction.stake({
        ...common,
        stakeAccount: account,
        voteAccount: vote,
        lamports: BigInt(lamports),
      }),
      [
        SystemProgram.createAccount({
          fromPubkey: key(wallet),
          newAccountPubkey: key(account),
          lamports,
          space: 200,
          programId: StakeProgram.programId,
        }),
        StakeProgram.initialize({
          stakePubkey: key(account),
          authorized: { staker: key(wallet), withdrawer: key(wallet) },
          lockup: { unixTimestamp: 0, epoch: 0, custodian: PublicKey.default },
        }),
        ...StakeProgram.delegate({ stakePubkey: key(account), authorizedPubkey, votePubkey: key(vote) })
          .instructions,
      ],
    );
  });

  test('a deactivation, withdrawals, a split, a merge and new authorities match web3.js', () => {
    const stakePubkey = key(account);
    assertWeb3(
      buildTransaction.unstake({ ...common, stakeAccount: account }),
      StakeProgram.deactivate({ stakePubkey, authorizedPubkey }).instructions,
    );
    for (const by of [{ custodian: undefined }, { custodian }])
      assertWeb3(
        buildTransaction.withdraw({
          ...common,
          stakeAccount: account,
          lamports: BigInt(lamports),
          ...(by.custodian && { custodian: by.custodian }),
        }),
        StakeProgram.withdraw({
          stakePubkey,
          authorizedPubkey,
          toPubkey: key(wallet),
          lamports,
          ...(by.custodian && { custodianPubkey: key(by.custodian) }),
        }).instructions,
      );
    assertWeb3(
      of({ type: 'split', account, into: other, lamports: BigInt(lamports), authority: wallet }),
      StakeProgram.split(
        { stakePubkey, authorizedPubkey, splitStakePubkey: key(other), lamports },
        1,
      ).instructions.slice(1),
    );
    assertWeb3(
      of({ type: 'merge', account, from: other, authority: wallet }),
      StakeProgram.merge({ stakePubkey, sourceStakePubKey: key(other), authorizedPubkey }).instructions,
    );
    for (const [role, index] of [
      ['staker', 0],
      ['withdrawer', 1],
    ] as const)
      assertWeb3(
        of({ type: 'authorize', account, role, authority: wallet, newAuthority: other }),
        StakeProgram.authorize({
          stakePubkey,
          authorizedPubkey,
          newAuthorizedPubkey: key(other),
          stakeAuthorizationType: { index },
        }).instructions,
      );
  });
});

// Checks that hardware wallets, web3.js and RPC nodes can read the instructions of every transaction kind and
// goal, and that docs/sign.md states which transactions a hardware wallet shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import {
  StakeInstruction,
  StakeProgram,
  SystemInstruction,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
} from '@solana/web3.js';
import { isShownByHardwareWallets } from '../../client/staking/hardware-wallets.ts';
import {
  type BuiltTransaction,
  buildTransaction,
  encodeWire,
  type TransactionVersion,
} from '../../src/chain/transactions/transaction.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { MEMO_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { PlanInputs } from '../../src/domain/plan/plan.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { type GoalName, goalNames } from '../../src/domain/plan/plan-goals.ts';
import { NO_LOCKUP } from '../../src/domain/stake/stake-account.ts';
import { type TransactionKind, transactionKinds } from '../../src/domain/transaction/transaction-kinds.ts';
import { patience } from '../support/patience.ts';
import { drawnPlanWorld, planWorldOf } from '../support/planned-worlds.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { preparedTruth } from '../support/truth-prepared.ts';
import { createTruthRandom } from '../support/truth-random.ts';

const SOL = 1_000_000_000n;
const WORLDS = 150;
const SEED = 20_261_123;

const random = createTruthRandom(SEED);
const prepared = preparedTruth();
const worlds: readonly PlanInputs[] = Array.from({ length: WORLDS }, () =>
  planWorldOf(drawnPlanWorld(random, 1 + random.int(6), prepared)),
);

const common = ({ wallet }: PlanInputs) => ({ wallet, memo: 'example.org', blockhash: wallet as string });

/** Builds a transaction of each kind that always has the same instructions. */
const fixedKinds: Record<
  Exclude<TransactionKind, 'rearrange'>,
  (world: PlanInputs, version: TransactionVersion) => BuiltTransaction
> = {
  stake: (world, version) =>
    buildTransaction.stake({
      ...common(world),
      version,
      stakeAccount: world.newAddress(0),
      voteAccount: world.voteAccount,
      lamports: SOL,
    }),
  unstake: (world, version) =>
    buildTransaction.unstake({ ...common(world), version, stakeAccount: world.newAddress(0) }),
  withdraw: (world, version) =>
    buildTransaction.withdraw({
      ...common(world),
      version,
      stakeAccount: world.newAddress(0),
      lamports: SOL,
    }),
  restake: (world, version) =>
    buildTransaction.restake({
      ...common(world),
      version,
      stakeAccount: world.newAddress(0),
      voteAccount: world.voteAccount,
    }),
  donate: (world, version) =>
    buildTransaction.donate({
      ...common(world),
      version,
      donationAddress: world.newAddress(0),
      lamports: SOL,
    }),
};

const goalOf = (goal: GoalName, all: bigint): PlanGoal => {
  const part = (all * BigInt(1 + random.int(1_000))) / 1_000n + 1n;
  const lamports = random.pick([part, SOL / 10n]);
  switch (goal) {
    case 'unstake':
    case 'withdraw-amount':
      return { goal, lamports, rounding: 'atLeast' };
    case 'top-up':
      return { goal, lamports };
    case 'sweep':
      return random.pick([
        { goal, to: 'wallet' },
        { goal, to: 'activating' },
        { goal, to: 'stake', addedLamports: 2n * SOL },
      ]);
    case 'undo':
      return random.chance(0.5) ? { goal } : { goal, lamports: part };
    default:
      return { goal };
  }
};

/** Plans transactions for a goal in all test wallets. */
const plannedFor = (goal: GoalName): readonly BuiltTransaction[] =>
  worlds.flatMap((world) => {
    const all = world.accounts.reduce((sum, { lamports }) => sum + lamports, 0n);
    const result = planStakeChange(goalOf(goal, all), world);
    return result.ok
      ? result.plan.transactions.map(({ operations }) =>
          buildTransaction.rearrange({ ...common(world), operations }),
        )
      : [];
  });

const planned = new Map(goalNames.map((goal) => [goal, plannedFor(goal)]));

/** Instructions unknown to web3.js 1.x and Ledger's app. */
const UNKNOWN_TO_READERS: readonly string[] = ['stake.moveStake', 'stake.moveLamports'];

/** Decodes an instruction with web3.js, which throws on an unknown layout. */
const readByWeb3 = (instruction: TransactionInstruction): void => {
  if (instruction.programId.equals(SystemProgram.programId)) {
    const type = SystemInstruction.decodeInstructionType(instruction);
    assert.ok(type === 'Create' || type === 'Transfer', type);
    if (type === 'Create') SystemInstruction.decodeCreateAccount(instruction);
    else SystemInstruction.decodeTransfer(instruction);
    return;
  }
  assert.ok(instruction.programId.equals(StakeProgram.programId));
  const decoders = {
    Initialize: () => StakeInstruction.decodeInitialize(instruction),
    Authorize: () => StakeInstruction.decodeAuthorize(instruction),
    Delegate: () => StakeInstruction.decodeDelegate(instruction),
    Split: () => StakeInstruction.decodeSplit(instruction),
    Withdraw: () => StakeInstruction.decodeWithdraw(instruction),
    Deactivate: () => StakeInstruction.decodeDeactivate(instruction),
    Merge: () => StakeInstruction.decodeMerge(instruction),
  };
  const type = StakeInstruction.decodeInstructionType(instruction) as keyof typeof decoders;
  const decoded = decoders[type]();
  // The decoder finds the authority by account position. If the accounts were wrong, it would read a sysvar
  // instead.
  if ('authorizedPubkey' in decoded)
    assert.doesNotMatch(String(decoded.authorizedPubkey), /^(Sysvar|StakeConfig)/);
};

const assertReadable = (built: BuiltTransaction): void => {
  assert.deepEqual(built.instructions, decodeWire(encodeWire(built)).instructions);
  const { instructions } = TransactionMessage.decompile(VersionedMessage.deserialize(built.messageBytes));
  for (const [index, instruction] of instructions.entries()) {
    if (instruction.programId.toBase58() === MEMO_PROGRAM) continue;
    if (!UNKNOWN_TO_READERS.includes(built.instructions[index]!.data.type)) readByWeb3(instruction);
  }
};

describe('web3.js decodes', () => {
  for (const [kind, build] of Object.entries(fixedKinds))
    test(`every instruction of a ${kind} transaction`, () => {
      for (const version of ['legacy', 0] as const) assertReadable(build(worlds[0]!, version));
    });
  for (const goal of goalNames)
    test(`every instruction of the plans to ${goal}, except moves`, () => {
      const built = planned.get(goal)!;
      assert.ok(built.length >= 10, `${built.length} transactions`);
      for (const one of built) assertReadable(one);
    });
});

describe('the table in docs/sign.md', () => {
  const listOf = ({ instructions }: BuiltTransaction): string =>
    instructions
      .filter(({ data }) => data.type !== 'memo')
      .map(({ name }) => `\`${name}\``)
      .join(', ');
  const shown = (some: readonly BuiltTransaction[]): string => {
    const clear = some.filter(({ instructions }) => isShownByHardwareWallets(instructions));
    if (clear.length === 0) return 'no';
    return `only ${[...new Set(clear.map(listOf))].sort().join('; or ')}`;
  };
  const documented = readFileSync(new URL('../../docs/sign.md', import.meta.url), 'utf8');

  test('has a row for every kind and goal, with the parts that are displayed', () => {
    const rows = [
      ...transactionKinds
        .filter((kind) => kind !== 'rearrange')
        .map((kind) => {
          const { instructions } = fixedKinds[kind](worlds[0]!, 'legacy');
          return `| ${kind} | ${isShownByHardwareWallets(instructions) ? 'yes' : 'no'} |`;
        }),
      ...goalNames.map((goal) => `| goal \`${goal}\` | ${shown(planned.get(goal)!)} |`),
    ];
    const missing = rows.filter((row) => !documented.includes(`${row}\n`));
    assert.deepEqual(missing, [], `docs/sign.md lacks:\n${missing.join('\n')}`);
  });

  test("a transaction does not count as shown by a hardware wallet if its instructions lack an account that the wallet's parser expects", () => {
    const { instructions } = fixedKinds.unstake(worlds[0]!, 'legacy');
    assert.equal(isShownByHardwareWallets(instructions), true);
    const short = instructions.map((one) => ({
      ...one,
      accounts: one.accounts.filter(({ address }) => !address.startsWith('Sysvar')),
    }));
    assert.equal(isShownByHardwareWallets(short), false);
  });
});

describe('an RPC node parses landed transactions', () => {
  const sandbox = sharedSandbox({ before, after }, {});

  /** Sends operations of the wallet and returns their types as the node parsed them. */
  const parsed = async (
    staker: SandboxStaker,
    operations: readonly MachineOperation[],
    created: readonly KeyPairSigner[] = [],
  ): Promise<readonly string[]> => {
    const signature = await staker.rearrange(operations, created);
    for (;;) {
      const found = await staker.rpc
        .getTransaction(signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 })
        .send();
      if (found !== null) {
        assert.equal(found.meta?.err, null);
        return found.transaction.message.instructions.map((one) =>
          'parsed' in one && one.parsed !== null && typeof one.parsed === 'object' && 'type' in one.parsed
            ? String(one.parsed.type)
            : 'parsed' in one
              ? 'memo'
              : 'unparsed',
        );
      }
      await sandbox.get().nextBlock(patience());
    }
  };

  test('with every instruction: stake, top-up, loan, split, merge, authorize, deactivate, withdraw and moveStake', async () => {
    const staker = await SandboxStaker.fund(sandbox.get(), 100n * SOL);
    const authority = staker.wallet.address;
    const [one, other, through] = [
      await generateKeyPairSigner(),
      await generateKeyPairSigner(),
      await generateKeyPairSigner(),
    ];
    const account = one.address;
    const rent = await staker.rpc.getMinimumBalanceForRentExemption(200n).send();
    const voteAccount = sandbox.get().voteAccount as Address;
    const stake = await parsed(
      staker,
      [
        { type: 'create', account, payer: authority, lamports: 10n * SOL + rent },
        {
          type: 'initialize',
          account,
          stakeAuthority: authority,
          withdrawAuthority: authority,
          lockup: NO_LOCKUP,
        },
        { type: 'delegate', account, voteAccount, authority },
      ],
      [one],
    );
    assert.deepEqual(stake, ['createAccount', 'initialize', 'delegate', 'memo']);
    const topUp = await parsed(
      staker,
      [
        { type: 'create', account: through.address, payer: authority, lamports: SOL / 2n + rent },
        {
          type: 'initialize',
          account: through.address,
          stakeAuthority: authority,
          withdrawAuthority: authority,
          lockup: NO_LOCKUP,
        },
        { type: 'moveLamports', account: through.address, into: account, lamports: SOL / 2n, authority },
        { type: 'delegate', account, voteAccount, authority },
      ],
      [through],
    );
    assert.deepEqual(topUp, ['createAccount', 'initialize', 'moveLamports', 'delegate', 'memo']);
    const lent = await parsed(staker, [
      { type: 'transfer', from: authority, to: account, lamports: 5n },
      { type: 'withdraw', account, to: authority, lamports: 5n, authority },
    ]);
    assert.deepEqual(lent, ['transfer', 'withdraw', 'memo']);
    const split = await parsed(
      staker,
      [
        { type: 'create', account: other.address, payer: authority, lamports: rent },
        { type: 'split', account, into: other.address, lamports: 4n * SOL, authority },
      ],
      [other],
    );
    assert.deepEqual(split, ['createAccount', 'split', 'memo']);
    assert.deepEqual(await parsed(staker, [{ type: 'merge', account, from: other.address, authority }]), [
      'merge',
      'memo',
    ]);
    assert.deepEqual(
      await parsed(staker, [
        { type: 'authorize', account, role: 'staker', authority, newAuthority: authority },
      ]),
      ['authorize', 'memo'],
    );
    assert.deepEqual(await parsed(staker, [{ type: 'deactivate', account, authority }]), [
      'deactivate',
      'memo',
    ]);
    assert.deepEqual(
      await parsed(staker, [{ type: 'withdraw', account, to: authority, lamports: SOL, authority }]),
      ['withdraw', 'memo'],
    );
    // Moves stake from one active stake to another.
    const [giver, taker] = [await staker.stake(3n * SOL), await staker.stake(3n * SOL)] as [Address, Address];
    await sandbox.get().advanceEpochs(1);
    assert.deepEqual(
      await parsed(staker, [{ type: 'moveStake', account: giver, into: taker, lamports: SOL, authority }]),
      ['moveStake', 'memo'],
    );
  });
});

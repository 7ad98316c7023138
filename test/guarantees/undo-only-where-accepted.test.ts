// UNDO-1, UNDO-2: at every step of an account's history, Holdfast knows whether a deactivation can be undone,
// and no built undo lands as a new stake.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { ownAccounts } from '../../src/domain/plan/plan-accounts.ts';
import { planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import {
  decodeStakeAccount,
  EPOCH_ABSENT,
  lockupInForce,
  type StakeAccount,
} from '../../src/domain/stake/stake-account.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { preparePlan } from '../../src/operations/plan/prepare-plan.ts';
import { createTally } from '../support/count-outcomes.ts';
import { MachineTransactions } from '../support/machine-transactions.ts';
import type { MachineWorld } from '../support/machine-world.ts';
import { PLAN, planContext } from '../support/plan-context.ts';
import { drawnPlanWorld, planWorldOf, runPlan, shownJson } from '../support/planned-worlds.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { steadyHistory } from '../support/stake-account-examples.ts';
import { keyBytes } from '../support/truth-message.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';
import { TruthRuntime } from '../support/truth-runtime.ts';
import { VOTE_PROGRAM, voteAccountData } from '../support/truth-vote-account.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const FIRST_SEED = 20_261_125;
const STEPS = 8;

/** The effect of delegating the account again: undoes the deactivation, starts a new stake, or is refused. */
type Delegated = 'undone' | 'a new stake' | 'refused';

/** Delegates on the real program with the wallet as payer, then restores the accounts. */
const tryOnProgram = (
  world: MachineWorld,
  before: StakeAccount,
  operations: readonly MachineOperation[],
): Delegated => {
  const { runtime, keys } = world;
  const stored = [keys.owner, before.address].map((address) => runtime.account(address)!);
  const refusal = runtime.run(operations.map(instructionOf), keys.owner);
  const after = refusal === null ? decodeStakeAccount(runtime.account(before.address)!) : null;
  for (const account of stored) runtime.setAccount(account);
  if (after === null) return 'refused';
  const [was, is] = [before.delegation!, after.delegation!];
  return is.deactivationEpoch === EPOCH_ABSENT && is.activationEpoch === was.activationEpoch
    ? 'undone'
    : 'a new stake';
};

/**
 * Delegates the account. If the program refuses it below the minimum, borrows the missing amount for that
 * instruction.
 */
const delegateOnProgram = (world: MachineWorld, account: StakeAccount): Delegated => {
  const { chain, keys } = world;
  const { address } = account;
  const again: MachineOperation = {
    type: 'delegate',
    account: address,
    authority: keys.owner,
    voteAccount: account.delegation!.voteAccount,
  };
  const plain = tryOnProgram(world, account, [again]);
  const lamports = chain.minimumDelegationLamports + chain.stakeRentLamports - account.lamports;
  if (plain !== 'refused' || lamports <= 0n) return plain;
  const isLocked = lockupInForce(account.lockup, chain.epoch, chain.unixTimestamp);
  return tryOnProgram(world, account, [
    { type: 'transfer', from: keys.owner, to: address, lamports },
    again,
    {
      type: 'withdraw',
      account: address,
      to: keys.owner,
      lamports,
      authority: keys.owner,
      ...(isLocked && account.lockup.custodian === keys.owner ? { custodian: keys.owner } : {}),
    },
  ]);
};

const LIVES = FULL ? 5_000 : 100;

test(`UNDO-1: at every step of ${LIVES} random histories, an undo is planned if and only if the Stake program accepts it`, (t) => {
  const prepared = preparedTruth();
  const { counts, count } = createTally();
  for (const seed of truthSeeds(FIRST_SEED, LIVES)) {
    const random = createTruthRandom(seed);
    const world = drawnPlanWorld(random, 1 + random.int(4), prepared);
    // Adds a rare case: an undo that borrows an amount that could not be withdrawn again.
    if (random.chance(0.5)) world.plant({ dust: 1, locked: 1, deactivating: 1 });
    const { runtime, keys } = world;
    const drawing = new MachineTransactions(world);
    for (let step = 0; step < STEPS; step += 1) {
      runtime.setEpochRewardsActive(false);
      const drawn = random.int(10);
      if (drawn < 2) world.truth.advance();
      else if (drawn < 3) world.changeRent();
      else if (drawn < 6) {
        const { address: account } = random.pick([...world.accounts().stakes.values()]) ?? {};
        if (account !== undefined)
          runtime.run([instructionOf({ type: 'deactivate', account, authority: keys.owner })]);
      } else runtime.run(drawing.draw(world.accounts(), world.chain).map(instructionOf));
      runtime.setEpochRewardsActive(random.chance(0.05));
      const planWorld = planWorldOf(world);
      for (const account of ownAccounts(planWorld)) {
        if (account.delegation === null) continue;
        const asked = { ...planWorld, voteAccount: account.delegation.voteAccount };
        const planned = planStakeChange({ goal: 'undo', accounts: [account.address] }, asked);
        const story = () =>
          `HOLDFAST_TEST_SEED=${seed}, step ${step}, epoch ${world.chain.epoch}\n${shownJson({ account, planned })}`;
        const isCooling = account.delegation.deactivationEpoch !== EPOCH_ABSENT;
        // Without a deactivation there is nothing to undo.
        const really = isCooling ? delegateOnProgram(world, account) : 'refused';
        assert.equal(planned.ok, really === 'undone', story());
        count(
          planned.ok
            ? `${planned.plan.transactions[0]!.operations.length} instructions`
            : planned.refusal.why,
        );
        if (really === 'a new stake') count('would be a new stake');
        if (!planned.ok || random.chance(0.5)) continue;
        runPlan(planned.plan, 'undo', asked, world, story);
        count('carried out');
        break;
      }
    }
  }
  t.diagnostic(JSON.stringify(counts));
  if (process.env.HOLDFAST_TEST_SEED) return;
  for (const what of [
    ...['1 instructions', '3 instructions', 'carried out', 'would be a new stake'],
    ...['NOTHING_TO_UNDO', 'UNDO_TOO_LATE', 'UNDO_IMPOSSIBLE', 'WALLET_SHORT', 'EPOCH_REWARDS_ACTIVE'],
  ])
    assert.ok((counts[what] ?? 0) >= LIVES / 50, `${what}: ${JSON.stringify(counts)}`);
});

const UNDOS = FULL ? 10_000 : 300;
/** Number of blocks after its own for which a blockhash is valid. */
const BLOCKHASH_LIFE = 150;
const SLOTS_BEFORE = 450;
const SLOTS_AFTER = 1_200;
const BOUNDARY = (PLAN.epoch + 1n) * 432_000n;

/**
 * Generates the slots around the boundary that contain a block. Leaders have four slots in a row, up to a fifth
 * of them are down, and sometimes there is no block for up to 32 slots. Index 0 is `SLOTS_BEFORE` slots before
 * the boundary.
 */
const drawnBlocks = (random: TruthRandom): readonly boolean[] => {
  const away = random.pick([0, 0.02, 0.05, 0.1, 0.2]);
  const blocks: boolean[] = [];
  while (blocks.length < SLOTS_BEFORE + SLOTS_AFTER) {
    const present = !random.chance(away);
    blocks.push(...Array.from({ length: 4 }, () => present));
  }
  const halted = random.chance(0.3) ? random.int(33) : 0;
  const from = SLOTS_BEFORE - random.int(200);
  return blocks.fill(false, from, from + halted);
};

const UNDONE = {
  address: PLAN.stakeAccount,
  owner: STAKE_PROGRAM,
  lamports: 5_000_000_000n + PLAN.stakeRentLamports,
  data: stakeAccountBytes({
    wallet: PLAN.wallet,
    delegation: {
      voteAccount: PLAN.voteAccount,
      stakeLamports: 5_000_000_000n,
      activationEpoch: 10n,
      deactivationEpoch: PLAN.epoch,
    },
  }),
};

/** Runs the undo on the real program in the epoch in which it lands. */
const land = (
  runtime: TruthRuntime,
  operations: readonly MachineOperation[],
  isBehind: boolean,
): Delegated => {
  const epoch = PLAN.epoch + (isBehind ? 1n : 0n);
  if (runtime.epoch !== epoch)
    runtime.enterEpoch(epoch, PLAN.unixTimestamp, (ended) => steadyHistory(ended, ended + 1n).get(ended)!);
  runtime.setAccount(UNDONE);
  if (runtime.run(operations.map(instructionOf), PLAN.wallet) !== null) return 'refused';
  const { delegation } = decodeStakeAccount(runtime.account(PLAN.stakeAccount)!)!;
  return delegation!.activationEpoch === 10n && delegation!.deactivationEpoch === EPOCH_ABSENT
    ? 'undone'
    : 'a new stake';
};

test(`UNDO-2: none of ${UNDOS} built undos lands as a new stake, whatever slots and blocks surround the boundary`, async (t) => {
  const runtime = new TruthRuntime(PLAN.wallet);
  runtime.setRentPerByte(5_080n);
  const voteData = voteAccountData(keyBytes(PLAN.voteAccount));
  runtime.setAccount({ address: PLAN.voteAccount, owner: VOTE_PROGRAM, lamports: 10n ** 9n, data: voteData });
  const counts = {
    undone: 0,
    'a new stake': 0,
    refused: 0,
    'not built': 0,
    'not built, would land too late': 0,
  };
  const [seed] = truthSeeds(FIRST_SEED, 1);
  const random = createTruthRandom(seed!);
  const { signal } = new AbortController();
  for (let built = 0; built < UNDOS; ) {
    const blocks = drawnBlocks(random);
    const blockSlots = [...blocks.keys()].filter((slot) => blocks[slot]);
    const now = 40 + random.int(SLOTS_BEFORE - 40);
    // The responding node is behind. The blockhash comes from another node and is up to 20 blocks old.
    const seen = now - random.int(31);
    const height = blockSlots.findLastIndex((slot) => slot <= now) - random.int(21);
    const lastValid = height + BLOCKHASH_LIFE;
    const first = blockSlots.findIndex((slot) => slot > now);
    // Half of the undos land as late as possible.
    const landed = random.chance(0.5) ? lastValid : first + random.int(lastValid - first + 1);
    const isBehind = blockSlots[landed]! >= SLOTS_BEFORE;
    const absoluteSlot = BOUNDARY - BigInt(SLOTS_BEFORE - seen);
    const context = planContext({
      walletLamports: 10n ** 9n,
      account: UNDONE,
      position: { absoluteSlot, slotIndex: absoluteSlot % 432_000n },
    });
    const request = { wallet: PLAN.wallet, goal: 'undo', accounts: [PLAN.stakeAccount], key: 'key' } as const;
    const prepared = await preparePlan(context, request, signal).catch((error: unknown) => {
      assert.ok(isAppError(error, 'EPOCH_BOUNDARY_NEAR'), String(error));
      return null;
    });
    if (prepared === null) {
      counts[isBehind ? 'not built, would land too late' : 'not built'] += 1;
      continue;
    }
    built += 1;
    runtime.setAccount({
      address: PLAN.wallet,
      owner: SYSTEM_PROGRAM,
      lamports: 10n ** 9n,
      data: new Uint8Array(),
    });
    counts[land(runtime, prepared.plan.transactions[0]!.operations, isBehind)] += 1;
  }
  t.diagnostic(JSON.stringify(counts));
  assert.equal(counts['a new stake'] + counts.refused, 0, JSON.stringify(counts));
  assert.ok(counts['not built, would land too late'] > UNDOS / 20, JSON.stringify(counts));
});

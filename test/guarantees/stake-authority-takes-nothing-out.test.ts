// RING-0: on the real Stake program, a key that is only the stake authority can sign no transaction that takes
// a lamport from the owner, who is the withdraw authority.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Address,
  createNoopSigner,
  downgradeRoleToNonSigner,
  type Instruction,
  isSignerRole,
} from '@solana/kit';
import {
  getAuthorizeCheckedInstruction,
  getAuthorizeInstruction,
  getAuthorizeWithSeedInstruction,
  getDeactivateDelinquentInstruction,
  getInitializeInstruction,
  getSetLockupCheckedInstruction,
  getSetLockupInstruction,
  getWithdrawInstruction,
  StakeAuthorize,
} from '@solana-program/stake';
import {
  getAllocateInstruction,
  getAssignInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import { parseMessage } from '../../src/chain/transactions/wire-message.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { goalRecord, stakeAuthorityGoals } from '../../src/domain/plan/plan-goals.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { lockupInForce, NO_LOCKUP } from '../../src/domain/stake/stake-account.ts';
import { checkEffects } from '../../src/domain/transaction/effects/check-effects.ts';
import { decodeInstruction } from '../../src/domain/transaction/instruction-decoder.ts';
import { networkFeeLamports } from '../../src/domain/transaction/instruction-fees.ts';
import { type Expectations, recognizeTransaction } from '../../src/domain/transaction/stake-verifier.ts';
import { messageOf, nodeFactsOf, requestOfGoal } from '../support/effects-of-plans.ts';
import { MachineWorld } from '../support/machine-world.ts';
import { planWorldOf } from '../support/planned-worlds.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import * as build from '../support/truth-instructions.ts';
import { compileUnsigned } from '../support/truth-message.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom } from '../support/truth-random.ts';
import type { TruthRefusal } from '../support/truth-runtime.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const TRANSACTIONS = FULL ? 10_000 : 1_000;
const PER_WORLD = 10;
const FIRST_SEED = 20_310_607;
const SOL = 1_000_000_000n;
const SYSTEM = '11111111111111111111111111111111' as Address;
const MEMO = 'example.org';
const AGENT_LAMPORTS = 1_000n * SOL;

const { runtime, keys } = preparedTruth();
const { owner, staker: agent } = keys;
const signer = createNoopSigner;

/** The accounts used by the generated instructions. */
interface Cast {
  readonly world: MachineWorld;
  /** Another wallet that helps the agent. Its key does not sign. */
  readonly thief: Address;
  /** Addresses of stake accounts, and some addresses without an account. */
  readonly stakes: Address[];
  /** Addresses whose keys the agent created and signs with. */
  readonly made: Set<Address>;
}

const newCast = (seed: number): Cast => {
  const random = createTruthRandom(seed);
  const world = new MachineWorld(runtime, keys, random);
  const thief = readAddressAt(random.bytes(32), 0);
  world.setWallet(agent, AGENT_LAMPORTS);
  world.setWallet(owner, 100n * SOL);
  const stakes = Array.from({ length: 3 + random.int(4) }, () =>
    world.plant({
      otherStaker: 0.85,
      locked: 0.15,
      dust: 0.15,
      active: 0.4,
      activating: 0.15,
      deactivating: 0.15,
    }),
  );
  // Adds target accounts that the agent or the thief could empty.
  for (const withdrawAuthority of [agent, thief]) {
    const address = world.newAddress();
    const delegation = { voteAccount: keys.votes[0]!, stakeLamports: 5n * SOL };
    runtime.setAccount({
      address,
      owner: STAKE_PROGRAM,
      lamports: 6n * SOL,
      data: stakeAccountBytes({
        wallet: agent,
        withdrawAuthority,
        ...(random.chance(0.7) && { delegation }),
      }),
    });
    stakes.push(address);
  }
  return { world, thief, stakes, made: new Set() };
};

/** Returns the amount that the owner can ever withdraw, and how much of it is not locked. */
const ownedLamports = ({ world }: Pick<Cast, 'world'>): { readonly all: bigint; readonly free: bigint } => {
  const { stakes, wallets } = world.accounts();
  const { epoch, unixTimestamp } = runtime;
  let all = wallets.get(owner) ?? 0n;
  let free = all;
  for (const one of stakes.values())
    if ('withdrawAuthority' in one && one.withdrawAuthority === owner) {
      all += one.lamports;
      if (!lockupInForce(one.lockup, epoch, unixTimestamp)) free += one.lamports;
    }
  return { all, free };
};

type Draw = (cast: Cast) => readonly Instruction[];

const anyStake = ({ world, stakes }: Cast): Address => world.random.pick(stakes);
const anyone = ({ world, thief }: Cast): Address =>
  world.random.pick([agent, agent, agent, agent, owner, thief]);
const amount = ({ world }: Cast): bigint => world.random.lamports(12n * SOL);
const freshStake = ({ world, stakes, made }: Cast): Address => {
  const address = world.newAddress();
  stakes.push(address);
  made.add(address);
  return address;
};
const anyRole = ({ world }: Cast): StakeAuthorize =>
  world.random.pick([StakeAuthorize.Withdrawer, StakeAuthorize.Withdrawer, StakeAuthorize.Staker]);
const anyLockup = ({ world, thief }: Cast) => ({
  unixTimestamp: world.random.pick([0n, 2n ** 62n]),
  epoch: world.random.pick([0n, 2n ** 62n]),
  custodian: world.random.pick([agent, thief]),
});

/**
 * Generators of every way to touch stake or lamports, with accounts and authorities of the agent, the owner and
 * a thief.
 */
const draws = {
  delegate: (cast) => [build.delegate(anyStake(cast), cast.world.random.pick(keys.votes), anyone(cast))],
  deactivate: (cast) => [build.deactivate(anyStake(cast), anyone(cast))],
  deactivateDelinquent: (cast) => [
    getDeactivateDelinquentInstruction({
      stake: anyStake(cast),
      delinquentVote: keys.votes[0]!,
      referenceVote: keys.votes[1]!,
    }),
  ],
  split: (cast) => {
    const into = freshStake(cast);
    const rent = cast.world.random.pick([0n, runtime.stakeRentLamports]);
    return [
      build.createStake(agent, into, rent),
      build.split(anyStake(cast), into, anyone(cast), amount(cast)),
    ];
  },
  merge: (cast) => [build.merge(anyStake(cast), anyStake(cast), anyone(cast))],
  moveStake: (cast) => [build.moveStake(anyStake(cast), anyStake(cast), anyone(cast), amount(cast))],
  moveLamports: (cast) => [build.moveLamports(anyStake(cast), anyStake(cast), anyone(cast), amount(cast))],
  withdraw: (cast) => {
    const lockupAuthority = cast.world.random.chance(0.3) ? signer(agent) : undefined;
    return [
      getWithdrawInstruction({
        stake: anyStake(cast),
        recipient: cast.world.random.pick([agent, cast.thief, owner]),
        withdrawAuthority: signer(anyone(cast)),
        args: amount(cast),
        ...(lockupAuthority && { lockupAuthority }),
      }),
    ];
  },
  authorize: (cast) => {
    const [stake, authority] = [anyStake(cast), signer(anyone(cast))];
    const [role, newAuthority] = [anyRole(cast), cast.world.random.pick([agent, cast.thief])];
    return [
      cast.world.random.pick([
        getAuthorizeInstruction({ stake, authority, arg0: newAuthority, arg1: role }),
        getAuthorizeCheckedInstruction({
          stake,
          authority,
          newAuthority: signer(newAuthority),
          stakeAuthorize: role,
        }),
        getAuthorizeWithSeedInstruction({
          stake,
          base: authority,
          newAuthorizedPubkey: newAuthority,
          stakeAuthorize: role,
          authoritySeed: 'stake:0',
          authorityOwner: SYSTEM,
        }),
      ]),
    ];
  },
  setLockup: (cast) => {
    const [stake, authority] = [anyStake(cast), signer(anyone(cast))];
    const { custodian, ...lockup } = anyLockup(cast);
    return [
      cast.world.random.pick([
        getSetLockupInstruction({ stake, authority, ...lockup, custodian }),
        getSetLockupCheckedInstruction({ stake, authority, ...lockup, newAuthority: signer(agent) }),
      ]),
    ];
  },
  initialize: (cast) => [
    getInitializeInstruction({
      stake: anyStake(cast),
      arg0: { staker: agent, withdrawer: agent },
      arg1: NO_LOCKUP,
    }),
  ],
  transfer: (cast) => [
    getTransferSolInstruction({
      source: signer(cast.world.random.pick([owner, anyStake(cast), agent])),
      destination: cast.world.random.pick([agent, cast.thief, anyStake(cast)]),
      amount: amount(cast),
    }),
  ],
  assign: (cast) => [
    cast.world.random.pick([
      getAssignInstruction({
        account: signer(cast.world.random.pick([anyStake(cast), owner])),
        programAddress: SYSTEM,
      }),
      getAllocateInstruction({
        newAccount: signer(cast.world.random.pick([anyStake(cast), owner])),
        space: 8n,
      }),
    ]),
  ],
} as const satisfies Record<string, Draw>;
type DrawName = keyof typeof draws;
const names = Object.keys(draws) as DrawName[];

/**
 * Generators whose transactions can land, because a stake authority may send them or because they affect only
 * the agent's own lamports.
 */
const MAY_LAND: readonly DrawName[] = [
  'delegate',
  'deactivate',
  'split',
  'merge',
  'moveStake',
  'moveLamports',
  'authorize',
  'transfer',
];

/** Removes every signature that the agent cannot make. */
const signedByAgent =
  ({ made }: Cast) =>
  (instruction: Instruction): Instruction => ({
    ...instruction,
    accounts: (instruction.accounts ?? []).map(({ address, role }) => ({
      address,
      role:
        isSignerRole(role) && address !== agent && !made.has(address) ? downgradeRoleToNonSigner(role) : role,
    })),
  });

const expectations = (more: Partial<Expectations> = {}): Expectations => ({
  voteAccount: keys.votes[0]!,
  memo: MEMO,
  wallet: agent,
  owner,
  ...more,
});

/**
 * Returns whether the verifier would let the agent sign these instructions for the owner, and the maximum cost
 * that the verifier reports.
 */
const checkResultOf = (instructions: readonly Instruction[]) => {
  const { requiredSigners, instructions: compiled } = parseMessage(
    compileUnsigned(agent, [...instructions, memo]).messageBytes as unknown as Uint8Array,
  );
  const decoded = compiled.map(decodeInstruction);
  const seen = recognizeTransaction(
    { feePayer: requiredSigners[0]!, requiredSigners, instructions: decoded },
    expectations(),
  );
  return {
    ok: seen.ok,
    mostLamports:
      networkFeeLamports({ requiredSigners, instructions: decoded }) + (seen.effects?.rentLamports ?? 0n),
  };
};
const memo: Instruction = {
  programAddress: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address,
  data: Buffer.from(MEMO),
};

/** Sends one transaction and asserts that the owner has lost nothing. */
const sendAlone = (cast: Cast, send: () => TruthRefusal | null, story: string): TruthRefusal | null => {
  const before = ownedLamports(cast);
  const refusal = send();
  const after = ownedLamports(cast);
  assert.ok(after.all >= before.all, `${story}: the owner lost ${before.all - after.all} lamports`);
  assert.ok(after.free >= before.free, `${story}: ${before.free - after.free} lamports were locked`);
  if (refusal !== null) assert.equal(after.all, before.all, `${story}: refused, but lamports moved`);
  return refusal;
};

const agentLamports = (): bigint => runtime.account(agent)?.lamports ?? 0n;

/** Picks a goal that a stake authority can reach. */
const drawnGoal = ({ world }: Cast): PlanGoal => {
  const goal = world.random.pick(stakeAuthorityGoals);
  return goal === 'unstake'
    ? {
        goal,
        lamports: world.random.lamports(20n * SOL) + 1n,
        rounding: world.random.pick(['exact', 'atLeast']),
      }
    : ({ goal } as PlanGoal);
};

test(`RING-0: ${TRANSACTIONS} transactions signed only by the agent's key take no lamport from the owner`, (t) => {
  const accepted = new Map<string, number>();
  const refused = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  let verified = 0;
  let planned = 0;
  let sent = 0;
  for (const seed of truthSeeds(FIRST_SEED, TRANSACTIONS)) {
    if (sent >= TRANSACTIONS) break;
    const cast = newCast(seed);
    const { random } = cast.world;
    for (let step = 0; step < PER_WORLD && sent < TRANSACTIONS; step += 1) {
      const story = `HOLDFAST_TEST_SEED=${seed}, transaction ${step}`;
      if (random.chance(0.2)) {
        const goal = drawnGoal(cast);
        const whole = planWorldOf(cast.world, MEMO.length);
        const planWorld = {
          ...whole,
          // The service plans with the accounts at its validator.
          accounts: whole.accounts.filter(
            ({ delegation }) => (delegation?.voteAccount ?? whole.voteAccount) === whole.voteAccount,
          ),
          wallet: agent,
          walletLamports: agentLamports(),
          owner,
        };
        const result = planStakeChange(goal, planWorld);
        if (!result.ok) continue;
        const messages = result.plan.transactions.map(({ operations }) => messageOf(operations, planWorld));
        const request = { ...requestOfGoal(goal, planWorld), owner };
        assert.deepEqual(checkEffects(request, messages, nodeFactsOf(planWorld)).problems, [], story);
        for (const { operations } of result.plan.transactions) {
          const built = buildTransaction.rearrange({
            wallet: agent,
            memo: MEMO,
            blockhash: agent,
            operations,
          });
          for (const address of built.requiredSigners) if (address !== agent) cast.made.add(address);
          const seen = recognizeTransaction(built, expectations({ allowed: goalRecord(goal.goal).allowed }));
          assert.deepEqual([seen.problems, seen.owner], [[], owner], story);
          const before = agentLamports();
          const rentLamports = seen.effects?.rentLamports ?? 0n;
          const refusal = sendAlone(cast, () => runtime.runWire(encodeWire(built)), `${story}: ${goal.goal}`);
          assert.equal(refusal, null, `${story}: ${goal.goal} ${JSON.stringify(refusal)}`);
          assert.equal(before - agentLamports(), built.networkFeeLamports + rentLamports, story);
          cast.stakes.push(...built.requiredSigners.slice(1));
          count(accepted, `plan ${goal.goal}`);
          planned += 1;
          sent += 1;
        }
        continue;
      }
      const drawn = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => random.pick(names));
      const draw = () => drawn.flatMap((name) => (draws[name] as Draw)(cast)).map(signedByAgent(cast));
      let instructions = draw();
      // In half of the attempts, generates new accounts and amounts until the chain would accept the
      // instructions.
      for (
        let left = random.pick([0, 20]);
        left > 0 && runtime.simulate(instructions, agent) !== null;
        left -= 1
      )
        instructions = draw();
      const { ok, mostLamports } = checkResultOf(instructions);
      const before = agentLamports();
      const refusal = sendAlone(
        cast,
        () => runtime.run(instructions, agent),
        `${story}: ${drawn.join(', ')}`,
      );
      sent += 1;
      for (const name of drawn) count(refusal === null ? accepted : refused, name);
      if (!ok || refusal !== null) continue;
      verified += 1;
      assert.ok(
        before - agentLamports() <= mostLamports,
        `${story}: the agent paid more than the verifier says`,
      );
    }
  }
  const shown = (counts: ReadonlyMap<string, number>) =>
    JSON.stringify(Object.fromEntries([...counts].sort()));
  t.diagnostic(`sent ${sent}, planned ${planned}, passed the verifier ${verified}`);
  t.diagnostic(`accepted ${shown(accepted)}`);
  t.diagnostic(`refused ${shown(refused)}`);
  if (process.env.HOLDFAST_TEST_SEED) return;
  assert.equal(sent, TRANSACTIONS);
  const least = TRANSACTIONS / 400;
  for (const name of names) assert.ok((refused.get(name) ?? 0) > least, `refused ${name}`);
  for (const name of MAY_LAND) assert.ok((accepted.get(name) ?? 0) > least, `accepted ${name}`);
  for (const goal of stakeAuthorityGoals)
    assert.ok((accepted.get(`plan ${goal}`) ?? 0) > least, `accepted plan ${goal}`);
  assert.ok(verified > least, 'too few random transactions passed the verifier');
});

test('RING-0 a theft signed by the owner is detected as a loss', () => {
  const cast = newCast(FIRST_SEED);
  const before = ownedLamports(cast);
  const mine = planWorldOf(cast.world).accounts.find(
    ({ withdrawAuthority, delegation }) => withdrawAuthority === owner && delegation !== null,
  )!;
  const source = signer(owner);
  const stolen = [getTransferSolInstruction({ source, destination: agent, amount: 1n })];
  assert.notEqual(runtime.run(stolen.map(signedByAgent(cast)), agent), null);
  assert.equal(ownedLamports(cast).all, before.all);
  assert.equal(runtime.run(stolen, agent), null);
  assert.equal(ownedLamports(cast).all, before.all - 1n);
  const given = getAuthorizeInstruction({
    stake: mine.address,
    authority: source,
    arg0: agent,
    arg1: StakeAuthorize.Withdrawer,
    lockupAuthority: signer(mine.lockup.custodian),
  });
  assert.notEqual(runtime.run([signedByAgent(cast)(given)], agent), null);
  assert.equal(runtime.run([given], agent), null);
  assert.equal(ownedLamports(cast).all, before.all - 1n - mine.lamports);
});

// Time to plan every goal for 50 accounts of two validators in all states, compared with evaluating the same
// accounts once.
import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../src/domain/instruction-programs.ts';
import type { PlanInputs } from '../src/domain/plan/plan.ts';
import { type PlanGoal, planStakeChange } from '../src/domain/plan/plan-for-goal.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../src/domain/stake/stake-account.ts';
import type { StakeHistoryEntry } from '../src/domain/stake/stake-history.ts';
import { assessStake } from '../src/domain/stake/stake-state.ts';
import { encodeBase58 } from '../src/kernel/base58.ts';
import { type BenchRow, median } from './benchmark-row.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const EPOCH = 900n;
const ACCOUNTS = 50;
const ROUNDS = 25;
const GOAL_MS = 20;

const addressOf = (tag: number): Address =>
  encodeBase58(
    Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? tag % 256 : 7 + Math.floor(tag / 256))),
  ) as Address;
const wallet = addressOf(1_001);
const votes = [addressOf(1_002), addressOf(1_003)] as const;

/**
 * Creates an account. Amounts use all digits, so no two sums are equal. One account in seven is below the
 * minimum, and one in five is deactivating or activating.
 */
const account = (index: number): StakeAccount => {
  const stakeLamports = index % 7 === 0 ? 200_000_000n + BigInt(index) : SOL + BigInt(index) * 1_234_567_891n;
  const activationEpoch = index % 10 === 0 ? EPOCH : 3n;
  const deactivationEpoch = index % 10 === 5 ? EPOCH : EPOCH_ABSENT;
  return {
    address: addressOf(index),
    lamports: RENT + stakeLamports + BigInt(index) * 1_000n,
    kind: 'delegated',
    stakeAuthority: wallet,
    withdrawAuthority: wallet,
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
    delegation: {
      voteAccount: votes[index % 3 === 0 ? 1 : 0],
      stakeLamports,
      activationEpoch,
      deactivationEpoch,
      creditsObserved: 0n,
    },
  };
};

const world = (): PlanInputs => {
  const history = new Map<bigint, StakeHistoryEntry>();
  const entry = { effectiveLamports: 400_000_000n * SOL, activatingLamports: SOL, deactivatingLamports: SOL };
  for (let epoch = EPOCH - 512n; epoch < EPOCH; epoch += 1n) history.set(epoch, entry);
  return {
    wallet,
    walletLamports: 10n * SOL,
    accounts: Array.from({ length: ACCOUNTS }, (_, index) => account(index)),
    chain: {
      epoch: EPOCH,
      history,
      stakeRentLamports: RENT,
      unixTimestamp: 0n,
      epochRewardsActive: false,
      minimumDelegationLamports: SOL,
      voteCredits: new Map(votes.map((vote) => [vote, 0n])),
    },
    voteAccount: votes[0],
    newAddress: (index) => addressOf(2_000 + index),
    signatureFeeLamports: 5_000n,
    memoBytes: 25,
  };
};

const goals: readonly PlanGoal[] = [
  { goal: 'unstake', lamports: 777n * SOL + 1n, rounding: 'exact' },
  { goal: 'unstake', lamports: 3n * SOL, rounding: 'exact' },
  { goal: 'unstake', lamports: SOL / 2n, rounding: 'atLeast' },
  { goal: 'withdraw-amount', lamports: 555n * SOL, rounding: 'exact' },
  { goal: 'undo', lamports: 20n * SOL },
  { goal: 'undo' },
  { goal: 'restake' },
  { goal: 'top-up', lamports: SOL },
  { goal: 'tidy' },
  { goal: 'sweep', to: 'wallet' },
  { goal: 'sweep', to: 'activating' },
  { goal: 'migrate' },
  { goal: 'withdraw-all' },
];

/** Measures the slowest goal. Returns medians of 25 rounds. */
export const benchPlan = async (): Promise<BenchRow> => {
  const one = world();
  const times = new Map<PlanGoal, number[]>(goals.map((goal) => [goal, []]));
  const reads: number[] = [];
  const timed = (run: () => unknown): number => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const goal of goals) times.get(goal)!.push(timed(() => planStakeChange(goal, one)));
    reads.push(timed(() => one.accounts.map((account) => assessStake(account, one.chain))));
  }
  const value = Math.max(...[...times.values()].map(median));
  return {
    path: `planning a change, ${ACCOUNTS} accounts, the slowest of ${goals.length} goals`,
    control: 'evaluating each account once',
    value,
    controlValue: median(reads),
    unit: 'ms',
    goal: `≤ ${GOAL_MS} ms`,
    met: value <= GOAL_MS,
  };
};

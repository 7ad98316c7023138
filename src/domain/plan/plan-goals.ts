// One record per goal of a stake change: its texts, and the instructions that its transactions may contain,
// regardless of where the plan comes from.
import type { OwnInstruction } from '../instruction-types.ts';

interface GoalRecord {
  /** Button text, such as `Unstake`. */
  readonly verb: string;
  /** Instructions allowed in the plan's transactions; others are never signed. */
  readonly allowed: readonly OwnInstruction[];
  readonly amount: 'required' | 'optional' | 'none';
  /** True if a stake authority that cannot withdraw can achieve the goal. */
  readonly forStakeAuthority: boolean;
  /** Maximum effects. `checkEffects` refuses anything beyond them. */
  readonly bound: GoalBound;
}

/** Maximum effects of all transactions of one approval, regardless of where the plan comes from. */
export interface GoalBound {
  /**
   * Stake that may be deactivated: the requested amount, the account that the request names, stake delegated
   * to other validators, or none.
   */
  readonly deactivates: 'amount' | 'named' | 'elsewhere' | 'none';
  /**
   * SOL that may be delegated: the requested amount, the account that the request names, stake whose
   * deactivation began in this epoch, inactive stake, stake delegated to other validators, idle SOL in
   * accounts, the rent of merged accounts, or none.
   */
  readonly stakes: 'amount' | 'named' | 'undone' | 'inactive' | 'elsewhere' | 'idle' | 'rent' | 'none';
  /**
   * SOL that may move from stake accounts to the wallet. `amount`: no more than the requested amount,
   * including the deactivated stake. `staked`: exactly the amount of a new stake. `idle`: idle SOL in
   * accounts that hold stake. `free`: any free SOL.
   */
  readonly withdraws: 'amount' | 'staked' | 'idle' | 'free' | 'none';
  /**
   * Condition for a merge. `moved`: its target gives or receives stake in the same transaction (if that
   * happens in a later transaction, a person decides). `delegated`: its target is delegated later in the same
   * transaction. `new`: its source is a new stake. `alike`: both accounts are in the same state.
   */
  readonly merges: 'moved' | 'delegated' | 'new' | 'alike' | 'none';
  /** Number of accounts that may be divided, each of them once. */
  readonly mostSplits: number;
  /** Number of accounts that may be created other than by a split. */
  readonly mostNewStakes: number;
  /** True if accounts at other validators may change even if the request does not name them. */
  readonly otherValidators: boolean;
}

export const NOTHING: GoalBound = {
  deactivates: 'none',
  stakes: 'none',
  withdraws: 'none',
  merges: 'none',
  mostSplits: 0,
  mostNewStakes: 0,
  otherValidators: false,
};

const CUT: readonly OwnInstruction[] = [
  'system.createAccount',
  'stake.split',
  'stake.moveStake',
  'stake.merge',
  'stake.deactivate',
];

/**
 * Maximum number of accounts that a plan divides by creating a new account, largest first. Without this
 * limit, the worst of 17,273 plans (for 20,000 random wallets with many stakes slightly above two minimum
 * delegations) divided 12 accounts; 96 % divided at most 4. With the limit, such a wallet is offered the
 * nearest reachable amounts instead. To repeat the measurement, raise the limit and run `HOLDFAST_TEST_FULL=1
 * node scripts/run.mjs scripts/test.ts plan-splits`.
 */
export const MAX_SPLITS = 4;

/**
 * Minimum distance to the epoch boundary, in slots. A transaction that undid a deactivation after the
 * boundary would restart the activation and cost an epoch of rewards, so none is built that could land after
 * it: a blockhash is valid for 150 blocks, and up to half of the slots in between may have no block.
 */
export const UNDO_MARGIN_SLOTS = 300;

/** All goals, by the name that callers use. */
export const planGoals = {
  unstake: {
    verb: 'Unstake',
    allowed: CUT,
    amount: 'required',
    forStakeAuthority: true,
    bound: { ...NOTHING, deactivates: 'amount', merges: 'moved', mostSplits: MAX_SPLITS },
  },
  'withdraw-amount': {
    verb: 'Withdraw',
    allowed: [...CUT, 'stake.withdraw'],
    amount: 'required',
    forStakeAuthority: false,
    bound: {
      ...NOTHING,
      deactivates: 'amount',
      withdraws: 'amount',
      merges: 'moved',
      mostSplits: MAX_SPLITS + 1,
    },
  },
  undo: {
    verb: 'Undo unstake',
    allowed: [
      'system.createAccount',
      'system.transfer',
      'stake.split',
      'stake.delegateStake',
      'stake.withdraw',
    ],
    amount: 'optional',
    forStakeAuthority: true,
    bound: { ...NOTHING, stakes: 'undone', mostSplits: MAX_SPLITS },
  },
  restake: {
    verb: 'Stake again',
    allowed: [
      'system.createAccount',
      'stake.initialize',
      'stake.merge',
      'stake.delegateStake',
      'stake.withdraw',
    ],
    amount: 'none',
    forStakeAuthority: true,
    bound: {
      ...NOTHING,
      stakes: 'inactive',
      withdraws: 'staked',
      merges: 'delegated',
      mostNewStakes: 1,
    },
  },
  'top-up': {
    verb: 'Add stake',
    allowed: [
      'system.createAccount',
      'stake.initialize',
      'stake.delegateStake',
      'stake.merge',
      'stake.moveLamports',
    ],
    amount: 'required',
    forStakeAuthority: false,
    bound: { ...NOTHING, stakes: 'amount', merges: 'new', mostNewStakes: 1 },
  },
  tidy: {
    verb: 'Merge accounts',
    allowed: ['stake.merge', 'stake.withdraw'],
    amount: 'none',
    forStakeAuthority: true,
    bound: { ...NOTHING, stakes: 'rent', withdraws: 'free', merges: 'alike' },
  },
  sweep: {
    verb: 'Sweep',
    allowed: [
      'system.createAccount',
      'stake.initialize',
      'stake.delegateStake',
      'stake.moveLamports',
      'stake.withdraw',
    ],
    amount: 'optional',
    forStakeAuthority: false,
    bound: { ...NOTHING, stakes: 'idle', withdraws: 'idle', mostNewStakes: 1 },
  },
  migrate: {
    verb: 'Bring stake',
    allowed: ['stake.authorize', 'stake.deactivate', 'stake.delegateStake'],
    amount: 'none',
    forStakeAuthority: false,
    bound: { ...NOTHING, deactivates: 'elsewhere', stakes: 'elsewhere', otherValidators: true },
  },
  rescue: {
    verb: 'Take back',
    allowed: ['stake.authorize'],
    amount: 'none',
    forStakeAuthority: false,
    bound: { ...NOTHING, otherValidators: true },
  },
  'withdraw-all': {
    verb: 'Withdraw all',
    allowed: ['stake.withdraw'],
    amount: 'none',
    forStakeAuthority: false,
    bound: { ...NOTHING, withdraws: 'free' },
  },
} as const satisfies Record<string, GoalRecord>;

/** Bound of a sweep, by the destination of the idle SOL. */
const SWEEP_BOUNDS = {
  wallet: { ...NOTHING, withdraws: 'idle' },
  stake: planGoals.sweep.bound,
  activating: { ...NOTHING, stakes: 'idle' },
} as const satisfies Record<string, GoalBound>;

/** Name of a goal. */
export type GoalName = keyof typeof planGoals;

/** All names, in the order of the records. */
export const goalNames = Object.keys(planGoals) as [GoalName, ...GoalName[]];

/** Returns the record of a goal, with the same type for all goals. */
export const goalRecord = (goal: GoalName): GoalRecord => planGoals[goal];

/** Names of the goals that a stake authority can achieve alone. */
export const stakeAuthorityGoals = goalNames.filter((goal) => planGoals[goal].forStakeAuthority);

/** Returns the bound of a goal. `to` is the destination of a sweep. */
export const goalBound = (goal: GoalName, to: keyof typeof SWEEP_BOUNDS = 'wallet'): GoalBound =>
  goal === 'sweep' ? SWEEP_BOUNDS[to] : planGoals[goal].bound;

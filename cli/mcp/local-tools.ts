// The four tools that sign on this machine without taking a secret key.
import type { Tool } from '@modelcontextprotocol/server';
import { solToLamports } from '../../client/sol-amount.ts';
import type { StakingRequest } from '../../client/staking/staking-request.ts';
import { goalDescriptions } from '../../src/domain/plan/goal-descriptions.ts';
import { type GoalName, goalNames } from '../../src/domain/plan/plan-goals.ts';
import { priorityLevels } from '../../src/domain/priority-levels.ts';
import { ADDRESS_PATTERN } from '../../src/kernel/base58.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Names of the local tools. The service's tools with these names are never offered, because they take a
 * secret key.
 */
export const LOCAL_TOOLS = ['stake', 'unstake', 'withdraw', 'change_stake'] as const;

export type LocalToolName = (typeof LOCAL_TOOLS)[number];

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'Identifies this request. If the outcome of a call is unknown, repeat it with the same key: it cannot take effect twice. Default: a new key, which the response contains.',
} as const;

const priority = {
  type: 'string',
  enum: [...priorityLevels],
  description: 'Priority fee while the network is busy, at most 0.001 SOL. Default: none.',
};

const address = (description: string) => ({
  type: 'string',
  minLength: 32,
  maxLength: 44,
  pattern: ADDRESS_PATTERN,
  description,
});

const amount = (description: string) => ({
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 9_000_000,
  description,
});

const ROUNDINGS = ['exact', 'atLeast'] as const;
const DESTINATIONS = ['wallet', 'stake', 'activating'] as const;

/** Planner goals by the meaning of the amount (`want`). */
const GOAL_OF_WANT = {
  unstake: 'unstake',
  withdrawAmount: 'withdraw-amount',
} as const satisfies Record<string, GoalName>;

const rounding = {
  type: 'string',
  enum: [...ROUNDINGS],
  description: 'With amountSol: exactly that much (default), or slightly more if that is not possible.',
};

const text = { type: 'string' };

/**
 * Schema of responses and failures, without descriptions, because every agent loads the schema with each of
 * these tools.
 */
const outputSchema = {
  type: 'object',
  properties: {
    ...{ signature: text, explorerUrl: text, message: text, walletAddress: text, voteAccount: text },
    ...{ stakeAccountAddress: text, amountSol: { type: 'number' }, unstaked: { type: 'object' } },
    ...{ estimatedActiveAt: text, idempotencyKey: text, replayed: { type: 'boolean' } },
    ...{ extraInstructions: { type: 'array' } },
    ...{ warnings: { type: 'array' }, error: text, errorCode: text, suggestedAction: text, signUrl: text },
    signUrlExpiresAt: text,
  },
} as unknown as NonNullable<Tool['outputSchema']>;

const HOW =
  "The service builds the transaction; this machine checks that it does exactly this and nothing else, signs it with the user's keypair file, and waits until the cluster has confirmed it. No secret key is needed or accepted. On a real cluster this spends real SOL: tell the user what will happen before you call it.";

export const describeLocalTools = (wallet: string): Record<LocalToolName, Tool> => {
  const walletAddress = address(`Only the wallet that signs here. Default: ${wallet}.`);
  const owner = address(
    'The wallet that may withdraw, if the wallet here is only the stake authority, which cannot withdraw. Default: the wallet here.',
  );
  return {
    stake: {
      name: 'stake',
      title: 'Stake SOL, signed on this machine',
      description: `Stakes SOL of ${wallet} in a new stake account that only this wallet controls; or, with stakeAccountAddress instead of amountSol, delegates that inactive account's whole balance again. ${HOW} Call check_balance and simulate_stake before (its warnings say, for example, that a stake of this size cannot be split later) and check_stake_accounts after; the stake becomes active at the next epoch boundary at the earliest (get_epoch_timing).`,
      inputSchema: {
        type: 'object',
        properties: {
          amountSol: amount('Total moved into the new stake account, in SOL, rent included.'),
          stakeAccountAddress: address('Instead of amountSol: the inactive stake account to delegate again.'),
          owner,
          walletAddress,
          priority,
          idempotencyKey,
        },
      },
      outputSchema,
      annotations: {
        title: 'Stake SOL, signed on this machine',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    unstake: {
      name: 'unstake',
      title: 'Unstake, signed on this machine',
      description: `Deactivates one stake account of ${wallet} (address from check_stake_accounts), or amountSol across all its accounts. It still earns this epoch's reward. It can be withdrawn once its cooldown is over, usually at the next epoch boundary, or at once if it was not active yet (check_withdraw_ready). ${HOW}`,
      inputSchema: {
        type: 'object',
        properties: {
          stakeAccountAddress: address(
            'The stake account to deactivate; with amountSol, the only account to take it from.',
          ),
          amountSol: amount('Exact amount in SOL. Default: the whole account.'),
          rounding,
          want: {
            type: 'string',
            enum: [...Object.keys(GOAL_OF_WANT)],
            description:
              'Meaning of amountSol: `unstake` (default) deactivates that much active stake, in addition to stake already deactivating; `withdrawAmount` is the SOL that arrives in the wallet, in addition to rent of accounts that close.',
          },
          owner,
          walletAddress,
          priority,
          idempotencyKey,
        },
      },
      outputSchema,
      annotations: {
        title: 'Unstake, signed on this machine',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: true,
      },
    },
    withdraw: {
      name: 'withdraw',
      title: 'Withdraw, signed on this machine',
      description: `Returns SOL from a stake account to ${wallet}. Without amountSol it withdraws everything and closes the account; all: true does so for every inactive account. Call check_withdraw_ready first. ${HOW}`,
      inputSchema: {
        type: 'object',
        properties: {
          stakeAccountAddress: address('The stake account to withdraw from.'),
          amountSol: amount('Amount to withdraw in SOL. Default: everything.'),
          all: {
            type: 'boolean',
            const: true,
            description: 'Instead of an account: every inactive account.',
          },
          walletAddress,
          priority,
          idempotencyKey,
        },
      },
      outputSchema,
      annotations: {
        title: 'Withdraw, signed on this machine',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    change_stake: {
      name: 'change_stake',
      title: 'Change stake, signed on this machine',
      description: `Changes the stake of ${wallet} in several steps of one transaction: ${goalNames.map((goal) => `${goal} (${goalDescriptions[goal]})`).join(' ')} Call plan_stake_change first and show the user every account before and after. Stake is delegated only to this service's validator, and SOL leaves accounts only to this wallet. ${HOW}`,
      inputSchema: {
        type: 'object',
        properties: {
          goal: { type: 'string', enum: [...goalNames], description: 'Goal of the change.' },
          amountSol: amount(
            'SOL. unstake: active stake to deactivate. withdraw-amount: the SOL that arrives, without rent of accounts that close. top-up: amount to add. undo: amount to keep staked. sweep to stake: amount the wallet adds.',
          ),
          rounding,
          to: {
            type: 'string',
            enum: [...DESTINATIONS],
            description: 'Destination of a sweep. Default: the wallet.',
          },
          stakeAccountAddresses: {
            type: 'array',
            items: { type: 'string', pattern: ADDRESS_PATTERN },
            minItems: 1,
            description: 'Use only these accounts.',
          },
          owner,
          walletAddress,
          priority,
          idempotencyKey,
        },
        required: ['goal'],
      },
      outputSchema,
      annotations: {
        title: 'Change stake, signed on this machine',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
  };
};

/** Name of the tool that reports the budget. */
export const BUDGET_TOOL = 'check_budget';

export const describeBudgetTool = (wallet: string): Tool => ({
  name: BUDGET_TOOL,
  title: 'What may still be signed on this machine',
  description: `The limits on what this machine signs for ${wallet}: each with the SOL used and left and when more becomes available (freesAt, allFreeAt, freesInEpoch), the allowed operations and hours, and the amount above which a person must approve. Reads only; also the resource holdfast://budget.`,
  inputSchema: { type: 'object', properties: {} },
  annotations: {
    title: 'What may still be signed on this machine',
    readOnlyHint: true,
    openWorldHint: false,
  },
});

type Given = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const textIn = (given: Given, name: string): string => {
  const value = given[name];
  if (!isText(value)) throw new UsageError(`${name} is missing`);
  return value;
};

const lamportsIn = (given: Given, name: string): bigint => {
  const value = given[name];
  try {
    // Only numbers, because the service's own tools refuse amounts as text too.
    const lamports = typeof value === 'number' ? solToLamports(value) : 0n;
    if (lamports > 0n) return lamports;
  } catch {
    // `solToLamports` throws for invalid amounts, which are refused below.
  }
  const says = typeof value === 'string' ? '; pass it as a JSON number, not a string' : '';
  throw new UsageError(`${name} must be an amount of SOL greater than 0 with at most 9 decimals${says}`);
};

const oneOf = <Name extends string>(given: Given, name: string, names: readonly Name[]): Name | undefined => {
  const value = given[name];
  if (value == null) return undefined;
  const found = names.find((one) => one === value);
  if (found === undefined) throw new UsageError(`${name} must be one of ${names.join(', ')}`);
  return found;
};

const refuseTogether = (given: Given, name: string, others: readonly string[]): void => {
  const together = others.find((other) => given[other] != null);
  if (together !== undefined) throw new UsageError(`${together} must not be given together with ${name}`);
};

const accountsIn = ({ stakeAccountAddresses }: Given): readonly string[] | undefined => {
  if (stakeAccountAddresses == null) return undefined;
  if (!Array.isArray(stakeAccountAddresses) || !stakeAccountAddresses.every(isText))
    throw new UsageError('stakeAccountAddresses must be a list of addresses');
  return stakeAccountAddresses;
};

/** A staking request without its wallet. */
type Wanted = StakingRequest extends infer One
  ? One extends StakingRequest
    ? Omit<One, 'walletAddress'>
    : never
  : never;

/**
 * Convert each tool's arguments into a request without its wallet. They throw `UsageError` for invalid
 * arguments.
 */
const wanted: Readonly<Record<LocalToolName, (given: Given) => Wanted>> = {
  stake: (given) => {
    if (given.stakeAccountAddress == null) {
      if (given.amountSol == null)
        throw new UsageError(
          'amountSol is missing; to stake an inactive account again, pass stakeAccountAddress instead',
        );
      refuseTogether(given, 'amountSol', ['owner']);
      return { kind: 'stake', amountLamports: lamportsIn(given, 'amountSol') };
    }
    refuseTogether(given, 'stakeAccountAddress', ['amountSol']);
    return { kind: 'restake', stakeAccountAddress: textIn(given, 'stakeAccountAddress') };
  },
  unstake: (given) => {
    if (given.amountSol == null) {
      if (given.stakeAccountAddress == null)
        throw new UsageError(
          'amountSol is missing; to unstake a whole account, pass stakeAccountAddress instead',
        );
      return { kind: 'unstake', stakeAccountAddress: textIn(given, 'stakeAccountAddress') };
    }
    const want = oneOf(given, 'want', Object.keys(GOAL_OF_WANT) as (keyof typeof GOAL_OF_WANT)[]);
    return {
      kind: 'rearrange',
      goal: GOAL_OF_WANT[want ?? 'unstake'],
      amountLamports: lamportsIn(given, 'amountSol'),
      rounding: oneOf(given, 'rounding', ROUNDINGS),
      ...(given.stakeAccountAddress == null
        ? {}
        : { stakeAccountAddress: textIn(given, 'stakeAccountAddress') }),
    };
  },
  withdraw: (given) => {
    if (given.all != null && given.all !== true) throw new UsageError('all must be true, or absent');
    if (given.all === true) {
      refuseTogether(given, 'all', ['stakeAccountAddress', 'amountSol']);
      return { kind: 'rearrange', goal: 'withdraw-all' };
    }
    if (given.stakeAccountAddress == null)
      throw new UsageError(
        given.amountSol == null
          ? 'stakeAccountAddress is missing; to withdraw from every account that is ready, pass all: true'
          : 'stakeAccountAddress is missing; to withdraw an amount from any accounts, use change_stake with goal withdraw-amount',
      );
    return {
      kind: 'withdraw',
      stakeAccountAddress: textIn(given, 'stakeAccountAddress'),
      amountLamports: given.amountSol == null ? undefined : lamportsIn(given, 'amountSol'),
    };
  },
  change_stake: (given) => {
    const goal = oneOf(given, 'goal', goalNames);
    if (goal === undefined) throw new UsageError(`goal must be one of ${goalNames.join(', ')}`);
    const accounts = accountsIn(given);
    return {
      kind: 'rearrange',
      goal,
      rounding: oneOf(given, 'rounding', ROUNDINGS),
      to: oneOf(given, 'to', DESTINATIONS),
      ...(given.amountSol == null ? {} : { amountLamports: lamportsIn(given, 'amountSol') }),
      ...(accounts === undefined ? {} : { accounts }),
    };
  },
};

/** Converts a call into a request. Throws `UsageError` if the arguments are invalid. */
export const localRequest = (name: LocalToolName, given: Given, walletAddress: string): StakingRequest => ({
  ...wanted[name](given),
  walletAddress,
  ...(given.owner == null || given.owner === walletAddress ? {} : { owner: textIn(given, 'owner') }),
  priority: oneOf(given, 'priority', priorityLevels),
});

// The tools that sign on this machine: stake, unstake and withdraw without any secret key, as agents see them.
import type { Tool } from '@modelcontextprotocol/server';
import { solToLamports } from '../../client/sol-amount.ts';
import type { RequestKind, StakingRequest } from '../../client/staking/staking-request.ts';
import { type GoalName, goalNames, goalRecord } from '../../src/domain/plan/plan-goals.ts';
import { ADDRESS_PATTERN } from '../../src/kernel/base58.ts';
import { UsageError } from '../usage-error.ts';

/** Names that are never taken from the service: there they want a secret key. */
export const LOCAL_TOOLS = ['stake', 'unstake', 'withdraw', 'change_stake'] as const;

/** One of them. */
export type LocalToolName = (typeof LOCAL_TOOLS)[number];

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'Names this intent. Repeat a call whose end you do not know with the same key: it cannot be done twice. Default: a new one, which the answer tells.',
} as const;

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

const answer = {
  title: 'answer',
  type: 'object',
  properties: {
    signature: { type: 'string', description: 'The confirmed transaction.' },
    explorerUrl: { type: 'string' },
    message: { type: 'string' },
    walletAddress: { type: 'string', description: 'The wallet that signed.' },
    voteAccount: { type: 'string', description: 'The only validator that was allowed.' },
    stakeAccountAddress: { type: 'string' },
    amountSol: { type: 'number', description: 'What was moved; absent where nothing was.' },
    idempotencyKey: { type: 'string' },
    extraInstructions: {
      type: 'array',
      items: { type: 'object' },
      description: 'What the transaction held beside these; absent without any.',
    },
    warnings: { type: 'array', items: { type: 'string' } },
  },
  required: [
    ...['signature', 'explorerUrl', 'message', 'walletAddress', 'voteAccount', 'idempotencyKey', 'warnings'],
  ],
} as const;

const failure = {
  title: 'failure',
  description: 'With isError: what happened (errorCode, message) and what to do about it (suggestedAction).',
  type: 'object',
  properties: { error: { type: 'string' }, message: { type: 'string' }, errorCode: { type: 'string' } },
  required: ['message', 'errorCode'],
} as const;

/** Both, because clients of the 2025 revisions check failures against it as well. */
const outputSchema = { type: 'object', anyOf: [answer, failure] } as unknown as NonNullable<
  Tool['outputSchema']
>;

const HOW =
  'The service builds the transaction, this machine checks that its bytes do exactly this and nothing else, signs it with the keypair file that the user named, and waits until the cluster confirmed it. No secret key is needed or taken. It spends real SOL on a real cluster: say what will happen before you call it.';

/** What clients learn of them, for this wallet. */
export const describeLocalTools = (walletAddress: string): Record<LocalToolName, Tool> => ({
  stake: {
    name: 'stake',
    title: 'Stake SOL, signed on this machine',
    description: `Stakes SOL of ${walletAddress} in a new stake account that only this wallet controls; or, with stakeAccountAddress instead of amountSol, delegates that inactive account again with all that it holds. ${HOW} Call check_balance before and check_stake_accounts after; the stake becomes active at the next epoch boundary at the earliest (get_epoch_timing).`,
    inputSchema: {
      type: 'object',
      properties: {
        amountSol: amount('Total moved into the new stake account, rent included, SOL.'),
        stakeAccountAddress: address('Instead of amountSol: the inactive stake account to delegate again.'),
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
    description: `Deactivates one stake account of ${walletAddress} (address from check_stake_accounts). It still earns this epoch's reward. It can be withdrawn once its cool-down is over, usually at the next epoch boundary, or at once if it was not active yet (check_withdraw_ready). ${HOW}`,
    inputSchema: {
      type: 'object',
      properties: { stakeAccountAddress: address('The stake account to deactivate.'), idempotencyKey },
      required: ['stakeAccountAddress'],
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
    description: `Returns SOL from a stake account to ${walletAddress}; without amountSol everything, which closes the account. Call check_withdraw_ready first. ${HOW}`,
    inputSchema: {
      type: 'object',
      properties: {
        stakeAccountAddress: address('The stake account to withdraw from.'),
        amountSol: amount('Amount to withdraw, SOL; everything where absent.'),
        idempotencyKey,
      },
      required: ['stakeAccountAddress'],
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
    description: `Changes the stake of ${walletAddress} in several steps of one transaction: ${goalNames.map((goal) => `${goal} (${goalRecord(goal).description})`).join(' ')} Call plan_stake_change first and tell the user what every account is before and after. What is delegated goes to this service's validator, what leaves an account to this wallet. ${HOW}`,
    inputSchema: {
      type: 'object',
      properties: {
        goal: { type: 'string', enum: [...goalNames], description: 'What is wanted.' },
        amountSol: amount(
          'SOL: for unstake, cash and top-up; for undo where not all; for sweep to stake what the wallet adds.',
        ),
        to: {
          type: 'string',
          enum: ['wallet', 'stake', 'activating'],
          description: 'Where a sweep goes; default: the wallet.',
        },
        stakeAccountAddress: address('Use this account and no other.'),
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
});

const GOALS: readonly unknown[] = goalNames;
const DESTINATIONS: readonly unknown[] = ['wallet', 'stake', 'activating'];

type Given = Readonly<Record<string, unknown>>;

const textIn = (given: Given, name: string): string => {
  const value = given[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`${name} is missing`);
  return value;
};

const lamportsIn = (given: Given, name: string): bigint => {
  try {
    const lamports = solToLamports(given[name] as number | string);
    if (lamports > 0n) return lamports;
  } catch {
    // Said below.
  }
  throw new UsageError(`${name} must be a number of SOL above 0 with at most 9 decimals`);
};

const accountIfGiven = (given: Given): { readonly stakeAccountAddress?: string } =>
  given.stakeAccountAddress == null ? {} : { stakeAccountAddress: textIn(given, 'stakeAccountAddress') };

/** How one kind is asked for. */
interface LocalKind<Request> {
  readonly tool: LocalToolName;
  /** Which calls of the tool mean it. Default: all. */
  readonly isMeant?: (given: Given) => boolean;
  /** Throws `UsageError`. */
  readonly members: (given: Given) => Omit<Request, 'kind' | 'walletAddress'>;
  /** What it takes out of the wallet, and so out of the budget. Default: nothing. */
  readonly spentLamports?: (request: Request) => bigint;
}

const localKinds: {
  readonly [Kind in RequestKind]: LocalKind<Extract<StakingRequest, { kind: Kind }>>;
} = {
  stake: {
    tool: 'stake',
    isMeant: ({ stakeAccountAddress }) => stakeAccountAddress == null,
    members: (given) => ({ amountLamports: lamportsIn(given, 'amountSol') }),
    spentLamports: ({ amountLamports }) => amountLamports,
  },
  unstake: {
    tool: 'unstake',
    members: (given) => ({ stakeAccountAddress: textIn(given, 'stakeAccountAddress') }),
  },
  withdraw: {
    tool: 'withdraw',
    members: (given) => ({
      stakeAccountAddress: textIn(given, 'stakeAccountAddress'),
      amountLamports: given.amountSol == null ? undefined : lamportsIn(given, 'amountSol'),
    }),
  },
  restake: {
    tool: 'stake',
    isMeant: ({ stakeAccountAddress }) => stakeAccountAddress != null,
    members: (given) => {
      if (given.amountSol != null)
        throw new UsageError('amountSol must not be given together with stakeAccountAddress');
      return { stakeAccountAddress: textIn(given, 'stakeAccountAddress') };
    },
  },
  rearrange: {
    tool: 'change_stake',
    members: (given) => {
      const { goal, to, amountSol } = given;
      if (!GOALS.includes(goal)) throw new UsageError(`goal must be one of ${goalNames.join(', ')}`);
      if (to != null && !DESTINATIONS.includes(to))
        throw new UsageError('to must be wallet, stake or activating');
      return {
        goal: goal as GoalName,
        ...(to == null ? {} : { to: to as 'wallet' }),
        ...(amountSol == null ? {} : { amountLamports: lamportsIn(given, 'amountSol') }),
        ...accountIfGiven(given),
      };
    },
    spentLamports: ({ goal, amountLamports = 0n }) =>
      goalRecord(goal).allowed.includes('stake.initialize') ? amountLamports : 0n,
  },
};

const kindsInOrder = Object.entries(localKinds) as [RequestKind, LocalKind<StakingRequest>][];

/** What a call asks for. Throws `UsageError` where it does not say it. */
export const localRequest = (name: LocalToolName, given: Given, walletAddress: string): StakingRequest => {
  const [kind, { members }] = kindsInOrder.find(
    ([, { tool, isMeant }]) => tool === name && isMeant?.(given) !== false,
  )!;
  return { kind, walletAddress, ...members(given) } as StakingRequest;
};

/** What it takes out of the wallet beside the fee. */
export const spentLamportsOf = (request: StakingRequest): bigint =>
  (localKinds[request.kind] as LocalKind<StakingRequest>).spentLamports?.(request) ?? 0n;

// The commands that change stake: help, arguments, and the text that describes each kind of transaction
// before it is signed.
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { RequestKind, StakingRequest } from '../../client/staking/staking-request.ts';
import { goalRecord } from '../../src/domain/plan/plan-goals.ts';
import { ADDRESS_PATTERN } from '../../src/kernel/base58.ts';
import { readAmount } from '../amount-argument.ts';
import type { Command, CommandCall } from '../command.ts';
import { DIRECT_OPTIONS } from '../direct/open-direct.ts';
import { plain } from '../show/plain-text.ts';
import { UsageError } from '../usage-error.ts';
import { ALL, type ArgumentResolver, isAmount } from './resolve-arguments.ts';

type WithoutWallet<Request> = Request extends unknown ? Omit<Request, 'walletAddress'> : never;

export interface Act {
  readonly name: string;
  /** One sentence without a period at the end. */
  readonly summary: string;
  readonly usage: string;
  readonly takes: Command['takes'];
  /** Additional paragraph of the help. */
  readonly details?: string;
  readonly options?: NonNullable<Command['options']>;
  readonly examples: readonly string[];
  /** Builds the request from the arguments. Throws `UsageError` if they are invalid. */
  readonly request: (
    args: readonly string[],
    values: CommandCall['values'],
    resolver: ArgumentResolver,
  ) => WithoutWallet<StakingRequest> | Promise<WithoutWallet<StakingRequest>>;
  /** True if the command accepts the option that names the validator. */
  readonly delegates?: true;
}

/** Functions that describe a built transaction, based only on its bytes. */
interface Words {
  readonly headline: (prepared: Prepared) => string;
  readonly lines: (prepared: Prepared) => readonly (readonly [string, string])[];
}

const ACCOUNT = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';

const amountOf = ({ verdict }: Prepared): string => `${lamportsToSol(verdict.recognized.lamports ?? 0n)} SOL`;

const accountOf = ({ verdict }: Prepared): string => verdict.recognized.stakeAccount ?? '-';

const found = ({ verdict }: Prepared, name: string): string =>
  plain(verdict.fields.find(({ field }) => field === name)?.found ?? '-');

const authoritiesOf = ({ verdict }: Prepared): string => {
  const { stakeAuthority } = verdict.recognized;
  return stakeAuthority === undefined
    ? 'only your wallet can unstake and withdraw'
    : `${stakeAuthority} can unstake and redelegate; only your wallet can withdraw`;
};

/**
 * Descriptions of instructions in plain language. Their total effects and the rent of new accounts are shown
 * separately, as amounts.
 */
const PHRASES: Readonly<Record<string, string>> = {
  split: 'split off a part',
  merge: 'merge two accounts',
  moveStake: 'move stake between accounts',
  moveLamports: 'move idle SOL between accounts',
  deactivate: 'unstake an account',
  delegateStake: 'delegate an account',
  withdraw: 'withdraw from an account',
  authorize: 'set the stake authority',
};

/** Texts for each kind of request. */
export const requestWords: { readonly [Kind in RequestKind]: Words } = {
  stake: {
    headline: (prepared) => `Stake ${amountOf(prepared)}`,
    lines: (prepared) => [
      ['into', `${accountOf(prepared)} (a new stake account)`],
      ['validator', prepared.voteAccount],
      ['authorities', authoritiesOf(prepared)],
      ['lockup', found(prepared, 'lockup')],
    ],
  },
  unstake: {
    headline: () => 'Unstake',
    lines: (prepared) => [
      ['stake account', accountOf(prepared)],
      ['then', 'it can be withdrawn, usually when the epoch ends, or at once if it is not active yet'],
    ],
  },
  withdraw: {
    headline: (prepared) => `Withdraw ${amountOf(prepared)}`,
    lines: (prepared) => [
      ['from', accountOf(prepared)],
      ['to', prepared.verdict.recognized.recipient ?? '-'],
    ],
  },
  restake: {
    headline: () => 'Stake again',
    lines: (prepared) => [
      ['stake account', accountOf(prepared)],
      ['validator', prepared.voteAccount],
      ['then', 'it becomes active at the next epoch boundary at the earliest'],
    ],
  },
  rearrange: {
    headline: ({ record: { change, amountLamports } }) =>
      `${change === undefined ? 'Change stake' : goalRecord(change.goal).verb}${amountLamports === undefined ? '' : ` ${lamportsToSol(BigInt(amountLamports))} SOL`}`,
    lines: ({ record: { change }, verdict, following }) => {
      const counts = new Map<string, number>();
      for (const { name } of [verdict, ...following.map((one) => one.verdict)].flatMap(
        ({ instructions }) => instructions,
      )) {
        const phrase = PHRASES[name];
        if (phrase !== undefined) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
      }
      const phrases = [...counts].map(([phrase, count]) =>
        count === 1 ? phrase : `${phrase} (${count} times)`,
      );
      const recovered = [verdict, ...following.map((one) => one.verdict)].flatMap(({ message }) =>
        message.instructions.flatMap(({ data }) =>
          data.type === 'stake.authorize' && change?.goal === 'rescue' ? [data] : [],
        ),
      );
      return [
        ...recovered.flatMap(({ stakeAccount, newAuthority }): (readonly [string, string])[] => [
          ['stake account', stakeAccount ?? '-'],
          ['authority', `${newAuthority ?? '-'} replaces the current stake authority`],
        ]),
        ...(phrases.length === 0 ? [] : [['how', phrases.join(', ')] as const]),
      ];
    },
  },
};

const amountIn = (value: string | boolean | undefined, name: string): bigint | undefined =>
  typeof value === 'string' ? solToLamports(readAmount(value, name)) : undefined;

const AMOUNT = {
  value: 'SOL',
  description: 'the exact amount, taken from any accounts, or ALL',
};

/** Option for a key that is only the stake authority. */
const OWNER_OPTIONS = {
  owner: {
    value: 'ADDRESS',
    description:
      'the wallet that may withdraw, if this key is only the stake authority, which cannot withdraw',
  },
} as const;

/** Option for commands that can create a stake account. */
const ADDRESSING_OPTIONS = {
  addressing: {
    value: 'HOW',
    description:
      'address of a new stake account: key (the default) gives it its own key, which signs too, and seed derives it from your wallet, which signs alone',
    choices: ['key', 'seed'],
  },
} as const;

const ACCOUNT_ARGUMENT =
  'For stakeAccount, the first few characters of the address (at least four) are enough.';

const ADDRESS = new RegExp(ADDRESS_PATTERN);

/** Reads an address from an option. Throws `UsageError` if it is invalid. */
export const addressIn = (values: CommandCall['values'], name: string): string | undefined => {
  const given = values[name];
  if (typeof given !== 'string') return undefined;
  if (ADDRESS.test(given)) return given;
  throw new UsageError(`--${name} must be a Solana address, not ${plain(given)}`);
};

/** The commands, in the order in which the help lists them. */
export const acts: readonly Act[] = [
  {
    name: 'stake',
    summary: 'Stake SOL in a new stake account that only your wallet controls',
    usage: '<amountSol>',
    takes: [1, 1],
    details:
      'amountSol is the total moved into the stake account, rent included. ALL stakes everything except the fee reserve.',
    options: {
      'stake-authority': {
        value: 'ADDRESS',
        description:
          'this address can then unstake and redelegate the stake, but cannot take anything out (default: your wallet)',
      },
      ...ADDRESSING_OPTIONS,
    },
    examples: [
      'stake 2.5',
      'stake ALL',
      'stake 2.5 --keypair wallet.json --yes --json',
      `stake 10 --stake-authority ${ACCOUNT}`,
    ],
    request: async ([amount], values, { fromWallet }) => {
      const stakeAuthority = addressIn(values, 'stake-authority');
      return {
        kind: 'stake',
        amountLamports: await fromWallet(amount!, 'stake'),
        ...(stakeAuthority !== undefined && { stakeAuthority }),
      };
    },
    delegates: true,
  },
  {
    name: 'unstake',
    summary: 'Unstake a stake account or an exact amount',
    usage: '[amountSol | stakeAccount]',
    takes: [0, 1],
    details: `A number is an amount of SOL, taken from any accounts; ALL means everything. ${ACCOUNT_ARGUMENT}`,
    options: {
      amount: {
        ...AMOUNT,
        description: 'take exactly this much from stakeAccount; without one, the same as unstake <amountSol>',
      },
      'withdraw-amount': {
        description:
          'the amount is the total that reaches the wallet, starting with SOL that can be withdrawn now',
      },
      'at-least': { description: 'take slightly more if the exact amount is not possible' },
      ...OWNER_OPTIONS,
      ...ADDRESSING_OPTIONS,
      ...DIRECT_OPTIONS,
    },
    examples: ['unstake 1.5', 'unstake ALL', `unstake ${ACCOUNT}`, 'unstake 5 --withdraw-amount'],
    request: async (
      [given],
      { amount: option, 'withdraw-amount': isTotal, 'at-least': atLeast },
      { account, fromStake },
    ) => {
      const isFirst = isAmount(given);
      if (isFirst && option !== undefined)
        throw new UsageError('give the amount only once: 1.5 or --amount 1.5');
      const amount = isFirst ? given : option;
      const stakeAccountAddress = isFirst ? undefined : await account(given);
      const goal = isTotal === true ? 'withdraw-amount' : 'unstake';
      if (typeof amount === 'string')
        return {
          kind: 'rearrange',
          goal,
          stakeAccountAddress,
          amountLamports: await fromStake(amount, isFirst ? 'the amount' : '--amount', goal),
          ...(atLeast === true ? { rounding: 'atLeast' } : {}),
        };
      if (isTotal === true || atLeast === true)
        throw new UsageError('--withdraw-amount and --at-least require an amount');
      if (stakeAccountAddress === undefined)
        throw new UsageError('specify an amount or a stake account, for example: holdfast unstake 1.5');
      return { kind: 'unstake', stakeAccountAddress };
    },
  },
  {
    name: 'undo',
    summary: 'Undo an unstake of this epoch, without losing rewards',
    usage: '[stakeAccount]',
    takes: [0, 1],
    details: `Possible until the epoch ends. Without a stake account, undoes every unstake that can still be undone. ${ACCOUNT_ARGUMENT}`,
    options: {
      amount: { ...AMOUNT, description: 'the exact amount to keep staked' },
      ...OWNER_OPTIONS,
      ...ADDRESSING_OPTIONS,
    },
    examples: ['undo', `undo ${ACCOUNT}`, 'undo --amount 3'],
    request: async ([given], { amount }, { account }) => {
      if (isAmount(given))
        throw new UsageError(
          given === ALL
            ? 'to undo everything: holdfast undo'
            : `to undo a part: holdfast undo --amount ${given}`,
        );
      return {
        kind: 'rearrange',
        goal: 'undo',
        stakeAccountAddress: await account(given),
        amountLamports: amountIn(amount, '--amount'),
      };
    },
    delegates: true,
  },
  {
    name: 'withdraw',
    summary: 'Withdraw SOL from a stake account to the wallet',
    usage: '[amountSol | stakeAccount] [amountSol]',
    takes: [0, 2],
    details: `An amount alone is taken from any accounts that are ready; ALL alone withdraws everything that is ready. With a stakeAccount and no amountSol, or ALL, everything is withdrawn and the account is closed. ${ACCOUNT_ARGUMENT}`,
    options: {
      all: { description: 'same as withdraw ALL' },
      ...DIRECT_OPTIONS,
    },
    examples: ['withdraw 1.5', 'withdraw ALL', `withdraw ${ACCOUNT}`, `withdraw ${ACCOUNT} 0.5`],
    request: async ([given, amount], { all }, { account, fromReady }) => {
      if ((all === true && given === undefined) || (given === ALL && amount === undefined))
        return { kind: 'rearrange', goal: 'withdraw-all' };
      if (isAmount(given)) {
        if (amount !== undefined) throw new UsageError('put the stake account first, then the amount');
        return { kind: 'rearrange', goal: 'withdraw-amount', amountLamports: await fromReady(given) };
      }
      const stakeAccountAddress = await account(given);
      if (all === true || stakeAccountAddress === undefined)
        throw new UsageError(
          'specify an amount, a stake account, or ALL, for example: holdfast withdraw ALL',
        );
      return {
        kind: 'withdraw',
        stakeAccountAddress,
        amountLamports:
          amount === undefined || amount === ALL ? undefined : solToLamports(readAmount(amount)),
      };
    },
  },
  {
    name: 'restake',
    summary: 'Delegate inactive stake again: one stake account, or all of them merged into one',
    usage: '[stakeAccount]',
    takes: [0, 1],
    options: OWNER_OPTIONS,
    examples: ['restake', `restake ${ACCOUNT}`],
    request: async ([given], _, { account }) => {
      const stakeAccountAddress = await account(given);
      return stakeAccountAddress === undefined
        ? { kind: 'rearrange', goal: 'restake' }
        : { kind: 'restake', stakeAccountAddress };
    },
    delegates: true,
  },
  {
    name: 'topup',
    summary: 'Add SOL to a stake that is still activating',
    usage: '<amountSol>',
    takes: [1, 1],
    options: ADDRESSING_OPTIONS,
    examples: ['topup 0.3'],
    request: async ([amount], _, { fromWallet }) => ({
      kind: 'rearrange',
      goal: 'top-up',
      amountLamports: await fromWallet(amount!, 'top-up'),
    }),
  },
  {
    name: 'tidy',
    summary: 'Merge stake accounts where possible and get their rent back',
    usage: '',
    takes: [0, 0],
    options: OWNER_OPTIONS,
    examples: ['tidy'],
    request: () => ({ kind: 'rearrange', goal: 'tidy' }),
  },
  {
    name: 'sweep',
    summary: 'Withdraw idle SOL from stake accounts, or stake it',
    usage: '',
    takes: [0, 0],
    options: {
      to: {
        value: 'WHERE',
        description: 'destination: the wallet (default), a new stake, or an activating stake',
        choices: ['wallet', 'stake', 'activating'],
      },
      add: { value: 'SOL', description: 'with --to stake: add this much from the wallet' },
      ...ADDRESSING_OPTIONS,
    },
    examples: ['sweep', 'sweep --to stake --add 1'],
    request: (_, { to = 'wallet', add }) => {
      const amountLamports = amountIn(add, '--add');
      if (amountLamports !== undefined && to !== 'stake')
        throw new UsageError('--add works only with --to stake');
      return { kind: 'rearrange', goal: 'sweep', to: to as 'wallet', amountLamports };
    },
    delegates: true,
  },
  {
    name: 'rescue',
    summary: 'Recover stakes whose stake authority was changed, by setting it back to your wallet',
    usage: '[stakeAccount]',
    takes: [0, 1],
    details:
      'Works as long as your wallet is the withdraw authority, even during a lockup. Stakes with another withdraw authority cannot be recovered.',
    examples: ['rescue', `rescue ${ACCOUNT}`],
    request: async ([given], _, { account }) => ({
      kind: 'rearrange',
      goal: 'rescue',
      stakeAccountAddress: await account(given),
    }),
  },
  {
    name: 'migrate',
    summary: 'Move stake from other validators to this one',
    usage: '[stakeAccount]',
    takes: [0, 1],
    details:
      'Active stake is deactivated first and loses one epoch of rewards. Run the command again in the next epoch to delegate it here.',
    examples: ['migrate', `migrate ${ACCOUNT}`],
    request: async ([given], _, { account }) => ({
      kind: 'rearrange',
      goal: 'migrate',
      stakeAccountAddress: await account(given),
    }),
    delegates: true,
  },
];

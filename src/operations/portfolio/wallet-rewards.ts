// Lists the rewards of each of a wallet's accounts for each ended epoch, with dates: inflation rewards as paid
// by the chain, and unexplained incoming SOL as tips.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { solNumber, solOrNull } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import {
  accountRewards,
  balancesAround,
  UNKNOWN_REASONS,
  voterIn,
} from '../../domain/portfolio/account-rewards.ts';
import { type DatedReward, rewardsCsv } from '../../domain/portfolio/rewards-csv.ts';
import { decodeStakeAccount } from '../../domain/stake/stake-account.ts';
import { stakeAccountsOf } from '../../domain/transaction/transaction-legs.ts';
import { creditsEarned } from '../../domain/validator/validator-score.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { MAX_HISTORY_PAGE } from '../../store/history-cursor.ts';
import { nullIfUnavailable } from '../../validator/null-if-unavailable.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { addressSchema, integer, tableFormatSchema, timestamp } from '../shared-schemas.ts';
import { readWalletStakes } from '../wallet/wallet-stakes.ts';
import { type AccountMovements, readMovements } from './account-movements.ts';
import { type ReadPayments, readPayments } from './read-payments.ts';
import { DEFAULT_EPOCHS, MAX_EPOCHS, rewardEpochs } from './reward-period.ts';
import type { Search } from './search-address-history.ts';
import { completeWithStored, readSettled, settledAccountsOf, storeSettled } from './stored-final-rewards.ts';

/** Maximum number of accounts per call. */
const MAX_ACCOUNTS = 100;

const nullableSol = (description: string) => z.number().nullable().meta({ description });

const rewardSchema = z
  .object({
    epoch: integer('The epoch in which it was earned.'),
    paidAt: timestamp(
      'Time at which its inflation reward was paid; null if none was paid, or if unknown.',
    ).nullable(),
    stakeAccountAddress: z.string(),
    balanceBeforeSol: nullableSol(
      'Balance right before the inflation reward was paid; null if none was paid, or if unknown.',
    ),
    inflationSol: nullableSol('Amount paid by the cluster; 0 if nothing was paid, null while unknown.'),
    tipsSol: nullableSol(
      'Tips, which arrive in the next epoch: incoming SOL that no transaction of the owner sent. Null if unknown.',
    ),
    balanceAfterSol: nullableSol(
      'Balance after both rewards of this row: `balanceBeforeSol` + `inflationSol` + `tipsSol`. It differs from the next `balanceBeforeSol` only by transactions of the owner and by tips of epochs in between. Null if no inflation reward was paid, or if a part is unknown.',
    ),
    commissionPct: nullableSol('Commission at the time, percent.'),
    unknownReason: z.enum(UNKNOWN_REASONS).nullable().meta({
      description:
        'Why an amount is unknown. PAYMENT_UNREAD: an inflation payment could not be read yet. TRANSACTIONS_UNREAD: the account’s transactions could not all be read. SEVERAL_EPOCHS: the tips came without a transaction, and several epochs may have earned them. UNEXPLAINED_OUTFLOW: SOL left the account without a known transaction. Null if inflation and tips are known.',
    }),
  })
  .meta({ id: 'EpochReward' });

/** Number of epochs that are read at once to find the payments around a period. */
const STRETCH_EPOCHS = 8n;

const epochNumber = (description: string) => z.number().int().min(0).optional().meta({ description });

/** `GET /api/v1/stake/rewards/{walletAddress}` */
export const rewards = defineOperation({
  name: 'stakingRewards',
  summary: "A wallet's rewards by account and epoch",
  description:
    'Inflation rewards and tips of every account of the wallet with this validator, including closed ones known to the service, for the latest completed epochs or a period, newest first, from finalized blocks. At most 100 accounts and 200 epochs, within a budget of RPC calls shared by all requests: values beyond the budget are null, with a warning, until a later call. `unknownReason` says why. With format=csv or Accept: text/csv, returns the same as a table; its columns are the fields of `rewards`, and `voteAccount`.',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    epochs: z
      .number()
      .int()
      .min(1)
      .max(MAX_EPOCHS)
      .optional()
      .meta({ description: `Number of epochs, up to toEpoch. Default: ${DEFAULT_EPOCHS}.` }),
    fromEpoch: epochNumber('First epoch, instead of `epochs`.'),
    toEpoch: epochNumber('Last epoch. Default: the last completed one.'),
    format: tableFormatSchema,
  }),
  output: z.object({
    walletAddress: z.string(),
    rewards: z.array(rewardSchema),
    totals: z.object({
      inflationSol: nullableSol('Sum of the known values, SOL; null if there are none.'),
      tipsSol: nullableSol('Sum of the known values, SOL; null if there are none.'),
      unknownInflation: integer('Number of rewards with unknown inflation; the sum excludes them.'),
      unknownTips: integer('Number of rewards with unknown tips; the sum excludes them.'),
    }),
    fromEpoch: integer('The first epoch included.'),
    toEpoch: integer('The last epoch included.'),
    ...noticesMembers,
  }),
  errors: ['STAKE_ACCOUNT_ADDRESS_PROVIDED', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const wallet = input.walletAddress;
    const { listed, epoch, notices } = await accountsOf(ctx, wallet, signal);
    const epochs = rewardEpochs(input, epoch);
    const [toEpoch = epoch - 1n] = epochs;
    const { slot: finalizedSlot, accounts: found } = await ctx.chain.reads.accounts(listed, {
      signal,
      commitment: 'finalized',
    });
    const isWithdrawable = found.map(
      (account) => ((account && decodeStakeAccount(account)?.withdrawAuthority) ?? wallet) === wallet,
    );
    const addresses = listed.filter((_, i) => isWithdrawable[i]);
    const accounts = found.filter((_, i) => isWithdrawable[i]);
    const search: Search = { ctx, budget: ctx.chain.searchBudget, finalizedSlot, signal };
    const fromEpoch = epochs.at(-1) ?? epoch;
    const settled = await readSettled(ctx, addresses, fromEpoch);
    // The tips of the last epoch end with the payment after it.
    const next = toEpoch + 1n < epoch ? [toEpoch + 1n] : [];
    const asked = await readPayments(search, addresses, [...next, ...epochs], epoch - 1n);
    const movements: (AccountMovements | null)[] = [];
    for (const address of addresses) movements.push(await readMovements(search, address));
    const accountsRead = addresses.map((address, i) => {
      const moved = movements[i]!;
      const closing = accounts[i] == null ? (lastOutEpoch(moved) ?? epoch) : epoch;
      return { address, openingEpoch: moved?.opening?.epoch ?? null, lastEpoch: closing - 1n };
    });
    const { read, payments } = await completeStretches(search, accountsRead, {
      epochs: [...next, ...epochs],
      payments: asked,
      lastCompleted: epoch - 1n,
    });
    const paid = addresses.flatMap((address) =>
      [...payments.of(address).values()].filter((payment) => payment !== null),
    );
    const tiplessEpochs = new Set([
      ...paid.map((payment) => payment.epoch),
      ...(await epochsWithoutCredits(ctx, epoch, read, signal)),
    ]);
    const computed: DatedReward[] = [];
    const isElsewhere = (voter: string | null): boolean =>
      voter !== null && voter !== ctx.service.settings.voteAccount;
    for (const [i, address] of addresses.entries()) {
      const moved = movements[i]!;
      const isClosed = accounts[i] == null;
      const closing = isClosed
        ? { epoch: lastOutEpoch(moved) ?? epoch, lamports: 0n }
        : { epoch, lamports: accounts[i]!.lamports };
      // `readMovements` rejects accounts that were closed and created again.
      const isWhole = moved?.opening != null;
      const earned = accountRewards({
        payments: payments.of(address),
        opening: isWhole ? moved.opening : null,
        closing,
        isClosed,
        movements: isWhole ? moved.movements : null,
        ...(isWhole ? { datedTips: moved.datedTips, delegationChanges: moved.delegationChanges } : {}),
        tiplessEpochs,
      });
      const account = accounts[i] ?? null;
      const current = (account && decodeStakeAccount(account)?.delegation?.voteAccount) ?? null;
      for (const reward of earned)
        if (
          reward.epoch >= fromEpoch &&
          reward.epoch <= toEpoch &&
          (isWhole || reward.postBalanceLamports !== null) &&
          !isElsewhere(voterIn(reward.epoch, moved?.delegationChanges ?? [], current))
        )
          computed.push({
            ...reward,
            stakeAccountAddress: address,
            paidAt: paidAtOf(reward, asked.paidAt),
          });
    }
    await storeSettled(ctx, wallet, computed, settled);
    const all = completeWithStored(computed, settled).filter((reward) => reward.epoch <= toEpoch);
    all.sort((a, b) => (a.epoch === b.epoch ? 0 : a.epoch > b.epoch ? -1 : 1));
    const inflation = totalOf(all.map(({ inflationLamports }) => inflationLamports));
    const tips = totalOf(all.map(({ tipsLamports }) => tipsLamports));
    return {
      body: {
        walletAddress: wallet,
        rewards: all.map(rewardView),
        totals: {
          inflationSol: inflation.sol,
          tipsSol: tips.sol,
          unknownInflation: inflation.unknown,
          unknownTips: tips.unknown,
        },
        fromEpoch: Number(fromEpoch),
        toEpoch: Number(toEpoch),
        ...noticesBody([...notices, ...asked.notices, ...unknownNotices(all.length, inflation, tips)]),
      },
      ...(input.format === 'csv'
        ? {
            text: {
              type: 'text/csv; charset=utf-8',
              content: rewardsCsv(all, ctx.service.settings.voteAccount),
            },
          }
        : {}),
    };
  },
});

/**
 * Reads the epochs around a period, newest first, until every account without a payment at an end of the period
 * has a payment before and after it, or was not open. Its tips are the growth of its balance in between.
 * Stops at `MAX_EPOCHS`.
 */
const completeStretches = async (
  search: Search,
  accounts: readonly {
    readonly address: Address;
    readonly openingEpoch: bigint | null;
    readonly lastEpoch: bigint;
  }[],
  {
    epochs,
    payments: asked,
    lastCompleted,
  }: {
    readonly epochs: readonly bigint[];
    readonly payments: ReadPayments;
    readonly lastCompleted: bigint;
  },
): Promise<{ readonly read: readonly bigint[]; readonly payments: ReadPayments }> => {
  const read = [...epochs];
  let payments = asked;
  const addresses = accounts.map(({ address }) => address);
  while (read.length > 0 && read.length < MAX_EPOCHS) {
    const [newest, oldest] = [read[0]!, read.at(-1)!];
    const { of } = payments;
    const isMissing = (end: bigint, isOpenBeyond: (account: (typeof accounts)[number]) => boolean) =>
      accounts.some(
        (account) =>
          account.openingEpoch !== null && isOpenBeyond(account) && of(account.address).get(end) === null,
      );
    const isOlder = isMissing(oldest, ({ openingEpoch }) => openingEpoch! < oldest);
    const isNewer = isMissing(newest, ({ lastEpoch }) => lastEpoch > newest);
    if (!isOlder && !isNewer) break;
    for (let step = 1n; step <= STRETCH_EPOCHS; step += 1n) {
      if (isOlder && oldest >= step) read.push(oldest - step);
      if (isNewer && newest + step <= lastCompleted) read.unshift(newest + step);
    }
    payments = await readPayments(search, addresses, read, lastCompleted, false);
  }
  return { read, payments };
};

/** Returns those of the ended epochs in which the validator certainly earned no vote credits. */
const epochsWithoutCredits = async (
  { validator }: Context,
  currentEpoch: bigint,
  epochs: readonly bigint[],
  signal: AbortSignal,
): Promise<readonly bigint[]> => {
  const own = await nullIfUnavailable(validator.facts.chain.own(signal, currentEpoch));
  const { epochCredits = [] } = own?.state ?? own?.listed ?? {};
  const [oldest] = epochCredits;
  return epochs.filter(
    (epoch) => oldest && epoch >= oldest.epoch && (creditsEarned(epochCredits, epoch) ?? 0n) === 0n,
  );
};

/** Returns the epoch of the last movement out of an account; null if unknown. */
const lastOutEpoch = (moved: AccountMovements | null): bigint | null =>
  (moved?.movements ?? [])
    .filter(({ lamports }) => lamports < 0n)
    .reduce<bigint | null>((last, { epoch }) => (last === null || epoch > last ? epoch : last), null);

const paidAtOf = (
  { epoch, postBalanceLamports }: Pick<DatedReward, 'epoch' | 'postBalanceLamports'>,
  paidAt: (epoch: bigint) => string | null,
): string | null => (postBalanceLamports === null ? null : paidAt(epoch));

interface Total {
  /** Sum of the known values, in SOL; null if there are none. */
  readonly sol: number | null;
  readonly unknown: number;
}

const totalOf = (figures: readonly (bigint | null)[]): Total => {
  const known = figures.filter((lamports) => lamports !== null);
  return {
    sol:
      figures.length > 0 && known.length === 0 ? null : solNumber(known.reduce((sum, one) => sum + one, 0n)),
    unknown: figures.length - known.length,
  };
};

const unknownNotices = (rewardCount: number, inflation: Total, tips: Total): readonly Notice[] =>
  (
    [
      ['inflation', 'Inflation rewards', inflation.unknown],
      ['tips', 'Tips', tips.unknown],
    ] as const
  ).flatMap(([part, what, unknown]) =>
    unknown === 0
      ? []
      : [
          notice(
            'REWARDS_UNKNOWN',
            `${what} are partly unavailable ({unknown} of {count}), so the total does not include them.`,
            { part, unknown, count: rewardCount },
          ),
        ],
  );

const rewardView = (reward: DatedReward): z.input<typeof rewardSchema> => {
  const { beforeLamports, afterLamports } = balancesAround(reward);
  return {
    epoch: Number(reward.epoch),
    paidAt: reward.paidAt,
    stakeAccountAddress: reward.stakeAccountAddress,
    balanceBeforeSol: solOrNull(beforeLamports),
    inflationSol: solOrNull(reward.inflationLamports),
    tipsSol: solOrNull(reward.tipsLamports),
    balanceAfterSol: solOrNull(afterLamports),
    commissionPct: reward.commissionPct,
    unknownReason: reward.unknownReason,
  };
};

const STORE_AWAY = notice(
  'CLOSED_ACCOUNTS_UNREAD',
  'The store cannot be read right now, so closed accounts may be missing.',
);

/** Returns the current accounts, largest first, followed by the closed ones. */
const accountsOf = async (ctx: Context, wallet: Address, signal: AbortSignal) => {
  const { stakes, moment } = await readWalletStakes(ctx, wallet, 'validator', signal);
  const notices: Notice[] = [];
  const recorded = await ctx.store.transactions.pageWalletHistory(wallet, { limit: MAX_HISTORY_PAGE }).then(
    // The stake authority alone may sign these two kinds, and the account may belong to another wallet.
    ({ entries }) =>
      entries
        .filter(({ type }) => type !== 'unstake' && type !== 'restake')
        .flatMap((entry) => stakeAccountsOf(entry)),
    (error: unknown) => {
      if (!isAppError(error, 'STORE_UNAVAILABLE') && !isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
      notices.push(STORE_AWAY);
      return [];
    },
  );
  const owned = stakes.filter(({ role }) => role === 'owner').map(({ account }) => account.address);
  const settled = await settledAccountsOf(ctx, wallet);
  const seen = ctx.chain.index?.seenEver(wallet) ?? [];
  const all = [...new Set([...owned, ...seen, ...(recorded as Address[]), ...settled])];
  if (all.length > MAX_ACCOUNTS)
    notices.push(
      notice('ACCOUNTS_LIMITED', 'Only the {shown} largest of {count} accounts are listed.', {
        shown: MAX_ACCOUNTS,
        count: all.length,
      }),
    );
  return { listed: all.slice(0, MAX_ACCOUNTS), epoch: moment.position.epoch, notices };
};

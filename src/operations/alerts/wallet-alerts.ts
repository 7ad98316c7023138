// Lists the alerts of a wallet: every change of control over its stakes here, read from finalized transactions,
// newest first, with possible fixes.
import { z } from 'zod';
import { readFinalizedPosition } from '../../chain/cluster/finalized-position.ts';
import { alertLevels } from '../../domain/alerts/alert-table.ts';
import type { ChangeFact } from '../../domain/alerts/detect-control-changes.ts';
import { type RankedAlert, rankAlerts } from '../../domain/alerts/rank-alerts.ts';
import { rescuableStakes } from '../../domain/alerts/rescuable-stakes.ts';
import { allDeactivatedOf, assessChange, theftPatterns } from '../../domain/alerts/theft-patterns.ts';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { notice } from '../../domain/notice.ts';
import { changeDataOf, changeDataSchemas } from '../../events/event-data.ts';
import { otherWalletsIn } from '../../events/watcher/change-context.ts';
import { countStakedAccounts, readWalletChanges } from '../../events/watcher/wallet-changes.ts';
import { formatCursor, parseCursor } from '../../store/history-cursor.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { addressSchema, integer, pageCursor } from '../shared-schemas.ts';
import { refuseStakeAccountAsWallet } from '../wallet/stake-account-input.ts';
import { foreignAuthority } from '../wallet/stake-account-view.ts';

const MAX_ALERTS = 100;

const alertSchema = z
  .object({
    type: z.enum(Object.keys(changeDataSchemas) as [keyof typeof changeDataSchemas]),
    slot: z.int().nonnegative(),
    timestamp: z
      .string()
      .nullable()
      .meta({ description: 'Time of its block; null if unknown to all nodes.' }),
    level: z.enum(alertLevels),
    explanation: z
      .array(z.string())
      .meta({ description: 'Meaning of each of `data.patterns`, in the same order.' }),
    folded: integer(
      'Number of other alerts about this stake account that this alert represents, because the wallet signed no transaction of the account, so an outsider created it.',
    ),
    data: z
      .union(Object.values(changeDataSchemas))
      .meta({ description: 'Same data as in the webhook event of this type.' }),
  })
  .meta({ id: 'WalletAlert' });

const isSamePlace = (one: ChangeFact, other: ChangeFact): boolean =>
  one.signature === other.signature && one.account === other.account;

/**
 * Returns the start index of a page: just after the last alert of the previous page, which may have moved down
 * because newer alerts were added.
 */
const placeAfter = (
  ranked: readonly RankedAlert[],
  { slot: place, signature }: ReturnType<typeof parseCursor>,
): number => {
  const from = Number(place);
  const moved = ranked.findIndex(({ change }, i) => i >= from && change.signature === signature);
  return moved === -1 ? from + 1 : moved + 1;
};

/** `GET /api/v1/alerts/{walletAddress}` */
export const walletAlerts = defineOperation({
  name: 'walletAlerts',
  summary: 'Alerts of a wallet',
  description:
    'Every change of control over a wallet’s stakes with this validator (authorities, lockups, stakes that moved away, deactivations by others), each with a level and the patterns it shares with thefts. Grouped by stake account: accounts that the wallet signed for come first, newest change first; an account created by an outsider has one alert for all, at the end. Read from the finalized transactions of its accounts on each request, so nothing needs to be registered and nothing is stored; complete is false if some could not be read. rescuable lists the stakes whose stake authority is another address and can be taken back by the wallet alone. Contains no transaction; the goal `rescue` of a plan takes them back.',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    limit: z.number().int().min(1).max(MAX_ALERTS).default(20).meta({ description: 'Alerts per page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    walletAddress: z.string(),
    alerts: z.array(alertSchema),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    rescuable: z.array(z.string()).meta({ description: 'Stake accounts that the wallet can take back.' }),
    complete: z.boolean(),
    ...noticesMembers,
  }),
  errors: ['STAKE_ACCOUNT_ADDRESS_PROVIDED', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const { walletAddress: wallet, limit } = input;
    const { voteAccount } = ctx.service.settings;
    const after = input.cursor === undefined ? null : parseCursor(input.cursor);
    const position = await readFinalizedPosition(ctx.chain.cluster, signal);
    const query = { signal, commitment: 'finalized', minContextSlot: position.slot } as const;
    const own = (await ctx.chain.reads.accounts([wallet], query)).accounts[0] ?? null;
    refuseStakeAccountAsWallet(own);
    const rows = ctx.chain.index?.walletRows(wallet)?.rows ?? [];
    const found = await readWalletChanges(wallet, {
      reads: ctx.chain.reads,
      transactions: ctx.chain.landedTransactions,
      signal,
      voteAccount,
      grid: position,
      minSlot: position.slot,
      slot: position.slot,
      history: await ctx.chain.cluster.stakeHistory(position.epoch, signal),
      listed: [...rows.map(({ account }) => account.address), ...(ctx.chain.index?.seenEver(wallet) ?? [])],
      readAccounts: async (addresses) => (await ctx.chain.reads.accounts(addresses, query)).accounts,
      take: ctx.chain.searchBudget.take,
    });
    const { changes } = found;
    const around = {
      isAllDeactivated: allDeactivatedOf(changes, () => countStakedAccounts(found.stakes)),
      otherWalletsOf: otherWalletsIn(ctx.chain.index ?? { walletRows: () => null }),
    };
    const ranked = rankAlerts(
      changes.map((change) => ({ change, assessment: assessChange(change, around) })),
      found.own,
    );
    const rest = after === null ? ranked : ranked.slice(placeAfter(ranked, after));
    // A page never splits the alerts about one transaction and account.
    const end = rest.findIndex(({ change }, i) => i >= limit && !isSamePlace(change, rest[i - 1]!.change));
    const page = end === -1 ? rest : rest.slice(0, end);
    const last = page.at(-1);
    const rescuable = rescuableStakes(found.stakes, wallet);
    return {
      body: {
        walletAddress: wallet,
        alerts: page.map(({ change, assessment, folded }) => {
          return {
            type: change.type,
            slot: Number(change.stamp.slots[0]),
            timestamp:
              change.seconds === null ? null : new Date(Number(change.seconds) * 1_000).toISOString(),
            level: assessment.level,
            folded,
            explanation: assessment.patterns.map((name) => theftPatterns[name].means),
            data: changeDataOf(change, assessment),
          };
        }),
        nextCursor:
          end === -1 || !last
            ? null
            : formatCursor({ slot: BigInt(ranked.indexOf(last)), signature: last.change.signature }),
        rescuable: rescuable.map(({ address }) => address),
        complete: found.isComplete,
        ...noticesBody([
          ...rescuable.map(foreignAuthority),
          ...(own !== null && own.owner !== SYSTEM_PROGRAM
            ? [
                notice(
                  'WALLET_OF_PROGRAM',
                  'This wallet’s account belongs to the program {program}, so it cannot pay.',
                  { program: own.owner },
                ),
              ]
            : []),
          ...(found.isComplete
            ? []
            : [
                notice(
                  'OLDER_CHANGES_MISSING',
                  'Some transactions could not be read, so older changes may be missing.',
                ),
              ]),
        ]),
      },
    };
  },
});

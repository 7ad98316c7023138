// Statistics of staked amounts and endpoint calls. Sums are exact to the lamport, and full addresses are never
// shown.
import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { shortAddress } from '../../domain/short-address.ts';
import { recordByKind } from '../../domain/transaction/kind-properties.ts';
import { kinds, type MovingKind, movingKinds } from '../../domain/transaction/transaction-kinds.ts';
import type { Tally, TransactionTotals } from '../../store/transaction-statistics.ts';
import { defineOperation } from '../operation.ts';
import { historyEntry, historyEntrySchema } from '../portfolio/history-entry.ts';
import { integer, sol } from '../shared-schemas.ts';

/** Number of newest transactions listed. */
const MAX_RECENT = 10;

/** Creates one field per kind of transaction that moves lamports, in the order of the kinds. */
const forMoved = <Name extends string, T>(
  name: (kind: MovingKind) => Name,
  value: (kind: MovingKind) => T,
): Record<Name, T> =>
  Object.fromEntries(movingKinds.map((kind) => [name(kind), value(kind)])) as Record<Name, T>;

const windowSchema = z
  .object({
    transactions: integer('Transactions.'),
    ...forMoved(
      (kind) => `sol${kinds[kind].pastTense}` as const,
      (kind) => sol(`${kinds[kind].pastTense}.`),
    ),
    uniqueWallets: integer('Wallets that signed at least one of them.'),
  })
  .meta({ id: 'AnalyticsWindow' });

const countsSchema = z
  .object(
    recordByKind((kind) =>
      integer(
        kind === 'restake'
          ? 'Restakes and fully undone unstakes: both have the same instructions.'
          : `${kinds[kind].noun}s.`,
      ),
    ),
  )
  .meta({ id: 'TransactionCounts' });

// Legs are omitted, because they contain addresses of wallets.
const recentSchema = historyEntrySchema
  .omit({ legs: true })
  .extend({ wallet: z.string().meta({ description: 'First and last four characters of its address.' }) })
  .meta({ id: 'RecentTransaction' });

/** `GET /analytics-json` */
export const analytics = defineOperation({
  name: 'analytics',
  summary: 'Analytics summary',
  description:
    'Counts and sums of every recorded transaction: those sent by this service as soon as they are confirmed, and those found on chain by its memo. Only successful ones count, each once, for the wallet that signed it. `endpointCounts` counts completed calls of every route, and loses at most the last second if the process is killed.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    totalTransactions: integer('All recorded transactions.'),
    ...forMoved(
      (kind) => `totalSol${kinds[kind].pastTense}` as const,
      (kind) => sol(`Moved ${kinds[kind].moves}.`),
    ),
    activeSolStaked: z.number().nullable().meta({
      description:
        'Currently delegated to the validator by anyone and not deactivated; null until the stake accounts have been scanned once.',
    }),
    transactionCounts: countsSchema,
    uniqueWallets: integer('Wallets that signed.'),
    endpointCounts: z
      .record(z.string(), z.number())
      .meta({ description: 'Number of completed calls by `METHOD /path`.' }),
    totalApiCalls: integer('The sum of endpointCounts.'),
    restTransactions: integer('Sent over REST by any program.'),
    mcpTransactions: integer('Sent over MCP, including stdio.'),
    transactionsBySource: z
      .record(z.string(), z.number())
      .meta({ description: 'Count by interface; chain: found on chain.' }),
    ...forMoved(
      (kind) => `avg${kinds[kind].verb}Sol` as const,
      (kind) => sol(`Mean ${kinds[kind].noun.toLowerCase()}; 0 without any.`),
    ),
    last24h: windowSchema,
    last7d: windowSchema,
    last30d: windowSchema,
    recentTransactions: z.array(recentSchema).meta({ description: 'The newest ten.' }),
  }),
  errors: ['STORE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx }) {
    const [statistics, endpointCounts] = await Promise.all([
      ctx.store.transactions.statistics(ctx.clock.now(), MAX_RECENT),
      ctx.store.endpointCounts(),
    ]);
    const { byType, bySource } = statistics;
    const delegated = ctx.chain.index?.totals()?.delegatedLamports;
    return {
      body: {
        totalTransactions: countAll(statistics),
        ...forMoved(
          (kind) => `totalSol${kinds[kind].pastTense}` as const,
          (kind) => solNumber(byType[kind].lamports),
        ),
        activeSolStaked: delegated === undefined ? null : solNumber(delegated),
        transactionCounts: recordByKind((kind) => byType[kind].count),
        uniqueWallets: statistics.uniqueWallets,
        endpointCounts: Object.fromEntries([...endpointCounts].sort(([a], [b]) => (a < b ? -1 : 1))),
        totalApiCalls: [...endpointCounts.values()].reduce((sum, count) => sum + count, 0),
        restTransactions: bySource.rest + bySource.page + bySource.client + bySource.cli + bySource.actions,
        mcpTransactions: bySource.mcp + bySource['mcp-stdio'],
        transactionsBySource: bySource,
        ...forMoved(
          (kind) => `avg${kinds[kind].verb}Sol` as const,
          (kind) => meanSol(byType[kind]),
        ),
        last24h: windowOf(statistics.last24h),
        last7d: windowOf(statistics.last7d),
        last30d: windowOf(statistics.last30d),
        recentTransactions: statistics.recent.map((record) => {
          const { legs: _, ...entry } = historyEntry(record, ctx.service.settings);
          return { ...entry, wallet: shortAddress(record.wallet) };
        }),
      },
    };
  },
});

const countAll = ({ byType }: TransactionTotals): number =>
  Object.values(byType).reduce((sum, { count }) => sum + count, 0);

const meanSol = ({ count, lamports }: Tally): number =>
  count === 0 ? 0 : solNumber(lamports / BigInt(count));

const windowOf = (totals: TransactionTotals): z.input<typeof windowSchema> => ({
  transactions: countAll(totals),
  ...forMoved(
    (kind) => `sol${kinds[kind].pastTense}` as const,
    (kind) => solNumber(totals.byType[kind].lamports),
  ),
  uniqueWallets: totals.uniqueWallets,
});

// Formats an account of the delegator list for responses and CSV: stake, state, start and source.

import { z } from 'zod';
import type { StakeIndex } from '../../chain/index/stake-index.ts';
import type { EpochPosition } from '../../chain/ports.ts';
import { solNumber } from '../../domain/lamports.ts';
import { EPOCH_ABSENT } from '../../domain/stake/stake-account.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';
import type { StakeTotals } from '../../events/delegators/stake-totals.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { AccountSource } from '../../store/transaction-records.ts';
import { boundedChainRead } from '../bounded-chain-read.ts';
import type { Context } from '../context.ts';
import { integer, sol, timestamp } from '../shared-schemas.ts';
import { DELEGATOR_STATES, type DelegatorRow, shownLamports } from './find-delegator-rows.ts';
import { readRecords } from './last-records.ts';

export const delegatorSchema = z
  .object({
    stakeAccountAddress: z.string(),
    walletAddress: z.string().meta({ description: 'The withdraw authority.' }),
    label: z.string().nullable().meta({ description: 'The operator’s label for the wallet.' }),
    stakeAuthority: z.string(),
    stakeSol: sol('Delegated amount; 0 once inactive.'),
    balanceSol: sol('Balance of the account.'),
    sharePct: z.number().meta({
      description: 'This account’s share of the validator’s active stake.',
    }),
    state: z.enum(DELEGATOR_STATES),
    activationEpoch: integer('Null if active since genesis.').nullable(),
    deactivationEpoch: integer('Null if none is set.').nullable(),
    firstSeenEpoch: integer(
      'Epoch in which the delegator list first recorded it; null briefly after it joined.',
    ).nullable(),
    firstSeenAt: timestamp('Time at which it was first recorded.').nullable(),
    throughThisService: z.boolean().nullable().meta({
      description:
        'Its stake came from a transaction that was built or submitted here or has our memo; null while the store is unavailable.',
    }),
    wayIn: z.string().nullable().meta({
      description:
        'rest, page, client, cli, mcp-stdio, mcp or actions; chain: found on chain; null: not known here.',
    }),
  })
  .meta({ id: 'Delegator' });

type DelegatorView = z.input<typeof delegatorSchema>;

/** Returns the index once it contains every account. Throws `AppError('NOT_READY')` before that. */
export const requireIndex = ({
  chain: { index },
}: {
  readonly chain: Pick<Context['chain'], 'index'>;
}): StakeIndex => {
  if (index !== null && index.totals() !== null) return index;
  throw new AppError('NOT_READY', 'The index of stake accounts has not been filled yet.', {
    reason: 'INDEX',
    suggestedAction: guidance`${step('ready')} shows the progress.`,
    retryAfterSeconds: 5,
  });
};

/** Updates when each account was first seen. While the store is unavailable, what is known stays. */
export const refreshFirstSeen = (ctx: Pick<Context, 'store' | 'clock'>): Promise<unknown> =>
  readRecords<unknown>(ctx, 'first seen', ctx.store.firstSeen.refresh, null);

/** The chain's position, which determines the states of accounts. */
interface Position {
  readonly position: EpochPosition;
  readonly epoch: bigint;
  readonly history: StakeHistory;
  /**
   * Time of the position or of the index, whichever is older, if the chain is unreachable or the index has not
   * caught up since; null if both are current.
   */
  readonly asOf: string | null;
}

/** Schema of the `asOf` field in responses that depend on the chain's position. */
export const asOfSchema = timestamp(
  'Time of the data while the network is unreachable, and until every account has been read after that; null if the data is current.',
).nullable();

/** Maximum wait for the position, in ms: one call to a node that responds. */
const POSITION_WAIT_MS = 1_000;

/** Reads the current position, or returns the last known one while no RPC node responds. */
export const readPosition = async (
  ctx: { readonly chain: Pick<Context['chain'], 'cluster' | 'index'>; readonly clock: Context['clock'] },
  signal: AbortSignal,
): Promise<Position> => {
  const { cluster } = ctx.chain;
  const { ready, ageSeconds } = requireIndex(ctx).health();
  const indexAtMs = ready ? Infinity : ctx.clock.now() - (ageSeconds ?? 0) * 1_000;
  const last = cluster.lastEpochPosition();
  const found = last && (await boundedChainRead(ctx, cluster.epochPosition, signal, POSITION_WAIT_MS));
  const position = found ?? last ?? (await cluster.epochPosition(signal));
  const asOfMs = Math.min(found === null ? position.readAtMs : Infinity, indexAtMs);
  return {
    position,
    epoch: position.epoch,
    history: await cluster.stakeHistory(position.epoch, signal),
    asOf: asOfMs === Infinity ? null : new Date(asOfMs).toISOString(),
  };
};

const epochNumber = (epoch: bigint): number | null => (epoch === EPOCH_ABSENT ? null : Number(epoch));

/** The origin of each account, and the operator's labels; null while the store is unavailable. */
type AccountRecords =
  | readonly [ways: ReadonlyMap<string, AccountSource>, labels: ReadonlyMap<string, string>]
  | null;

/** Reads the records of up to 500 rows. */
export const readAccountRecords = async (
  { store }: { readonly store: Pick<Context['store'], 'transactions' | 'delegators'> },
  rows: readonly DelegatorRow[],
): Promise<AccountRecords> =>
  Promise.all([
    store.transactions.waysIn(rows.map(({ entry }) => entry.address)),
    store.delegators.labels(rows.map(({ entry }) => entry.withdrawer.address)),
  ]);

/** Reads the records of a page, or those last read for it. */
export const readPageRecords = (ctx: Pick<Context, 'store' | 'clock'>, rows: readonly DelegatorRow[]) =>
  readRecords(ctx, `accounts from ${rows[0]?.entry.address}`, () => readAccountRecords(ctx, rows), null);

/** Formats up to 500 rows. */
export const viewDelegators = (
  { firstSeen }: Pick<Context['store'], 'firstSeen'>,
  rows: readonly DelegatorRow[],
  { activeLamports }: Pick<StakeTotals, 'activeLamports'>,
  records: AccountRecords,
): DelegatorView[] =>
  rows.map(({ entry, state, activation }) => {
    const seen = firstSeen.of(entry.address);
    const way = records?.[0].get(entry.address);
    return {
      stakeAccountAddress: entry.address,
      walletAddress: entry.withdrawer.address,
      label: records?.[1].get(entry.withdrawer.address) ?? null,
      stakeAuthority: entry.staker.address,
      stakeSol: solNumber(shownLamports(entry, state)),
      balanceSol: solNumber(entry.lamports),
      sharePct: sharePct(activation.effectiveLamports, activeLamports),
      state,
      activationEpoch: epochNumber(entry.activationEpoch),
      deactivationEpoch: epochNumber(entry.deactivationEpoch),
      firstSeenEpoch: seen === undefined ? null : Number(seen.epoch),
      firstSeenAt: seen === undefined ? null : new Date(seen.atMs).toISOString(),
      throughThisService: records && way !== undefined && (way.source !== 'chain' || way.hasMemo),
      wayIn: way?.source ?? null,
    };
  });

/** Formats a percentage with four decimals. */
const sharePct = (lamports: bigint, ofLamports: bigint): number =>
  ofLamports === 0n ? 0 : Number((lamports * 1_000_000n) / ofLamports) / 10_000;

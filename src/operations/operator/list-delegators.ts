// Lists every stake account delegated to the validator, with search, sorting, paging and CSV export.
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { StakeIndex } from '../../chain/index/stake-index.ts';
import { formatCsv } from '../../domain/format-csv.ts';
import { stakeTotals } from '../../events/delegators/stake-totals.ts';
import { validationError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer, tableFormatSchema } from '../shared-schemas.ts';
import {
  asOfSchema,
  delegatorSchema,
  readAccountRecords,
  readPageRecords,
  readPosition,
  refreshFirstSeen,
  requireIndex,
  viewDelegators,
} from './delegator-view.ts';
import {
  ACCOUNTS_AT_ONCE,
  DELEGATOR_SORTS,
  DELEGATOR_STATES,
  type DelegatorRow,
  matchesFilter,
  pageRows,
  type RowFilter,
  type RowPlace,
  rowOf,
} from './find-delegator-rows.ts';
import { recordsAsOfSchema } from './last-records.ts';

/** `GET /api/v1/operator/delegators` */
export const listDelegators = defineOperation({
  name: 'listDelegators',
  summary: 'The delegator list',
  description:
    'Every account delegated to the validator, from the index: stake, share, state, time first recorded, and whether it came from a transaction of this service. Sorted by stake by default. With format=csv or Accept: text/csv, returns all accounts that match the filter as an unsorted table.',
  effect: 'read',
  input: z.object({
    search: z
      .string()
      .min(1)
      .max(44)
      .optional()
      .meta({ description: 'Part of the account’s, wallet’s or stake authority’s address.' }),
    wallet: addressSchema('Only accounts with this withdraw authority.').optional(),
    state: z
      .enum(DELEGATOR_STATES)
      .optional()
      .meta({ description: 'deactivating: delegators that are leaving.' }),
    sort: z.enum(DELEGATOR_SORTS).default('stake').meta({ description: 'Sort key.' }),
    order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Sort order.' }),
    limit: z.number().int().min(1).max(500).default(50).meta({ description: 'Accounts per page.' }),
    cursor: z.string().max(256).optional().meta({ description: '`nextCursor` from the previous page.' }),
    format: tableFormatSchema,
  }),
  output: z.object({
    asOf: asOfSchema,
    recordsAsOf: recordsAsOfSchema,
    epoch: integer('The states are as of this epoch.'),
    accounts: integer('Accounts delegated to the validator, in any state.'),
    delegators: z.array(delegatorSchema),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  }),
  errors: ['NOT_READY', 'STORE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const index = requireIndex(ctx);
    const after = parsePlace(input.cursor);
    const [moment] = await Promise.all([readPosition(ctx, signal), refreshFirstSeen(ctx)]);
    const { search, wallet, state } = input;
    const filter = { ...moment, search, wallet, state };
    const known = { asOf: moment.asOf, epoch: Number(moment.epoch), accounts: index.totals()!.accounts };
    if (input.format === 'csv') {
      const content = await delegatorsCsv(ctx, index, filter, signal);
      return {
        body: { ...known, recordsAsOf: null, delegators: [], nextCursor: null },
        text: { type: 'text/csv; charset=utf-8', content },
      };
    }
    const { sort, order, limit } = input;
    const { rows, next } = await pageRows(index, ctx.store.firstSeen, {
      ...filter,
      sort,
      order,
      limit,
      after,
    });
    const totals = await stakeTotals(index, moment.epoch, moment.history);
    const { records, recordsAsOf } = await readPageRecords(ctx, rows);
    return {
      body: {
        ...known,
        delegators: viewDelegators(ctx.store, rows, totals, records),
        recordsAsOf,
        nextCursor: next === null ? null : formatPlace(next),
      },
    };
  },
});

const formatPlace = ({ key, address }: RowPlace): string =>
  Buffer.from(`${key}.${address}`).toString('base64url');

const parsePlace = (cursor: string | undefined): RowPlace | null => {
  if (cursor === undefined) return null;
  const [, key, address] =
    /^(\w{1,44})\.(\w{32,44})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (key !== undefined && address !== undefined) return { key, address };
  throw validationError([
    { path: 'cursor', code: 'invalid_cursor', message: 'This is not a cursor from an earlier page.' },
  ]);
};

const COLUMNS = Object.keys(delegatorSchema.shape) as (keyof typeof delegatorSchema.shape)[];
/** Number of accounts per query for their sources. */
const ROWS_AT_ONCE = 500;

// `JSON.stringify` writes amounts exactly, even those that no double can represent.
const cell = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

const delegatorsCsv = async (
  ctx: Context,
  index: StakeIndex,
  filter: RowFilter,
  signal: AbortSignal,
): Promise<string> => {
  const totals = await stakeTotals(index, filter.epoch, filter.history);
  const parts = [formatCsv([COLUMNS])];
  const write = async (rows: readonly DelegatorRow[]): Promise<void> => {
    const views = viewDelegators(ctx.store, rows, totals, await readAccountRecords(ctx, rows));
    parts.push(formatCsv(views.map((view) => COLUMNS.map((column) => cell(view[column])))));
  };
  let rows: DelegatorRow[] = [];
  let seen = 0;
  for (const entry of index.entries()) {
    seen += 1;
    if (seen % ACCOUNTS_AT_ONCE === 0) await setImmediate();
    if (!matchesFilter(entry, filter)) continue;
    rows.push(rowOf(entry, filter.epoch, filter.history));
    if (rows.length < ROWS_AT_ONCE) continue;
    await write(rows);
    rows = [];
    await setImmediate();
    signal.throwIfAborted();
  }
  await write(rows);
  return parts.join('');
};

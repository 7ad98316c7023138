// Shows one wallet or account of the delegator list with its changes.

import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { actNames } from '../../domain/transaction/stake-acts.ts';
import type { TransactionLeg } from '../../domain/transaction/transaction-legs.ts';
import { stakeTotals } from '../../events/delegators/stake-totals.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { DelegatorChange } from '../../store/delegators.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer, sol, timestamp } from '../shared-schemas.ts';
import {
  asOfSchema,
  delegatorSchema,
  readPageRecords,
  readPosition,
  refreshFirstSeen,
  requireIndex,
  viewDelegators,
} from './delegator-view.ts';
import { pageRows, rowOf } from './find-delegator-rows.ts';
import { readRecords, recordsAsOfSchema } from './last-records.ts';

export const delegatorChangeSchema = z
  .object({
    at: timestamp('Time at which it was recorded.'),
    epoch: integer('Epoch of the change.'),
    stakeAccountAddress: z.string(),
    walletAddress: z.string(),
    walletLabel: z.string().nullable().meta({ description: 'The operator’s label for the wallet.' }),
    kind: z.string().meta({
      description:
        'joined, delegated (staked again), leaving, stayed (a deactivation was undone), stake_changed (split, merged or moved; a difference), withdrawer_changed, staker_changed, left (closed, or delegated elsewhere).',
    }),
    stakeSol: sol('The affected stake; for stake_changed, the difference.'),
    slot: integer(
      'Slot in which the account was read; that of the transaction, unless a scan found the change.',
    ),
    signature: z.string().nullable().meta({
      description: 'The transaction, if this service knows it. Changes with one signature belong together.',
    }),
    title: z.string().nullable().meta({
      description: 'Effects of the transaction in words, e.g. Undo unstake; null without a signature.',
    }),
  })
  .meta({ id: 'BookChange' });

/** Maps each change to the types of transaction legs that cause it. */
const LEGS: Readonly<Record<DelegatorChange['kind'], readonly TransactionLeg['type'][]>> = {
  joined: ['create', 'delegate', 'split', 'moveStake'],
  delegated: ['delegate'],
  leaving: ['deactivate'],
  stayed: ['undo', 'delegate'],
  stake_changed: ['split', 'merge', 'moveStake', 'moveLamports'],
  withdrawer_changed: ['authorizeWithdrawer'],
  staker_changed: ['authorize'],
  left: ['withdraw', 'merge', 'delegate', 'moveStake'],
};

/**
 * Formats changes with wallet labels and transactions. Rejects with `AppError('STORE_UNAVAILABLE')` if the
 * store is unavailable.
 */
export const changesWithLabels = async (
  { store }: Pick<Context, 'store'>,
  changes: readonly DelegatorChange[],
): Promise<z.input<typeof delegatorChangeSchema>[]> => {
  const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];
  const [labels, records] = await Promise.all([
    store.delegators.labels(unique(changes.map(({ wallet }) => wallet))),
    store.transactions.thatChanged(
      unique(changes.map(({ address }) => address)),
      unique(changes.map(({ epoch }) => epoch)),
    ),
  ]);
  return changes.map((change) => {
    const { address, slot, wallet } = change;
    // The account may have been read a few slots after the transaction landed.
    const record = records.find(
      (one) =>
        one.slot <= slot &&
        one.legs.some(
          (leg) =>
            LEGS[change.kind].includes(leg.type) &&
            (leg.stakeAccount === address || leg.counterAccount === address),
        ),
    );
    return {
      at: new Date(change.atMs).toISOString(),
      epoch: Number(change.epoch),
      stakeAccountAddress: address,
      walletAddress: wallet,
      walletLabel: labels.get(wallet) ?? null,
      kind: change.kind,
      stakeSol: solNumber(change.lamports),
      slot: Number(slot),
      signature: record?.signature ?? null,
      title: record === undefined ? null : actNames(record),
    };
  });
};

const HISTORY = 200;

/** `GET /api/v1/operator/delegators/{address}` */
export const showDelegator = defineOperation({
  name: 'showDelegator',
  summary: 'A delegator with its history',
  description:
    'A wallet with all its accounts, or one stake account, from the delegator list, with the latest 200 recorded changes: joined, leaving, undone, split, new authority, left. Changes from before this service first ran are unknown.',
  effect: 'read',
  input: z.object({ address: addressSchema('A wallet or a stake account.') }),
  output: z.object({
    asOf: asOfSchema,
    recordsAsOf: recordsAsOfSchema,
    address: z.string(),
    isWallet: z.boolean().meta({ description: 'False for a stake account.' }),
    label: z.string().nullable().meta({ description: 'The operator’s label for the wallet.' }),
    delegators: z.array(delegatorSchema),
    history: z.array(delegatorChangeSchema),
  }),
  errors: ['NOT_FOUND', 'NOT_READY', 'STORE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Delegator not found' } },
  async run({ ctx, input: { address }, signal }) {
    const index = requireIndex(ctx);
    const [{ epoch, history, asOf }] = await Promise.all([readPosition(ctx, signal), refreshFirstSeen(ctx)]);
    const entry = index.entry(address);
    const rows =
      entry === undefined
        ? (
            await pageRows(index, ctx.store.firstSeen, {
              epoch,
              history,
              wallet: address,
              sort: 'stake',
              order: 'desc',
              limit: 500,
              after: null,
            })
          ).rows
        : entry.live
          ? [rowOf(entry, epoch, history)]
          : [];
    const { delegators } = ctx.store;
    const { records, recordsAsOf } = await readRecords(ctx, `delegator ${address}`, async () => {
      const [ofAccount, ofWallet, labels] = await Promise.all([
        delegators.changes({ address }, HISTORY),
        entry === undefined ? delegators.changes({ wallet: address }, HISTORY) : [],
        delegators.labels([address]),
      ]);
      const history = await changesWithLabels(ctx, [...ofAccount, ...ofWallet]);
      return { isAccount: ofAccount.length > 0, label: labels.get(address) ?? null, history };
    });
    if (rows.length === 0 && records.history.length === 0)
      throw new AppError(
        'NOT_FOUND',
        'The delegator list contains neither a wallet nor an account with this address.',
        {
          reason: 'NO_DELEGATOR',
          suggestedAction: guidance`${step('listDelegators')}?search= finds parts of an address.`,
        },
      );
    const totals = await stakeTotals(index, epoch, history);
    const { records: ofRows } = await readPageRecords(ctx, rows);
    return {
      body: {
        asOf,
        address,
        isWallet: entry === undefined && !records.isAccount,
        label: records.label,
        recordsAsOf,
        delegators: viewDelegators(ctx.store, rows, totals, ofRows),
        history: records.history,
      },
    };
  },
});

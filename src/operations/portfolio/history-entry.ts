// Formats a landed transaction for histories and statistics.
import { z } from 'zod';
import { CALL_SOURCES } from '../../domain/call-source.ts';
import { solOrNull } from '../../domain/lamports.ts';
import { actsOf, STAKE_ACTS } from '../../domain/transaction/stake-acts.ts';
import { transactionKinds } from '../../domain/transaction/transaction-kinds.ts';
import { LEG_TYPES, type TransactionLeg } from '../../domain/transaction/transaction-legs.ts';
import type { TransactionRecord } from '../../store/transaction-records.ts';
import { accountUrl, type LinkSettings, transactionUrl } from '../act/explorer-links.ts';
import { integer, signatureSchema, sol, timestamp } from '../shared-schemas.ts';

const legSchema = z
  .object({
    type: z.enum(LEG_TYPES).meta({
      description:
        'Effect of this instruction; authorize changes the stake authority, undo is a delegation that reverted a deactivation of the same epoch.',
    }),
    stakeAccountAddress: z
      .string()
      .nullable()
      .meta({ description: 'The affected account; for a merge the one that remains.' }),
    counterAccountAddress: z.string().nullable().meta({
      description:
        'The counterpart: the destination of a split, move or withdrawal; the source of a merge, create or transfer; the vote account of a delegate; the new authority of an authorize or authorizeWithdrawer.',
    }),
    amountSol: sol(
      'Amount moved; for a delegation, an undo or a deactivation, the delegated amount. Null if unknown.',
    ).nullable(),
  })
  .meta({ id: 'HistoryLeg' });

export const actSchema = z
  .object({
    act: z.enum(STAKE_ACTS),
    amountSol: sol('Null if unknown, and for a rescue, authorize or merge.').nullable(),
    accountCount: integer(
      'Number of accounts that were merged, or whose authority changed; null for other operations.',
    ).nullable(),
    accountsLeft: integer('Number of accounts after a merge; null for other operations.').nullable(),
  })
  .meta({ id: 'HistoryAct' });

export const historyEntrySchema = z
  .object({
    type: z.enum(transactionKinds).meta({
      description:
        'The kind of transaction, by its instructions. A restake and an undone unstake have the same instructions; act distinguishes them.',
    }),
    act: z.enum(STAKE_ACTS).meta({
      description:
        'The stake operation, by its effects; if there were several, the first of these: rescue took back control, authorize gave an authority to another address, `topUp` added to an activating stake, undo reverted an unstake of the same epoch, change is anything else.',
    }),
    title: z.string().meta({
      description: 'Its effects in words: "Unstake 5 SOL, withdraw 3 SOL".',
    }),
    acts: z.array(actSchema).meta({ description: 'The effects listed in title, in the same order.' }),
    signature: signatureSchema('The transaction.'),
    stakeAccountAddress: z
      .string()
      .nullable()
      .meta({ description: 'Null for a donation, and for a rearrangement of several.' }),
    amountSol: sol(
      'Amount of the stake operation: deactivated by an unstake, delegated by a restake or undo. Null if unknown, and for a rescue or merge.',
    ).nullable(),
    slot: integer('Slot in which it landed.'),
    epoch: integer('Epoch in which it landed.'),
    confirmedAt: timestamp('When.'),
    source: z.enum([...CALL_SOURCES, 'chain']).meta({
      description:
        'Interface it was sent through: page, client, cli, mcp-stdio, mcp or actions if the caller identified itself, otherwise rest. chain: found on chain.',
    }),
    hasMemo: z.boolean().meta({ description: 'True if it has the memo of this service.' }),
    legs: z.array(legSchema).meta({
      description: 'Its effects on each stake account, in order; at least one.',
    }),
    explorerUrl: z.string().meta({ description: 'The transaction in an explorer.' }),
    accountUrl: z
      .string()
      .nullable()
      .meta({ description: 'The stake account in an explorer; null for a donation.' }),
  })
  .meta({ id: 'HistoryEntry' });

const legView = ({
  type,
  stakeAccount,
  counterAccount,
  lamports,
}: TransactionLeg): z.input<typeof legSchema> => ({
  type,
  stakeAccountAddress: stakeAccount,
  counterAccountAddress: counterAccount,
  amountSol: solOrNull(lamports),
});

export const actsView = (landed: Parameters<typeof actsOf>[0]): z.input<typeof actSchema>[] =>
  actsOf(landed).acts.map(({ act, lamports, accounts, accountsLeft }) => ({
    act,
    amountSol: solOrNull(lamports),
    accountCount: accounts,
    accountsLeft,
  }));

export const historyEntry = (
  record: TransactionRecord,
  settings: LinkSettings,
): z.input<typeof historyEntrySchema> => {
  const { type, signature, stakeAccountAddress, legs } = record;
  const { acts, title } = actsOf(record);
  const [{ act, lamports }] = acts;
  return {
    type,
    act,
    title,
    acts: actsView(record),
    signature,
    stakeAccountAddress,
    amountSol: solOrNull(lamports),
    slot: Number(record.slot),
    epoch: Number(record.epoch),
    confirmedAt: new Date(record.confirmedAtMs).toISOString(),
    source: record.source,
    hasMemo: record.hasMemo,
    legs: legs.map(legView),
    explorerUrl: transactionUrl(settings, signature),
    accountUrl: stakeAccountAddress === null ? null : accountUrl(settings, stakeAccountAddress),
  };
};

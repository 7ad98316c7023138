// Formats a landed transaction for histories and statistics.
import { z } from 'zod';
import { CALL_SOURCES } from '../../domain/call-source.ts';
import { solOrNull } from '../../domain/lamports.ts';
import { actOf, STAKE_ACTS } from '../../domain/transaction/stake-acts.ts';
import { transactionKinds } from '../../domain/transaction/transaction-kinds.ts';
import { LEG_TYPES, type TransactionLeg } from '../../domain/transaction/transaction-legs.ts';
import type { TransactionRecord } from '../../store/transaction-records.ts';
import { accountUrl, type LinkSettings, transactionUrl } from '../act/explorer-links.ts';
import { integer, signatureSchema, sol, timestamp } from '../shared-schemas.ts';

const legSchema = z
  .object({
    type: z.enum(LEG_TYPES).meta({
      description:
        'What this instruction did; undo for a delegate that took back a deactivation of its epoch.',
    }),
    stakeAccountAddress: z
      .string()
      .nullable()
      .meta({ description: 'The account it was done to: of a merge the one that remains.' }),
    counterAccountAddress: z.string().nullable().meta({
      description:
        'The other one: of a split, move or withdrawal where it went; of a merge, create or transfer where it came from; of a delegate the vote account; of an authorize the new authority.',
    }),
    amountSol: sol(
      'What it moved; of a delegate, undo or deactivate what is delegated. Null where that is not known.',
    ).nullable(),
  })
  .meta({ id: 'HistoryLeg' });

/** One entry. */
export const historyEntrySchema = z
  .object({
    type: z.enum(transactionKinds).meta({
      description:
        'The kind of transaction, by its instructions. A restake and an undone unstake have the same; act says which it was.',
    }),
    act: z.enum(STAKE_ACTS).meta({
      description:
        'What it did, by its effects; the first of these where it did several things: rescue took back control, topUp added to a stake that was activating, undo took an unstake of its epoch back, change is anything else.',
    }),
    title: z.string().meta({
      description: 'What it did, for people: "Unstake 5 SOL, withdraw 3 SOL".',
    }),
    signature: signatureSchema('The transaction.'),
    stakeAccountAddress: z
      .string()
      .nullable()
      .meta({ description: 'Null for a donation, and for a rearrangement of several.' }),
    amountSol: sol(
      'What its act moved: of an unstake what was deactivated, of a restake or undo what was delegated. Null where that is not known, and for a rescue or merge.',
    ).nullable(),
    slot: integer('Slot in which it landed.'),
    epoch: integer('Epoch in which it landed.'),
    confirmedAt: timestamp('When.'),
    source: z.enum([...CALL_SOURCES, 'chain']).meta({
      description:
        'Interface it was sent through: page, client, cli, mcp-stdio, mcp or actions where the caller said so, else rest. chain: found on chain.',
    }),
    hasMemo: z.boolean().meta({ description: 'It carries the memo of this service.' }),
    legs: z.array(legSchema).meta({
      description: 'What it did to each stake account, in its order; at least one.',
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

/** Formats a record. */
export const historyEntry = (
  record: TransactionRecord,
  settings: LinkSettings,
): z.input<typeof historyEntrySchema> => {
  const { type, signature, stakeAccountAddress, legs } = record;
  const { act, title, lamports } = actOf(record);
  return {
    type,
    act,
    title,
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

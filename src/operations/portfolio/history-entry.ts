// A landed transaction as histories and statistics show it.
import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { transactionKinds } from '../../domain/transaction/transaction-kinds.ts';
import type { TransactionRecord } from '../../store/transaction-records.ts';
import { accountUrl, type LinkSettings, transactionUrl } from '../act/explorer.ts';
import { integer, signatureSchema, sol, timestamp } from '../schemas.ts';

/** One entry. */
export const historyEntrySchema = z
  .object({
    type: z.enum(transactionKinds),
    signature: signatureSchema('The transaction.'),
    stakeAccountAddress: z.string().nullable().meta({ description: 'Null for a donation.' }),
    amountSol: sol('What it moved; 0 for an unstake, which moves nothing.'),
    slot: integer('Slot in which it landed.'),
    epoch: integer('Epoch in which it landed.'),
    confirmedAt: timestamp('When.'),
    source: z
      .enum(['rest', 'mcp', 'chain'])
      .meta({ description: 'rest and mcp: carried out by this service. chain: found on chain.' }),
    explorerUrl: z.string().meta({ description: 'The transaction in an explorer.' }),
    accountUrl: z
      .string()
      .nullable()
      .meta({ description: 'The stake account in an explorer; null for a donation.' }),
  })
  .meta({ id: 'HistoryEntry' });

/** The view of a record. */
export const historyEntry = (
  record: TransactionRecord,
  settings: LinkSettings,
): z.input<typeof historyEntrySchema> => ({
  type: record.type,
  signature: record.signature,
  stakeAccountAddress: record.stakeAccountAddress,
  amountSol: solNumber(record.amountLamports),
  slot: Number(record.slot),
  epoch: Number(record.epoch),
  confirmedAt: new Date(record.confirmedAtMs).toISOString(),
  source: record.source,
  explorerUrl: transactionUrl(settings, record.signature),
  accountUrl: record.stakeAccountAddress === null ? null : accountUrl(settings, record.stakeAccountAddress),
});

// A landed transaction as histories and statistics show it.
import { z } from 'zod';
import { CALL_SOURCES } from '../../domain/call-source.ts';
import { solNumber } from '../../domain/lamports.ts';
import { kindRecord, transactionKinds } from '../../domain/transaction/transaction-kinds.ts';
import type { TransactionRecord } from '../../store/transaction-records.ts';
import { accountUrl, type LinkSettings, transactionUrl } from '../act/explorer-links.ts';
import { integer, signatureSchema, sol, timestamp } from '../shared-schemas.ts';

/** One entry. */
export const historyEntrySchema = z
  .object({
    type: z.enum(transactionKinds),
    signature: signatureSchema('The transaction.'),
    stakeAccountAddress: z
      .string()
      .nullable()
      .meta({ description: 'Null for a donation, and for a rearrangement of several.' }),
    amountSol: sol(
      'What it moved; of an unstake what was deactivated, of a restake what was delegated, null where that is not known and for a rearrangement.',
    ).nullable(),
    slot: integer('Slot in which it landed.'),
    epoch: integer('Epoch in which it landed.'),
    confirmedAt: timestamp('When.'),
    source: z.enum([...CALL_SOURCES, 'chain']).meta({
      description:
        'Interface it was sent through: page, client, cli, mcp-stdio, mcp or actions where the caller said so, else rest. chain: found on chain.',
    }),
    hasMemo: z.boolean().meta({ description: 'It carries the memo of this service.' }),
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
  // It moves nothing out or in: 0 was stored where the account was not read in time, or there are several.
  amountSol:
    kindRecord(record.type).moves === null && record.amountLamports === 0n
      ? null
      : solNumber(record.amountLamports),
  slot: Number(record.slot),
  epoch: Number(record.epoch),
  confirmedAt: new Date(record.confirmedAtMs).toISOString(),
  source: record.source,
  hasMemo: record.hasMemo,
  explorerUrl: transactionUrl(settings, record.signature),
  accountUrl: record.stakeAccountAddress === null ? null : accountUrl(settings, record.stakeAccountAddress),
});

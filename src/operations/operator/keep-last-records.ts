// Reads the records that the operator console shows once a minute, so an outage of the store never empties it.
import { runRepeatedly } from '../../kernel/run-repeatedly.ts';
import type { Context } from '../context.ts';
import { readAlertRecords } from './list-alerts.ts';
import { readDeadLetters } from './list-dead-letters.ts';
import { readSubmissions } from './list-submissions.ts';
import { readOwnRecords } from './show-own-validator.ts';
import { readStakeRecords } from './show-stake-flows.ts';

const EVERY_MS = 60_000;

/** Reads until `ctx.service.lifetime` is aborted. Never rejects. */
export const keepLastRecords = (ctx: Context): Promise<void> => {
  const { clock, logger, service } = ctx;
  const read = async (): Promise<void> => {
    await Promise.all([
      readStakeRecords(ctx),
      readOwnRecords(ctx),
      readAlertRecords(ctx),
      readDeadLetters(ctx),
      readSubmissions(ctx),
    ]);
  };
  return runRepeatedly('console records', EVERY_MS, read, { clock, logger, signal: service.lifetime }).ended;
};

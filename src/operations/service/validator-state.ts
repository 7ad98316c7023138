// Reports whether the validator votes, and its commission, from the last poll of the chain.
import { z } from 'zod';
import type { Context } from '../context.ts';
import { integer, timestamp } from '../shared-schemas.ts';

export const validatorStateSchema = z
  .object({
    voting: z.boolean().nullable().meta({ description: 'Null while the chain cannot be read.' }),
    votedLast: z.boolean().nullable().meta({ description: 'True if it voted at the last poll.' }),
    lastVoteSlot: integer('Slot of the last vote; null if unknown.').nullable(),
    slotsSinceVote: integer('Slots since the last vote; null if unknown.').nullable(),
    commissionPct: z.number().nullable().meta({ description: 'Commission at the last poll, percent.' }),
    asOf: timestamp('Time of the last poll if the chain cannot be read; null if current.').nullable(),
  })
  .meta({ id: 'ValidatorState' });

export type ValidatorState = z.infer<typeof validatorStateSchema>;

/** Returns the state. Everything is null before the first poll. */
export const validatorState = (
  { validator: { status } }: { readonly validator: Pick<Context['validator'], 'status'> },
  isChainReachable: boolean,
): ValidatorState => {
  const current = isChainReachable ? status.current() : null;
  const lastVote = current?.lastVote ?? null;
  const last = status.last();
  return {
    voting: current && !current.delinquent,
    votedLast: last && !last.status.delinquent,
    lastVoteSlot: lastVote && Number(lastVote.slot),
    slotsSinceVote: lastVote && Number(lastVote.slotsAgo),
    commissionPct: last?.status.commission ?? null,
    asOf: last !== null && current === null ? new Date(last.atMs).toISOString() : null,
  };
};

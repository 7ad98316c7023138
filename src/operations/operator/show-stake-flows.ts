// Shows the validator's stake now, at the next boundary and by epoch: inflow, outflow and leaving accounts.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solNumber, solOrNull } from '../../domain/lamports.ts';
import { epochRewards, stakeTotals } from '../../events/delegators/stake-totals.ts';
import type { DelegatorEpoch } from '../../store/delegators.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { epochTimingSchema, integer, sol } from '../shared-schemas.ts';
import { asOfSchema, readPosition, requireIndex } from './delegator-view.ts';
import { readRecords, recordsAsOfSchema } from './last-records.ts';
import { changesWithLabels, delegatorChangeSchema } from './show-delegator.ts';

const flowSol = (what: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${what} Null if the service did not watch that end.` });

const flowSchema = z
  .object({
    epoch: integer('The epoch.'),
    accounts: integer('Number of accounts at the last check.'),
    delegators: integer('Wallets with effective or activating stake.'),
    activeSol: sol('Effective stake in this epoch.'),
    inSol: flowSol('Stake that became active at the end of the epoch.'),
    outSol: flowSol('Stake that became inactive at the end of the epoch, with its rewards.'),
    rewardsSol: z.number().nullable().meta({
      description:
        'Rewards of the stake that was active: the growth that joining and leaving do not explain. Null if the next epoch is unknown or the figures do not add up.',
    }),
  })
  .meta({ id: 'StakeFlow' });

const EPOCHS = 60;
const CHANGES = 50;

/** Reads the stake by epoch and the newest changes. */
export const readStakeRecords = (ctx: Context) =>
  readRecords(ctx, 'stake', async () => {
    const [epochs, changes] = await Promise.all([
      ctx.store.delegators.epochs(EPOCHS),
      ctx.store.delegators.changes({}, CHANGES),
    ]);
    return { epochs, changes: await changesWithLabels(ctx, changes) };
  });

/** `GET /api/v1/operator/stake` */
export const showStakeFlows = defineOperation({
  name: 'showStakeFlows',
  summary: 'Stake in and out',
  description:
    'The validator’s effective stake (the sum of the delegator list), the expected effective stake of the next epoch (without rewards), stake in and out of the last 60 recorded epochs, and the latest 50 changes. `isSettled` is false from a boundary until its rewards have been paid and every account has been read again.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    epochTiming: epochTimingSchema,
    asOf: asOfSchema,
    recordsAsOf: recordsAsOfSchema,
    isSettled: z.boolean(),
    accounts: integer('Accounts delegated to the validator, in any state.'),
    delegators: integer('Wallets with effective or activating stake.'),
    activeSol: sol('Effective now.'),
    activatingSol: sol('Becomes active at the boundary.'),
    deactivatingSol: sol('Becomes inactive at the boundary unless undone before.'),
    nextActiveSol: sol('Expected effective stake after the boundary, without rewards.'),
    commissionPct: z.number().nullable().meta({
      description: 'Commission on inflation rewards when it was last read, percent; null while unknown.',
    }),
    epochs: z.array(flowSchema).meta({ description: 'Newest first.' }),
    changes: z.array(delegatorChangeSchema).meta({ description: 'Newest first.' }),
  }),
  errors: ['NOT_READY', 'STORE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const index = requireIndex(ctx);
    const before = await readPosition(ctx, signal);
    const { epoch, history } = before;
    const [totals, { records, recordsAsOf }] = await Promise.all([
      stakeTotals(index, epoch, history),
      readStakeRecords(ctx),
    ]);
    const { epochs, changes } = records;
    // Read after the stake totals, to detect whether an epoch ended in the meantime.
    const { position, asOf } = before.asOf === null ? await readPosition(ctx, signal) : before;
    return {
      body: {
        epochTiming: epochTiming(position, ctx.clock.now()),
        asOf,
        recordsAsOf,
        isSettled: !position.epochRewardsActive && position.epoch === epoch && index.scannedEpoch() === epoch,
        accounts: totals.accounts,
        delegators: totals.delegators,
        activeSol: solNumber(totals.activeLamports),
        activatingSol: solNumber(totals.activatingLamports),
        deactivatingSol: solNumber(totals.deactivatingLamports),
        nextActiveSol: solNumber(totals.nextActiveLamports),
        commissionPct: ctx.validator.status.last()?.status.commission ?? null,
        epochs: epochs.map((one, at) => showFlow(one, epochs[at - 1])),
        changes,
      },
    };
  },
});

const showFlow = (flow: DelegatorEpoch, next: DelegatorEpoch | undefined): z.input<typeof flowSchema> => {
  const { epoch, activeLamports, activatingLamports, deactivatingLamports } = flow;
  const isWatched = next === undefined || next.epoch === epoch + 1n;
  return {
    epoch: Number(epoch),
    accounts: flow.accounts,
    delegators: flow.delegators,
    activeSol: solNumber(activeLamports),
    inSol: solOrNull(isWatched ? activatingLamports : null),
    outSol: solOrNull(isWatched ? deactivatingLamports : null),
    rewardsSol: solOrNull(epochRewards(flow, next)),
  };
};

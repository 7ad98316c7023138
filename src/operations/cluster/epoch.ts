// Reports the current epoch, its progress, and the expected time of the next boundary.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { defineOperation } from '../operation.ts';
import { epochTimingSchema, integer } from '../shared-schemas.ts';

/** `GET /api/v1/epoch` */
export const epoch = defineOperation({
  name: 'epoch',
  summary: 'Current epoch and its timing',
  description:
    'Epoch, progress and estimated range for its end, based on the slot duration measured on the cluster. Stakes activate and deactivate at epoch boundaries. While `epochRewardsActive` is true, stake instructions are refused.',
  effect: 'read',
  input: z.object({}),
  output: epochTimingSchema
    .extend({
      absoluteSlot: integer('Current slot.'),
      blockHeight: integer('Block height, at most 20 blocks old.'),
    })
    .meta({ id: 'Epoch', description: 'Epoch timing with slot and block height.' }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const [position, { blockHeight }] = await Promise.all([
      ctx.chain.cluster.epochPosition(signal),
      ctx.chain.cluster.blockhash(signal),
    ]);
    return {
      body: {
        ...epochTiming(position, ctx.clock.now()),
        absoluteSlot: Number(position.absoluteSlot),
        blockHeight: Number(blockHeight),
      },
    };
  },
});

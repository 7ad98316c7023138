// Readiness check: the state of every dependency, with the age of its data and its error.
import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { defineOperation } from '../operation.ts';
import type { DependencyHealth } from '../service-ports.ts';
import { integer } from '../shared-schemas.ts';
import { validatorState, validatorStateSchema } from './validator-state.ts';

const dependencySchema = z
  .object({
    ok: z.boolean(),
    ageSeconds: z
      .number()
      .nullable()
      .meta({ description: 'Seconds since it last responded; null if it never has.' }),
    error: z.string().nullable(),
    optional: z.boolean().optional().meta({
      description: 'The service works without it, slower or with fewer features, and is still ready.',
    }),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Dependency' });

/** Maximum age of the measured network load, in ms. Each measurement costs one RPC call. */
export const NETWORK_MAX_AGE_MS = 60_000;

export const networkSchema = z
  .object({
    isBusy: z.boolean().meta({
      description:
        'True if blocks have no room without a priority fee, or more than a tenth of the recent transactions expired.',
    }),
    priorityPrices: z.object({ low: z.number(), medium: z.number(), high: z.number() }).nullable().meta({
      description: 'Estimated micro-lamports per compute unit that land now; null if no node estimates them.',
    }),
    recentTransactions: integer('Transactions sent through this service in the last hour, 50 at most.'),
    recentlyExpired: integer('Number of these that expired before they were included.'),
  })
  .meta({
    id: 'NetworkLoad',
    description: 'Load of the network. Does not affect readiness.',
  });

/** Lists the required dependencies that do not work. */
export const notReadyReasons = (
  dependencies: Readonly<Record<string, DependencyHealth>>,
): readonly string[] =>
  Object.entries(dependencies)
    .filter(([, { ok, optional }]) => !ok && optional !== true)
    .map(([name]) => name);

/** `GET /ready` */
export const ready = defineOperation({
  name: 'ready',
  summary: 'Readiness',
  description:
    'Lists every dependency. Returns 200 if all required ones work, 503 otherwise. The service recovers automatically. `validator` shows whether it votes and `network` how busy the network is; neither affects readiness.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    status: z.literal('ready'),
    dependencies: z.record(z.string(), dependencySchema),
    validator: validatorStateSchema,
    network: networkSchema.nullable().meta({ description: 'Null until it was read for the first time.' }),
  }),
  errors: ['SHUTTING_DOWN', 'NOT_READY'],
  async run({ ctx }) {
    const dependencies = { ...(await ctx.service.dependencies()) };
    if (ctx.service.draining()) {
      throw new AppError('SHUTTING_DOWN', 'The service is shutting down.', {
        reason: 'READINESS',
        body: { dependencies },
        retryAfterSeconds: 5,
      });
    }
    const away = notReadyReasons(dependencies);
    const validator = validatorState(ctx, dependencies.rpc?.ok !== false);
    if (away.length > 0) {
      throw new AppError('NOT_READY', 'Not ready: {dependencies}.', {
        reason: 'DEPENDENCIES',
        params: { dependencies: away.join(', ') },
        body: { dependencies, validator },
        retryAfterSeconds: 5,
      });
    }
    const network = ctx.service.network.last(NETWORK_MAX_AGE_MS);
    return {
      body: { status: 'ready' as const, dependencies, validator, network: network && { ...network } },
    };
  },
});

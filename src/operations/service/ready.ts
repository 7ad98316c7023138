// Readiness: the state of every dependency, with the age of its data and its error.
import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { defineOperation } from '../operation.ts';

const dependencySchema = z
  .object({
    ok: z.boolean(),
    ageSeconds: z
      .number()
      .nullable()
      .meta({ description: 'Seconds since it last answered; null if it never has.' }),
    error: z.string().nullable(),
    optional: z.boolean().optional().meta({
      description: 'The service works without it, slower or with fewer features, and is still ready.',
    }),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Dependency' });

/** `GET /ready` */
export const ready = defineOperation({
  name: 'ready',
  summary: 'Readiness',
  description:
    'Lists every dependency. Returns 200 if all required ones work, 503 otherwise. The service recovers automatically.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ status: z.literal('ready'), dependencies: z.record(z.string(), dependencySchema) }),
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
    const away = Object.entries(dependencies).filter(([, { ok, optional }]) => !ok && optional !== true);
    if (away.length > 0) {
      throw new AppError('NOT_READY', 'Not ready: {dependencies}.', {
        reason: 'DEPENDENCIES',
        params: { dependencies: away.map(([name]) => name).join(', ') },
        body: { dependencies },
        retryAfterSeconds: 5,
      });
    }
    return { body: { status: 'ready' as const, dependencies } };
  },
});

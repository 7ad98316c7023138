// Liveness check for load balancers: whether the process can serve requests.
import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { defineOperation } from '../operation.ts';

/** `GET /health` */
export const health = defineOperation({
  name: 'health',
  summary: 'Liveness',
  description:
    'Returns 200 as soon as the process can serve requests, and 503 while it drains before stopping. Does not check dependencies.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ status: z.literal('ok') }),
  errors: ['SHUTTING_DOWN'],
  async run({ ctx }) {
    if (ctx.service.draining())
      throw new AppError('SHUTTING_DOWN', 'The service is shutting down.', {
        reason: 'HEALTH',
        retryAfterSeconds: 5,
      });
    return { body: { status: 'ok' as const } };
  },
});

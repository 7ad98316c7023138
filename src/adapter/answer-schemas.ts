// Schemas shared by every JSON body: `_meta` and the error shape.
import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../kernel/error-codes.ts';
import {
  epochTimingSchema,
  sentenceParamsSchema,
  sentenceShape,
  timestamp,
} from '../operations/shared-schemas.ts';

const links = z.record(z.string(), z.string());

/** `_meta` of every JSON response. */
export const metaSchema = z
  .object({
    timestamp: timestamp('When this answer was made.'),
    documentation: z.string().meta({ description: 'Where this endpoint, or this error code, is explained.' }),
    endpoint: z.string().meta({ description: 'Path template of the endpoint that answered.' }),
    description: z.string().meta({ description: 'What the endpoint does.' }),
    relatedEndpoints: links.meta({ description: 'Paths of endpoints that go with this one, by name.' }),
    cluster: z
      .string()
      .meta({ description: 'The Solana cluster of this service.', examples: ['mainnet-beta'] }),
    nextSteps: links.optional().meta({ description: 'Usual next steps.' }),
    support: links.optional().meta({ description: 'How to support the service.' }),
    verifyThisCode: z.string().optional().meta({ description: 'Where the running code can be checked.' }),
    indexSlot: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Answered from the index of stake accounts: its newest slot.' }),
    verifiedSlot: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Every account listed was seen at this slot or later.' }),
    cacheTtlSeconds: z
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .meta({ description: 'How long a cached answer is fresh.' }),
    cachedAt: timestamp('When a cached answer was made.').optional(),
  })
  .meta({ id: 'Meta', description: 'Where the answer comes from, and what to do next.' });

const issueSchema = z
  .object({
    path: z.string().meta({ description: 'Member that is invalid; empty for the request as a whole.' }),
    code: z.string().meta({ description: 'The rule. Stable; messages may change.' }),
    message: z.string().meta({ description: 'The rule in words; never the value.' }),
    params: sentenceParamsSchema.optional(),
  })
  .meta({ id: 'ValidationIssue', description: 'One problem of a refused request.' });

/** Body of every error response. */
export const errorBodySchema = z
  .object({
    error: z.string().meta({ description: 'Short title.' }),
    message: z.string().meta({ description: 'What happened, for people.' }),
    errorCode: z
      .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
      .meta({ description: 'What happened, for programs. The list only grows.' }),
    reason: z.string().optional().meta({
      description: 'Tells apart the messages of one errorCode. Stable, as errorCode is; texts may change.',
    }),
    params: sentenceParamsSchema
      .optional()
      .meta({ description: 'The figures in message and suggestedAction, by name.' }),
    suggestedAction: z.string().optional().meta({ description: 'What to do about it.' }),
    currentState: z
      .string()
      .optional()
      .meta({ description: 'Raw state of the stake account, with STAKE_NOT_WITHDRAWABLE.' }),
    ...z.object(sentenceShape('stateDescription', 'That state in words.')).partial().shape,
    epochTiming: epochTimingSchema.optional(),
    details: z.array(issueSchema).optional().meta({ description: 'Every issue, with VALIDATION_ERROR.' }),
    _meta: metaSchema,
  })
  .meta({
    id: 'ErrorBody',
    description: 'Every failure has this shape; some codes add members.',
  });

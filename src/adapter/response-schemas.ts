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
    timestamp: timestamp('Time at which this response was created.'),
    documentation: z.string().meta({ description: 'Documentation of this endpoint or error code.' }),
    endpoint: z.string().meta({ description: 'Path template of the endpoint that responded.' }),
    description: z.string().meta({ description: 'Purpose of the endpoint.' }),
    relatedEndpoints: links.meta({ description: 'Paths of related endpoints, by name.' }),
    cluster: z
      .string()
      .meta({ description: 'The Solana cluster of this service.', examples: ['mainnet-beta'] }),
    nextSteps: links.optional().meta({ description: 'Usual next steps.' }),
    support: links.optional().meta({ description: 'Ways to support the service.' }),
    verifyThisCode: z.string().optional().meta({ description: 'URL for checking the running code.' }),
    indexSlot: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Newest slot of the stake account index, if it provided the response.' }),
    verifiedSlot: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Every listed account was read at this slot or later.' }),
    cacheTtlSeconds: z
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .meta({ description: 'Seconds for which a cached response stays fresh.' }),
    cachedAt: timestamp('Time at which a cached response was created.').optional(),
  })
  .meta({ id: 'Meta', description: 'Origin of the response, and next steps.' });

const issueSchema = z
  .object({
    path: z.string().meta({ description: 'The invalid field; empty if the whole request is affected.' }),
    code: z.string().meta({ description: 'The rule. Stable; messages may change.' }),
    message: z.string().meta({ description: 'Description of the violated rule; never contains the value.' }),
    params: sentenceParamsSchema.optional(),
  })
  .meta({ id: 'ValidationIssue', description: 'One problem in a refused request.' });

/** Body of every error response. */
export const errorBodySchema = z
  .object({
    error: z.string().meta({ description: 'Short title.' }),
    message: z.string().meta({ description: 'Description of the error in English.' }),
    errorCode: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]).meta({
      description: 'Stable code. New codes may be added; existing codes never change their meaning.',
    }),
    reason: z.string().optional().meta({
      description: 'Distinguishes the messages of one errorCode. As stable as errorCode; texts may change.',
    }),
    params: sentenceParamsSchema
      .optional()
      .meta({ description: 'The values in message and suggestedAction, by name.' }),
    suggestedAction: z.string().optional().meta({ description: 'Suggested fix.' }),
    currentState: z
      .string()
      .optional()
      .meta({ description: 'Raw state of the stake account; only with STAKE_NOT_WITHDRAWABLE.' }),
    ...z.object(sentenceShape('stateDescription', 'The state in words.')).partial().shape,
    epochTiming: epochTimingSchema.optional(),
    details: z.array(issueSchema).optional().meta({ description: 'All issues; only with VALIDATION_ERROR.' }),
    _meta: metaSchema,
  })
  .meta({
    id: 'ErrorBody',
    description: 'All failures have this shape; some codes add fields.',
  });

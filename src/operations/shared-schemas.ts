// Schemas shared by inputs and outputs.

import { type Address, isSignature } from '@solana/kit';
import { z } from 'zod';
import { formatSol, LAMPORTS_PER_SOL, MAX_AMOUNT_SOL, parseSol } from '../domain/lamports.ts';
import { ADDRESS_PATTERN, BASE58, isBase58Key, SIGNATURE_PATTERN } from '../kernel/base58.ts';
import type { Guidance, Step } from '../kernel/guidance.ts';
import { JsonNumber } from '../kernel/json-number.ts';

/** A base58 Solana address (32 bytes). */
export const addressSchema = (description: string) =>
  z
    .string()
    .max(44)
    .refine(isBase58Key, {
      message: 'must be a valid base58 Solana address',
      params: { code: 'invalid_address' },
    })
    .transform((text) => text as Address)
    .meta({
      description,
      override: { type: 'string', minLength: 32, maxLength: 44, pattern: ADDRESS_PATTERN },
      examples: ['7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'],
    });

/** A SOL amount in a request, parsed from its JSON text to lamports. `minSol` is inclusive; default: greater than 0. */
export const solAmount = (description: string, range: { minSol?: number; maxSol?: number } = {}) => {
  const maxSol = range.maxSol ?? MAX_AMOUNT_SOL;
  const minLamports = range.minSol === undefined ? 1n : (parseSol(String(range.minSol)) as bigint);
  const maxLamports = BigInt(maxSol) * LAMPORTS_PER_SOL;
  return z
    .custom<JsonNumber | number>(
      (value) => value instanceof JsonNumber || (typeof value === 'number' && Number.isFinite(value)),
      {
        error: ({ input }) =>
          typeof input === 'string' ? 'must be a number, without quotes' : 'must be a number',
        params: { code: 'invalid_type', expected: 'number' },
      },
    )
    .transform((value, issues): bigint => {
      const lamports = parseSol(value instanceof JsonNumber ? value.literal : String(value));
      const refuse = (message: string, params: Readonly<Record<string, string | number>>) => {
        issues.addIssue({ code: 'custom', message, params });
        return z.NEVER;
      };
      if (lamports === 'too_many_decimals')
        return refuse('must have at most 9 decimals (1 lamport is 0.000000001 SOL)', {
          code: 'too_many_decimals',
        });
      if (typeof lamports === 'string' || lamports > maxLamports)
        return refuse(`must be at most ${maxSol}`, { code: 'too_big', origin: 'number', maximum: maxSol });
      if (lamports >= minLamports) return lamports;
      return range.minSol === undefined
        ? refuse('must be greater than 0', { code: 'not_positive' })
        : refuse(`must be at least ${formatSol(minLamports)}`, {
            code: 'too_small',
            origin: 'number',
            minimum: range.minSol,
          });
    })
    .meta({
      description,
      override: {
        type: 'number',
        ...(range.minSol === undefined ? { exclusiveMinimum: 0 } : { minimum: range.minSol }),
        maximum: maxSol,
      },
      examples: [1.5],
    });
};

/** A SOL amount in a response: a JSON number with 9 decimals, exact to the lamport. */
export const sol = (description: string) => z.number().meta({ description });

/** A lamport amount in a response: a JSON integer. */
export const lamports = (description: string) =>
  z.number().meta({ description, override: { type: 'integer', minimum: 0 } });

/** A slot, epoch, height or count in a response. */
export const integer = (description: string) =>
  z.number().meta({ description, override: { type: 'integer' } });

/** An ISO 8601 timestamp in UTC. */
export const timestamp = (description: string) =>
  z.string().meta({ description, override: { type: 'string', format: 'date-time' } });

/** A base58 transaction signature (64 bytes). */
export const signatureSchema = (description: string) =>
  z
    .string()
    .max(88)
    .refine((text) => BASE58.test(text) && isSignature(text), {
      message: 'must be a valid base58 transaction signature',
      params: { code: 'invalid_signature' },
    })
    .meta({
      description,
      override: { type: 'string', minLength: 64, maxLength: 88, pattern: SIGNATURE_PATTERN },
      examples: ['5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'],
    });

/**
 * Text for the caller that may refer to operations. `run` returns guidance, and each interface renders it in
 * its own form.
 */
export const guidanceSchema = z
  .custom<Guidance>((value) => typeof value === 'string' || (typeof value === 'object' && value !== null))
  .meta({ override: { type: 'string' } });

export const sentenceParamsSchema = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .meta({ description: 'The values in the text, by name.' });

export const sentenceSchema = z
  .object({
    code: z.string().meta({ description: 'Stable; texts may change.' }),
    text: guidanceSchema,
    params: sentenceParamsSchema,
  })
  .meta({ id: 'Sentence', description: 'A sentence as data.' });

/** The fields of an output schema that contain sentences, as text and as data (see `sentenceMembers`). */
export const sentenceShape = <Name extends string>(name: Name, description?: string) =>
  sentencesIn(name, description === undefined ? z.string() : z.string().meta({ description }));

/** Like `sentenceShape`, for a text that may refer to operations. */
export const guidanceShape = <Name extends string>(name: Name) => sentencesIn(name, guidanceSchema);

const sentencesIn = <Name extends string, Text extends z.ZodType>(name: Name, text: Text) =>
  ({
    [name]: text,
    [`${name}Sentences`]: z.array(sentenceSchema).meta({ description: `The sentences of ${name}.` }),
  }) as { [Member in Name]: Text } & {
    [Member in `${Name}Sentences`]: z.ZodArray<typeof sentenceSchema>;
  };

/**
 * Schema of an object with a next step. `run` names the operation, which each interface renders as `method` and
 * `endpoint`.
 */
export const printedStep = <Shown extends z.ZodObject>(shown: Shown) => {
  type Given = Omit<z.input<Shown>, 'method' | 'endpoint'> & Step;
  return z.pipe(z.custom<Given>(), shown as unknown as z.ZodType<z.output<Shown>, Given>);
};

/** Maximum length of a transaction in base64: 4,096 bytes, the limit for a version 1 transaction. */
const MAX_TRANSACTION_CHARACTERS = 5_464;

/** Schema of a base64 transaction in a request. */
export const transactionSchema = z
  .string()
  .min(1)
  .max(MAX_TRANSACTION_CHARACTERS)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64');

/**
 * A message version. Each alternative has its own schema, because code generators ignore an enum of mixed
 * types.
 */
export const messageVersionSchema = z.union([z.enum(['legacy']), z.literal([0, 1])]);

/**
 * Shorter JSON Schemas for MCP tools, because the tool list must stay small. Each replaces the alternatives and
 * the description.
 */
export const agentSchemas = z.registry<Readonly<Record<string, unknown>>>();

/** Message version for a builder. */
export const transactionVersionSchema = z
  .union([z.enum(['legacy', 'auto']), z.literal([0, 1])], { error: 'must be legacy, 0, 1 or auto' })
  .optional()
  .meta({
    description:
      'Message format: `legacy`, which every wallet and library can read, 0, or 1 with limits and fee in its header. `auto` is legacy, because the service sees no wallet. Default: legacy, unless the operator set another.',
  });
agentSchemas.add(transactionVersionSchema, {
  enum: ['legacy', 0, 1, 'auto'],
  description: 'Default: legacy.',
});

/** Format of a table. Only REST offers CSV; other interfaces return JSON. */
export const tableFormatSchema = z
  .enum(['json', 'csv'])
  .default('json')
  .meta({ description: 'csv returns text/csv (RFC 4180).' });

/** Interpretation of an unstaked amount. */
export const wantSchema = z.enum(['unstake', 'withdrawAmount']).default('unstake').meta({
  description:
    '`unstake` deactivates `amountSol` in addition to stake already deactivating; `withdrawAmount`: the SOL that arrives, including withdrawable and deactivating SOL; rent of accounts that close arrives in addition.',
});
agentSchemas.add(wantSchema, {
  description:
    '`unstake`: deactivates `amountSol` more. `withdrawAmount`: the SOL that arrives, in addition to rent of accounts that close.',
});

/** Schema of the choice between an exact amount and at least that amount. */
export const roundingSchema = z.enum(['exact', 'atLeast']).optional().meta({
  description: '`atLeast`: the next larger amount if `amountSol` is not possible. Default: exact.',
});
agentSchemas.add(roundingSchema, { description: '`atLeast`: or the next larger amount. Default: exact.' });

/** The caller's idempotency key. */
export const idempotencyKeySchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .optional()
  .meta({
    description:
      'A repeated request with the same key has no second effect. Default: a new key, which is returned.',
    examples: ['order-2026-0001'],
  });
agentSchemas.add(idempotencyKeySchema, {
  pattern: undefined,
  type: 'string',
  description: 'A repeat has no second effect. Default: a new key.',
});

/** The current epoch and its expected end. */
export const epochTimingSchema = z
  .object({
    currentEpoch: integer('The current epoch.'),
    estimatedSecondsRemaining: z
      .number()
      .meta({ description: 'Remaining slots times the measured slot duration, seconds.' }),
    estimatedEpochEnd: timestamp('Wall-clock estimate of the boundary.'),
    progressPct: z.number().meta({ description: 'Share of the epoch that has passed, percent.' }),
    slotIndex: integer('Slots since the epoch began.'),
    slotsInEpoch: integer('Slots of the whole epoch.'),
    slotsRemaining: integer('Slots until the boundary.'),
    slotDurationMs: z
      .number()
      .meta({ description: 'Mean slot duration measured on the cluster, milliseconds.' }),
    earliestEpochEnd: timestamp('The boundary if slots are as fast as the fastest ones measured.'),
    latestEpochEnd: timestamp('The boundary if slots are as slow as the slowest ones measured.'),
    epochRewardsActive: z
      .boolean()
      .meta({ description: 'Rewards are being distributed; stake instructions fail until that is done.' }),
  })
  .meta({
    id: 'EpochTiming',
    description: 'Epoch timing, used to estimate when a stake account becomes withdrawable.',
  });

/** Handling of secret keys in one-shot calls. */
export const securitySchema = z
  .object({
    keyUsage: z.string(),
    stored: z.literal(false),
    logged: z.literal(false),
    transport: z.string(),
    verify: z.string(),
  })
  .meta({
    id: 'Security',
    description: 'Handling of secret keys in one-shot calls. No other call takes one.',
  });

/** Cursor after which the page starts. */
export const pageCursor = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ description: '`nextCursor` from the previous page.' });

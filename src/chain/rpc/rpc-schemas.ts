// Schemas of RPC responses. A response that does not match counts as a node failure.
import type { Address, Signature } from '@solana/kit';
import { z } from 'zod';
import { BASE58 } from '../../kernel/base58.ts';
import { U64_MAX } from '../../kernel/u64.ts';

/** An unsigned integer of up to 64 bits: a JSON number if safe, a bigint if `parseRpcJson` kept it. */
export const u64Schema = z
  .union([z.int().nonnegative(), z.bigint().nonnegative().max(U64_MAX)])
  .transform((value) => BigInt(value));

/** 32 bytes in base58. Only checks the format of the text; addresses are decoded where they are used. */
export const addressSchema = z
  .string()
  .min(32)
  .max(44)
  .regex(BASE58)
  .transform((text) => text as Address);
/** 64 bytes in base58. */
export const signatureSchema = z
  .string()
  .min(64)
  .max(88)
  .regex(BASE58)
  .transform((text) => text as Signature);

const base64Data = z
  .tuple([z.base64(), z.literal('base64')])
  .transform(([text]) => new Uint8Array(Buffer.from(text, 'base64')));

/** An account in `base64` encoding. */
export const accountSchema = z.object({ data: base64Data, lamports: u64Schema, owner: addressSchema });

const withContext = <T extends z.ZodType>(value: T) =>
  z.object({ context: z.object({ slot: u64Schema }), value });

export const blockhashValiditySchema = withContext(z.boolean());
export const multipleAccountsSchema = withContext(z.array(accountSchema.nullable()));
export const programAccountsSchema = withContext(
  z.array(z.object({ pubkey: addressSchema, account: accountSchema })),
);
export const latestBlockhashSchema = withContext(
  z.object({ blockhash: addressSchema, lastValidBlockHeight: u64Schema }),
);

const confirmationStatus = z.enum(['processed', 'confirmed', 'finalized']);

export const signatureStatusesSchema = withContext(
  z.array(
    z
      .object({
        slot: u64Schema,
        err: z.unknown(),
        confirmations: z.number().nullable().optional(),
        confirmationStatus: confirmationStatus.nullable().optional(),
      })
      .nullable(),
  ),
);

export const signaturesForAddressSchema = z.array(
  z.object({
    signature: signatureSchema,
    slot: u64Schema,
    err: z.unknown(),
    memo: z.string().nullable(),
    blockTime: z.int().nullable().optional(),
  }),
);

export const transactionSchema = z
  .object({
    slot: u64Schema,
    blockTime: z.int().nullable().optional(),
    transaction: base64Data,
    meta: z
      .object({
        err: z.unknown(),
        preBalances: z.array(u64Schema).optional(),
        postBalances: z.array(u64Schema).optional(),
      })
      .nullable(),
  })
  .nullable();

export const epochInfoSchema = z.object({
  absoluteSlot: u64Schema,
  blockHeight: u64Schema,
  epoch: u64Schema,
  slotIndex: u64Schema,
  slotsInEpoch: u64Schema,
});

export const performanceSamplesSchema = z.array(
  z.object({ numSlots: z.int().nonnegative(), samplePeriodSecs: z.number().nonnegative() }),
);

export const simulationSchema = withContext(
  z.object({
    err: z.unknown(),
    logs: z.array(z.string()).nullable().optional(),
    returnData: z.object({ programId: addressSchema, data: base64Data }).nullable().optional(),
  }),
);

export const valueWithContextSchema = withContext(u64Schema);

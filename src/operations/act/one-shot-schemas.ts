// Input, output and failures shared by the three one-shot operations.
import { z } from 'zod';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import { noticesMembers } from '../response-notices.ts';
import {
  addressSchema,
  agentSchemas,
  guidanceShape,
  idempotencyKeySchema,
  integer,
  securitySchema,
  signatureSchema,
  transactionVersionSchema,
} from '../shared-schemas.ts';
import {
  priorityFeeSchema,
  priorityFeeView,
  prioritySchema,
  prioritySchemaForTools,
} from './choose-priority-fee.ts';
import type { ExpiredAttempt } from './intents/perform-intent-once.ts';

/**
 * Schema of the secret key. The key is never a string: the interface decodes it from the raw body into bytes
 * that can be wiped, before the body is parsed.
 */
export const secretKeySchema = z
  .custom<SecretBytes>((value) => value instanceof SecretBytes, {
    message: 'must be the base58 secret key of the wallet: 64 bytes, or its 32-byte seed',
    params: { code: 'invalid_secret_key' },
  })
  .meta({
    description:
      'Base58 secret key of `walletAddress` (64 bytes, or the 32-byte seed). Used in memory for this one signature, never stored, never logged.',
    override: { type: 'string', minLength: 32, maxLength: 90, format: 'password' },
  });
agentSchemas.add(secretKeySchema, { description: 'Base58 secret key of the wallet.' });

const oneShotPriority = prioritySchema.meta({
  description:
    'Priority fee while the network is busy: none, low, medium or high, or the high estimate up to `maxLamports`. Default: medium unless the operator set another.',
});
agentSchemas.add(oneShotPriority, prioritySchemaForTools('medium'));

/** Input fields of every one-shot request. */
export const oneShotInput = {
  walletAddress: addressSchema('The wallet that signs and pays.'),
  secretKey: secretKeySchema,
  transactionVersion: transactionVersionSchema,
  priority: oneShotPriority,
  idempotencyKey: idempotencyKeySchema,
};

/** Fields of every one-shot response that are stored with the intent. */
export const oneShotResponse = {
  signature: signatureSchema('The confirmed transaction.'),
  explorerUrl: z.string().meta({ description: 'The transaction in an explorer.' }),
  ...guidanceShape('message'),
  priorityFee: priorityFeeSchema.optional(),
  expiredAttempts: z
    .array(
      z.object({ signature: z.string(), priorityFeeLamports: integer('Fee that was too low; not charged.') }),
    )
    .optional()
    .meta({
      description:
        'Present if the network was busy: earlier transactions of this request that expired and can never land, oldest first.',
    }),
  ...noticesMembers,
};

export const oneShotOutput = {
  ...oneShotResponse,
  idempotencyKey: z.string().meta({
    description: 'Repeating the request with this key returns this same result, with current time estimates.',
  }),
  security: securitySchema,
};

/** Errors that every one-shot operation can return. */
export const oneShotErrors = [
  'INVALID_SECRET_KEY',
  'SECRET_KEY_MISMATCH',
  'INSECURE_TRANSPORT',
  'INSUFFICIENT_BALANCE',
  'WALLET_CANNOT_PAY',
  'EPOCH_REWARDS_ACTIVE',
  'IDEMPOTENCY_KEY_REUSED',
  'BLOCKHASH_EXPIRED',
  'SUBMISSION_FAILED',
  'SUBMISSION_UNRESOLVED',
  'STORE_UNAVAILABLE',
  'SHUTTING_DOWN',
  'UPSTREAM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/**
 * Returns the fee fields of a one-shot response: the fee of the landed transaction, and the earlier attempts
 * that expired.
 */
export const feeMembers = (
  { wireBytes }: { readonly wireBytes: Uint8Array },
  expired: readonly ExpiredAttempt[],
  amountLamports: bigint | null,
) => ({
  priorityFee: priorityFeeView(decodeWire(wireBytes), amountLamports),
  ...(expired.length > 0 && {
    expiredAttempts: expired.map((one) => ({
      signature: one.signature,
      priorityFeeLamports: priorityFeeView(decodeWire(one.wireBytes), null).lamports,
    })),
  }),
});

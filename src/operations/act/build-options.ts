// How a requested transaction is built: message format, priority fee and lifetime. Every builder takes these.
import type { Address } from '@solana/kit';
import type { TransactionVersion } from '../../chain/transactions/transaction.ts';
import { validationError } from '../../kernel/app-error.ts';
import {
  addressSchema,
  agentSchemas,
  idempotencyKeySchema,
  transactionVersionSchema,
} from '../shared-schemas.ts';
import { type Priority, prioritySchema } from './priority.ts';

const nonceSchema = addressSchema(
  'A nonce account of the wallet. The transaction then does not expire: it is valid until the nonce is used or advanced. Default: a recent blockhash.',
).optional();
agentSchemas.add(nonceSchema, { pattern: undefined, description: 'A nonce account.', type: 'string' });

/** The members of a builder's input that choose how it builds, and its idempotency key. */
export const builderMembers = {
  transactionVersion: transactionVersionSchema,
  priority: prioritySchema,
  nonce: nonceSchema,
  idempotencyKey: idempotencyKeySchema,
};

const feePayerSchema = addressSchema(
  'Another address that pays the fee, and nothing else. It must sign too. Default: the wallet.',
).optional();
agentSchemas.add(feePayerSchema, {
  pattern: undefined,
  description: 'Also signs.',
  type: 'string',
});

/** `builderMembers` and the fee payer, for transactions on one account. */
export const sponsoredMembers = { ...builderMembers, feePayer: feePayerSchema };

/** Throws `VALIDATION_ERROR` if a change of several accounts names another fee payer. */
export const refuseFeePayer = ({ feePayer }: Pick<BuildOptions, 'feePayer'>): void => {
  if (feePayer === undefined) return;
  throw validationError([
    {
      path: 'feePayer',
      code: 'not_for_plans',
      message: 'must be omitted, because the wallet pays for a change of several accounts',
    },
  ]);
};

/** How a transaction is built. */
export interface BuildOptions {
  /** Default: from the settings. */
  readonly transactionVersion?: TransactionVersion | undefined;
  /** Default: no priority fee. */
  readonly priority?: Priority;
  /** The wallet's nonce account whose value replaces the blockhash. Default: none. */
  readonly nonce?: Address | undefined;
  /** Pays the fee and signs. Default: the wallet. */
  readonly feePayer?: Address | undefined;
}

/** The options in a builder's input. */
export const buildOptionsOf = ({
  transactionVersion,
  priority,
  nonce,
  feePayer,
}: BuildOptions): BuildOptions => ({
  transactionVersion,
  priority,
  nonce,
  feePayer,
});

// How a requested transaction is built: message format, priority fee and lifetime. Every builder takes these.
import type { Address } from '@solana/kit';
import type { TransactionVersion } from '../../chain/transactions/transaction.ts';
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

/** How a transaction is built. */
export interface BuildOptions {
  /** Default: from the settings. */
  readonly transactionVersion?: TransactionVersion | undefined;
  /** Default: no priority fee. */
  readonly priority?: Priority;
  /** The wallet's nonce account whose value replaces the blockhash. Default: none. */
  readonly nonce?: Address | undefined;
}

/** The options in a builder's input. */
export const buildOptionsOf = ({ transactionVersion, priority, nonce }: BuildOptions): BuildOptions => ({
  transactionVersion,
  priority,
  nonce,
});

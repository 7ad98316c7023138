// Options with which a transaction is built: message format, priority fee and lifetime. Every builder takes these.
import { type Address, isOffCurveAddress } from '@solana/kit';
import { z } from 'zod';
import type { Addressing } from '../../chain/transactions/derive-stake-key.ts';
import type { TransactionVersion } from '../../chain/transactions/transaction.ts';
import { validationError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import {
  addressSchema,
  agentSchemas,
  idempotencyKeySchema,
  transactionVersionSchema,
} from '../shared-schemas.ts';
import { type Priority, prioritySchema } from './choose-priority-fee.ts';

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
export const membersWithFeePayer = { ...builderMembers, feePayer: feePayerSchema };

const ownerSchema = addressSchema(
  'The withdraw authority, if it is not the wallet: the wallet then acts as stake authority only, and takes nothing out. Default: the wallet.',
).optional();
agentSchemas.add(ownerSchema, {
  pattern: undefined,
  description: 'Withdraw authority.',
  type: 'string',
});

/** The member that names the owner of stake for which the wallet is only the stake authority. */
export const ownerMember = { owner: ownerSchema };

/** The stake authority of a new stake. */
export const stakeAuthoritySchema = addressSchema(
  'Becomes the stake authority of the new stake: it can unstake and redelegate it, but cannot take anything out. Default: the wallet.',
).optional();
agentSchemas.add(stakeAuthoritySchema, {
  pattern: undefined,
  description: 'Can unstake, not withdraw.',
  type: 'string',
});

const addressingSchema = z.enum(['key', 'seed']).optional().meta({
  description:
    'How the address of a new stake account is made. `key`: it has its own key, which signs too. `seed`: it is derived from the wallet, which then signs alone. Default: key; seed for a program-derived wallet, such as the vault of a multisig.',
});
agentSchemas.add(addressingSchema, { description: 'seed: the wallet signs alone.' });

/** The member that chooses how the addresses of new stake accounts are made. */
export const addressingMember = { addressing: addressingSchema };

/** True for a program-derived address, for which only its program can sign. */
export const isVault = (wallet: Address): boolean => isOffCurveAddress(wallet);

/** The addressing of the request. Only an address derived from it lets a program-derived wallet create an account. */
export const addressingOf = (
  wallet: Address,
  { addressing }: { readonly addressing?: Addressing | undefined },
): Addressing => addressing ?? (isVault(wallet) ? 'seed' : 'key');

/** The other addressing, under which the same key must not create a second account. */
export const otherAddressing = (addressing: Addressing): Addressing =>
  addressing === 'seed' ? 'key' : 'seed';

/** Throws `VALIDATION_ERROR` if a change of several accounts names another fee payer. */
export const refuseFeePayer = ({ feePayer }: Pick<BuildOptions, 'feePayer'>): void => {
  if (feePayer === undefined) return;
  throw validationError([
    {
      path: 'feePayer',
      code: 'not_for_plans',
      message: 'must be omitted, because a change of several accounts is always paid by the wallet',
    },
  ]);
};

/** Options with which a transaction is built. */
export interface BuildOptions {
  /** Default: from the settings. */
  readonly transactionVersion?: TransactionVersion | 'auto' | undefined;
  /** Default: no priority fee. */
  readonly priority?: Priority;
  /** The wallet's nonce account whose value replaces the blockhash. Default: none. */
  readonly nonce?: Address | undefined;
  /** Pays the fee and signs. Default: the wallet. */
  readonly feePayer?: Address | undefined;
}

/** The version to build. No wallet announces its versions here, so `auto` is the version that every wallet reads. */
export const versionOf = (
  { service: { settings } }: Context,
  { transactionVersion = settings.transactionVersion }: Pick<BuildOptions, 'transactionVersion'>,
): TransactionVersion => (transactionVersion === 'auto' ? 'legacy' : transactionVersion);

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

// Options for building a transaction: message format, priority fee and lifetime. Every builder accepts them.
import { type Address, isOffCurveAddress } from '@solana/kit';
import { z } from 'zod';
import type { Addressing } from '../../chain/transactions/derive-stake-key.ts';
import type { TransactionVersion } from '../../chain/transactions/transaction.ts';
import { validationError } from '../../kernel/app-error.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
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

/** The fields of a builder's input that control how the transaction is built, plus the idempotency key. */
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

/** `builderMembers` plus the fee payer, for transactions that change a single account. */
export const membersWithFeePayer = { ...builderMembers, feePayer: feePayerSchema };

const ownerSchema = addressSchema(
  'The withdraw authority, if it is not the wallet: the wallet then acts as stake authority only, and takes nothing out. Default: the wallet.',
).optional();
agentSchemas.add(ownerSchema, {
  pattern: undefined,
  description: 'Withdraw authority.',
  type: 'string',
});

/** Input field that names the owner of the stake, for a wallet that is only the stake authority. */
export const ownerMember = { owner: ownerSchema };

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
    'Origin of the address of a new stake account. `key`: the account has its own key, which signs too. `seed`: the address is derived from the wallet, which then signs alone. Default: key; seed for a program-derived wallet, such as the vault of a multisig.',
});
agentSchemas.add(addressingSchema, { description: 'seed: the wallet signs alone.' });

export const addressingMember = { addressing: addressingSchema };

const vaults = new BoundedMap<Address, boolean>(10_000);

/** True for a program-derived address. It has no private key, so only its program can sign for it. */
export const isVault = (wallet: Address): boolean => {
  // Cached, because the curve check takes 80 µs and every unsigned stake needs its result three times, which
  // would be a quarter of its CPU time (2026-11).
  const known = vaults.get(wallet);
  if (known !== undefined) return known;
  const isOffCurve = isOffCurveAddress(wallet);
  vaults.set(wallet, isOffCurve);
  return isOffCurve;
};

/**
 * Returns the addressing to use. The default for a program-derived wallet is `seed`, because it can create an
 * account only at an address derived from the wallet.
 */
export const addressingOf = (
  wallet: Address,
  { addressing }: { readonly addressing?: Addressing | undefined },
): Addressing => addressing ?? (isVault(wallet) ? 'seed' : 'key');

/**
 * Returns the addressing that was not chosen. A repeated idempotency key must not create a second account with
 * it.
 */
export const otherAddressing = (addressing: Addressing): Addressing =>
  addressing === 'seed' ? 'key' : 'seed';

/**
 * Throws `AppError('VALIDATION_ERROR')` if the request names another fee payer. Used where a request changes
 * several accounts.
 */
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

export interface BuildOptions {
  /** Default: the version in the settings. */
  readonly transactionVersion?: TransactionVersion | 'auto' | undefined;
  /** Default: no priority fee. */
  readonly priority?: Priority;
  /** The wallet's nonce account whose value replaces the blockhash. Default: none. */
  readonly nonce?: Address | undefined;
  /** The address that pays the fee and signs. Default: the wallet. */
  readonly feePayer?: Address | undefined;
}

/**
 * Returns the message version to build. The service cannot know which versions the wallet supports, so `auto`
 * selects legacy, which every wallet can read.
 */
export const versionOf = (
  { service: { settings } }: Context,
  { transactionVersion = settings.transactionVersion }: Pick<BuildOptions, 'transactionVersion'>,
): TransactionVersion => (transactionVersion === 'auto' ? 'legacy' : transactionVersion);

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

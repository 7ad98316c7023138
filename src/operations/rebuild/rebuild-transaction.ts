// Builds a transaction again with a fresh lifetime: the same request and addresses, plus a description of what
// changed.
import { z } from 'zod';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { prioritySchema } from '../act/choose-priority-fee.ts';
import { type Recognized, recognizeWire } from '../act/intents/recognize-transaction.ts';
import { type Call, defineOperation } from '../operation.ts';
import { createUndoTransaction } from '../plan/create-undo-transaction.ts';
import { idempotencyKeySchema, transactionSchema, transactionVersionSchema } from '../shared-schemas.ts';
import { createRestakeTransaction } from '../stake/create-restake-transaction.ts';
import { createStakeTransaction } from '../stake/create-stake-transaction.ts';
import { createUnstakeTransaction } from '../stake/create-unstake-transaction.ts';
import { createWithdrawTransaction } from '../stake/create-withdraw-transaction.ts';
import { donate } from '../stake/donate.ts';
import { addressingOfStake } from '../transaction/cosign.ts';
import { differenceOf, differenceSchema } from './compare-rebuilt.ts';
import { deriveCreated } from './derive-created-accounts.ts';
import { rebuildOperations, type TransactionToRebuild } from './rebuild-operations.ts';
import { type Rebuilt, rebuiltSchema } from './rebuilt-schema.ts';
import { alreadyLanded, requireExpired } from './require-expired.ts';

interface RebuildRequest extends TransactionToRebuild {
  readonly seen: Recognized;
}

const bytesOf = (transaction: string): Uint8Array => new Uint8Array(Buffer.from(transaction, 'base64'));

/** Fields that every builder takes. */
const shared = ({ seen, idempotencyKey, transactionVersion, priority, nonce }: RebuildRequest) => ({
  walletAddress: seen.wallet,
  feePayer: seen.feePayer,
  idempotencyKey,
  transactionVersion,
  priority,
  nonce,
});

const onAccount = (request: RebuildRequest) => ({
  ...shared(request),
  stakeAccountAddress: request.seen.stakeAccount!,
});

/**
 * The builder for each kind. A builder changes amounts or accounts only if the chain would refuse the original
 * ones.
 */
const builders: {
  readonly [Kind in TransactionKind]: (call: Call<unknown>, request: RebuildRequest) => Promise<Rebuilt>;
} = {
  stake: async (call, request) => {
    const { wire, seen, idempotencyKey = '' } = request;
    // An address not derived like that of a single stake belongs to a plan.
    const addressing = addressingOfStake(call.ctx, seen, idempotencyKey);
    if (addressing === null) return builders.rearrange(call, request);
    const cosign = wire.signatures.get(seen.stakeAccount!) ? 'now' : 'on-submit';
    const input = {
      ...shared(request),
      amountSol: seen.lamports!,
      stakeAuthority: seen.stakeAuthority,
      cosign,
      addressing,
    } as const;
    try {
      return await createStakeTransaction.run({ ...call, input });
    } catch (error) {
      const earlier = isAppError(error, 'STAKE_ADDRESS_OCCUPIED') ? error.body.signature : undefined;
      throw typeof earlier === 'string' ? alreadyLanded(earlier) : error;
    }
  },
  unstake: (call, request) =>
    createUnstakeTransaction.run({ ...call, input: { ...onAccount(request), want: 'unstake' } }),
  withdraw: async (call, request) => {
    const input = onAccount(request);
    try {
      return await createWithdrawTransaction.run({
        ...call,
        input: { ...input, amountSol: request.seen.lamports! },
      });
    } catch (error) {
      // The chain never allows such a small remainder, so the original transaction must have withdrawn
      // everything.
      if (!isAppError(error, 'WITHDRAW_LEAVES_BELOW_RENT')) throw error;
      return createWithdrawTransaction.run({ ...call, input });
    }
  },
  restake: async (call, request) => {
    const input = onAccount(request);
    try {
      return await createRestakeTransaction.run({ ...call, input });
    } catch (error) {
      // The same transaction can also undo a deactivation of this epoch.
      if (!isAppError(error, 'STAKE_NOT_INACTIVE') || error.reason !== 'DEACTIVATING') throw error;
      return createUndoTransaction.run({ ...call, input });
    }
  },
  donate: async (call, request) => {
    const input = { ...shared(request), amountSol: request.seen.lamports! };
    const { body, meta } = await donate.run({ ...call, input });
    const { suggestedAmounts: _, ...rest } = body;
    return { body: rest, ...(meta && { meta }) };
  },
  rearrange: ({ ctx, signal }, request) => rebuildOperations(ctx, request, signal),
};

const errors: readonly ErrorCode[] = [
  ...new Set<ErrorCode>([
    'INVALID_TRANSACTION',
    'FOREIGN_TRANSACTION',
    'TRANSACTION_ALREADY_SUBMITTED',
    'STILL_ALIVE',
    'STAKE_BALANCE_CHANGED',
    'SUBMISSION_FAILED',
    ...createStakeTransaction.errors,
    ...createUnstakeTransaction.errors,
    ...createWithdrawTransaction.errors,
    ...createRestakeTransaction.errors,
    ...createUndoTransaction.errors,
  ]),
];

/** `POST /api/v1/transaction/rebuild` */
export const rebuildTransaction = defineOperation({
  name: 'rebuildTransaction',
  summary: 'Rebuild an expired transaction',
  description:
    'Takes a transaction that this service built, signed or not, and builds it again with a fresh blockhash, or with the new value of its nonce account: the same change, and the same stake account address. Use it if the signature came too late. `difference` says whether only the lifetime differs, or what else changed because the chain did. Refused while the old transaction can still land, and if it landed.',
  effect: 'build',
  input: z.object({
    transaction: transactionSchema.meta({
      description: 'The old transaction in base64, with or without signatures.',
    }),
    transactionVersion: transactionVersionSchema.meta({
      description: 'Message format: `legacy`, 0 or 1. Default: as in the old transaction.',
    }),
    priority: prioritySchema,
    idempotencyKey: idempotencyKeySchema.meta({
      description:
        'The key that the old transaction was built with. Required if it creates a stake account, whose address is derived from the key.',
    }),
  }),
  output: rebuiltSchema.extend({ difference: differenceSchema }),
  errors,
  // The error is caused by the caller's transaction, so repeating the request cannot help.
  presentation: { SUBMISSION_FAILED: { status: 400 }, STAKE_BALANCE_CHANGED: { status: 400 } },
  async run(call) {
    const { ctx, input, signal } = call;
    const old = recognizeWire(ctx, bytesOf(input.transaction));
    const { wire, seen } = old;
    if (!seen.ok || seen.kind === 'other' || seen.kind === 'nonce') throw notOurs(seen);
    // Plans do not support another fee payer.
    if (seen.kind === 'rearrange' && seen.feePayer !== undefined) throw notOurs(seen);
    const { idempotencyKey, priority } = input;
    using keys = new DisposableStack();
    const createdKeys = deriveCreated(ctx, old, idempotencyKey, keys);
    await requireExpired(ctx, old, idempotencyKey, signal);
    // With the same blockhash, the bytes would equal those that already failed or expired.
    await ctx.chain.cluster.renewBlockhash(wire.blockhash, signal);
    const transactionVersion = input.transactionVersion ?? wire.version;
    const { nonceAccount: nonce } = seen;
    const request = { wire, seen, idempotencyKey, transactionVersion, priority, nonce, createdKeys };
    const { body, meta } = await builders[seen.kind](call, request);
    const difference = differenceOf(wire, decodeWire(bytesOf(body.transaction)));
    return { body: { ...body, difference }, ...(meta && { meta }) };
  },
});

const notOurs = ({ problems }: Recognized): AppError =>
  new AppError('FOREIGN_TRANSACTION', 'This is not a transaction that this service built.', {
    reason: 'NOT_BUILT_HERE',
    suggestedAction: guidance`Build it here, for example with ${step('createStakeTransaction')}.`,
    body: { problems: problems.map(({ check, code, text }) => ({ check, code, text })) },
  });

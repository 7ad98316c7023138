// Builds an unsigned stake transaction; the wallet signs it, this service never can.
import { z } from 'zod';
import { formatSol, solNumber } from '../../domain/lamports.ts';
import { AppError } from '../../kernel/app-error.ts';
import { idempotencyKeyFor } from '../act/idempotency-key.ts';
import { unsignedAnswer, unsignedTransactionSchema } from '../act/unsigned-answer.ts';
import { defineOperation } from '../operation.ts';
import {
  addressSchema,
  idempotencyKeySchema,
  solAmount,
  transactionVersionSchema,
} from '../shared-schemas.ts';
import { prepareStake } from './prepare-stake.ts';

/** `POST /api/v1/stake/transaction` */
export const createStakeTransaction = defineOperation({
  name: 'createStakeTransaction',
  summary: 'Build an unsigned stake transaction',
  description:
    'Builds a transaction that creates a stake account with the wallet as stake and withdraw authority, delegates it to the validator and ends with the service memo. It is partially signed by the new stake account; sign it with the wallet and submit it. No secret key is needed. amountSol is the total moved, rent included; the answer says how much of it is delegated. Solana has no slashing (as of November 2026), so principal is not at risk from validator misbehaviour.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet that stakes, pays and keeps both authorities.'),
    amountSol: solAmount('Total moved into the new stake account, rent included, SOL.'),
    cosign: z.enum(['now', 'on-submit']).default('now').meta({
      description:
        'When the new stake account signs: `now`, or `on-submit` for wallets that change what they sign (submit with the same idempotency key then adds it).',
    }),
    transactionVersion: transactionVersionSchema,
    idempotencyKey: idempotencyKeySchema,
  }),
  output: unsignedTransactionSchema,
  errors: [
    'INSUFFICIENT_BALANCE',
    'BELOW_MINIMUM_STAKE',
    'WALLET_CANNOT_PAY',
    'EPOCH_REWARDS_ACTIVE',
    'STAKE_ADDRESS_OCCUPIED',
    'UPSTREAM_UNAVAILABLE',
  ],
  async run({ ctx, input, signal }) {
    const { key, callers } = idempotencyKeyFor(input.idempotencyKey);
    const wallet = input.walletAddress;
    using stakeKey = ctx.deriveStakeKey({ use: 'builder', wallet, idempotencyKey: key });
    const request = {
      wallet,
      lamports: input.amountSol,
      stakeAccount: stakeKey.address,
      addressMayExist: callers,
      transactionVersion: input.transactionVersion,
    };
    const planned = await prepareStake(ctx, request, signal);
    if ('earlier' in planned) throw alreadyStaked(stakeKey.address, planned.earlier.signature);
    const { facts, built, warnings } = planned.plan;
    const delegatedLamports = input.amountSol - facts.limits.stakeRentLamports;
    const signatures = new Map(
      input.cosign === 'now' ? [[stakeKey.address as string, stakeKey.sign(built.messageBytes)]] : [],
    );
    return unsignedAnswer(
      ctx,
      built,
      facts,
      {
        message: `Stakes ${formatSol(input.amountSol)} SOL to the validator in a new stake account that only your wallet controls. Sign it with ${wallet} and submit it before it expires.`,
        stakeAccountAddress: stakeKey.address,
        delegatedSol: solNumber(delegatedLamports),
        rewardsEstimate: ctx.validatorStatus.rewardsEstimate(delegatedLamports),
        idempotencyKey: key,
        warnings: [...ctx.validatorStatus.warnings(), ...warnings],
      },
      signatures,
    );
  },
});

const alreadyStaked = (stakeAccountAddress: string, signature: string): AppError =>
  new AppError(
    'STAKE_ADDRESS_OCCUPIED',
    'A stake was already made under this idempotency key; its address is never created again.',
    {
      suggestedAction: 'Use a new idempotency key for another stake.',
      body: { stakeAccountAddress, signature },
    },
  );

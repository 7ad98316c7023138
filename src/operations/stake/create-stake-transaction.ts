// Builds an unsigned stake transaction for the wallet to sign.
import { z } from 'zod';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { buildOptionsOf, refuseFeePayer, sponsoredMembers } from '../act/build-options.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { unsignedAnswer } from '../act/unsigned-answer.ts';
import { defineOperation } from '../operation.ts';
import { plannedTransaction, plannedTransactionSchema } from '../plan/plan-view.ts';
import { addressSchema } from '../shared-schemas.ts';
import { prepareStake } from './prepare-stake.ts';
import { requireStakeTarget, stakeEitherOf, stakeFromErrors, stakeInputShape } from './stake-input.ts';

/** `POST /api/v1/stake/transaction` */
export const createStakeTransaction = defineOperation({
  name: 'createStakeTransaction',
  summary: 'Build an unsigned stake transaction',
  description:
    'Builds a transaction that creates a stake account with the wallet as stake and withdraw authority, delegates it to the validator and ends with the service memo. It is partially signed by the new stake account; sign it with the wallet and submit it. No secret key is needed. `amountSol` is the total moved, rent included; the answer shows how much of it is delegated. With `from`, it stakes SOL already held in the wallet’s stake accounts; with `into`, it adds to a stake that is still activating. `plan` lists every account before and after. Solana has no slashing (as of November 2026), so principal is not at risk from validator misbehaviour.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet that stakes, pays and holds both authorities.'),
    ...stakeInputShape,
    cosign: z.enum(['now', 'on-submit']).default('now').meta({
      description:
        'The new stake account signs `now`, or `on-submit` for wallets that change the transaction before signing (submit with the same key).',
    }),
    ...sponsoredMembers,
  }),
  eitherOf: stakeEitherOf,
  output: plannedTransactionSchema,
  errors: [
    'INSUFFICIENT_BALANCE',
    'BELOW_MINIMUM_STAKE',
    'WALLET_CANNOT_PAY',
    'EPOCH_REWARDS_ACTIVE',
    'STAKE_ADDRESS_OCCUPIED',
    ...stakeFromErrors,
    'NONCE_UNUSABLE',
    'UPSTREAM_UNAVAILABLE',
  ],
  async run({ ctx, input, signal }) {
    const { walletAddress: wallet, idempotencyKey, cosign } = input;
    const options = buildOptionsOf(input);
    const what = requireStakeTarget(input);
    if (!('newStakeLamports' in what)) {
      if (cosign !== 'now')
        throw validationError([
          { path: 'cosign', code: 'cosign_not_now', message: 'must be now if from or into is given' },
        ]);
      refuseFeePayer(input);
      const { words, ...goal } = what;
      return plannedTransaction(ctx, { ...goal, ...options, idempotencyKey, wallet }, words, signal);
    }
    const lamports = what.newStakeLamports;
    const { key, callers } = idempotencyKeyFor(idempotencyKey);
    using stakeKey = ctx.chain.stakeKeys.derive({ use: 'builder', wallet, idempotencyKey: key });
    const request = {
      wallet,
      lamports,
      stakeAccount: stakeKey.address,
      addressMayExist: callers,
      ...options,
    };
    const planned = await prepareStake(ctx, request, signal);
    if ('earlier' in planned) throw alreadyStaked(stakeKey.address, planned.earlier.signature);
    const { facts, built, notices } = planned.plan;
    const delegatedLamports = lamports - facts.limits.stakeRentLamports;
    const signatures = new Map(
      cosign === 'now' ? [[stakeKey.address as string, stakeKey.sign(built.messageBytes)]] : [],
    );
    return unsignedAnswer(
      ctx,
      built,
      facts,
      {
        message: sentence(
          'STAKES',
          'Stakes {amountSol} SOL to the validator in a new stake account that only your wallet controls. Sign it with {walletAddress} and submit it before it expires.',
          { amountSol: solFigure(lamports), walletAddress: wallet },
        ),
        stakeAccountAddress: stakeKey.address,
        delegatedSol: solNumber(delegatedLamports),
        amountLamports: lamports,
        rewardsEstimate: ctx.validator.status.rewardsEstimate(delegatedLamports),
        idempotencyKey: key,
        signRequest: { kind: 'stake', walletAddress: wallet, amountLamports: lamports },
        notices: [...ctx.validator.status.notices(), ...notices],
      },
      signatures,
    );
  },
});

const alreadyStaked = (stakeAccountAddress: string, signature: string): AppError =>
  new AppError(
    'STAKE_ADDRESS_OCCUPIED',
    'This stake is already done: transaction {signature} created it under this idempotency key.',
    {
      reason: 'STAKE_DONE',
      params: { signature },
      suggestedAction: 'Do not repeat it. Use a new idempotency key only for a different stake.',
      body: { stakeAccountAddress, signature },
    },
  );

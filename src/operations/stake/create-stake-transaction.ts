// Builds an unsigned stake transaction for the wallet to sign.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { isAppError, validationError } from '../../kernel/app-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import {
  addressingMember,
  addressingOf,
  buildOptionsOf,
  isVault,
  membersWithFeePayer,
  refuseFeePayer,
  stakeAuthoritySchema,
} from '../act/build-options.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { idempotencyKeyReused } from '../act/intents/intents-in-flight.ts';
import { recognizeWire } from '../act/intents/recognize-transaction.ts';
import { unsignedMembers, unsignedResponse, unsignedTransactionSchema } from '../act/unsigned-response.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { optionalPlan, plannedStakes, plannedTransaction } from '../plan/plan-view.ts';
import { keyInFlight } from '../plan/refuse-used-key.ts';
import { addressSchema } from '../shared-schemas.ts';
import { alreadyStaked } from './already-staked-error.ts';
import { prepareStake } from './prepare-stake.ts';
import { otherAddressesOfKey } from './stake-addresses-of-key.ts';
import {
  refuseStakeAuthority,
  requireStakeTarget,
  stakeFromErrors,
  stakeInputShape,
  stakeRequiresOneOf,
} from './stake-input.ts';

/** `POST /api/v1/stake/transaction` */
export const createStakeTransaction = defineOperation({
  name: 'createStakeTransaction',
  summary: 'Build an unsigned stake transaction',
  description:
    'Builds a transaction that creates a stake account with the wallet as stake and withdraw authority, delegates it to the validator and ends with the service memo. It is partially signed by the new stake account, except with `addressing` seed, where the wallet signs alone; sign it with the wallet and submit it. No secret key is needed. `amountSol` is the total moved, rent included; the response shows how much of it is delegated. With `stakeAuthority`, that address can unstake and redelegate the stake afterwards but cannot take anything out. With `from`, it stakes SOL already held in the wallet’s stake accounts; with `into`, it adds to a stake that is still activating. `plan` lists every account before and after. Solana has no slashing (as of November 2026), so principal is not at risk from validator misbehavior.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema(
      'The wallet that stakes, pays and holds both authorities, unless stakeAuthority is given.',
    ),
    ...stakeInputShape,
    cosign: z.enum(['now', 'on-submit']).default('now').meta({
      description:
        'The new stake account signs `now`, or `on-submit` for wallets that change the transaction before signing (submit with the same key).',
    }),
    stakeAuthority: stakeAuthoritySchema,
    ...addressingMember,
    ...membersWithFeePayer,
  }),
  eitherOf: stakeRequiresOneOf,
  output: unsignedTransactionSchema.extend({
    ...unsignedMembers,
    stakeAccountAddress: unsignedMembers.stakeAccountAddress.meta({
      description:
        'The account that holds the stake: a new one, `into`, or with `from` the one that gets most of it; `plan` lists all.',
    }),
    plan: optionalPlan.meta({ description: 'Present with from or into.' }),
  }),
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
    const stakeAuthority = input.stakeAuthority === wallet ? undefined : input.stakeAuthority;
    const options = buildOptionsOf(input);
    const what = requireStakeTarget(input);
    if (!('newStakeLamports' in what)) {
      if (cosign !== 'now')
        throw validationError([
          { path: 'cosign', code: 'cosign_not_now', message: 'must be now if from or into is given' },
        ]);
      refuseFeePayer(input);
      refuseStakeAuthority(input);
      const { words, ...goal } = what;
      const request = { ...goal, ...options, idempotencyKey, wallet, addressing: input.addressing };
      return plannedTransaction(ctx, request, words, signal, (plan) => {
        const stakes = plannedStakes(plan);
        const delegated = stakes.reduce((sum, one) => sum + one.lamports, 0n);
        return {
          stakeAccountAddress: what.into ?? stakes[0]!.account,
          delegatedSol: solNumber(delegated),
          rewardsEstimate: ctx.validator.status.rewardsEstimate(delegated),
        };
      });
    }
    const lamports = what.newStakeLamports;
    const { key, callers } = idempotencyKeyFor(idempotencyKey);
    const intent = { use: 'builder', wallet, idempotencyKey: key } as const;
    const addressing = addressingOf(wallet, input);
    using stakeKey = ctx.chain.stakeKeys.derive({ ...intent, addressing });
    if (callers) await refuseKeyInFlight(ctx, { wallet, key, lamports });
    const request = {
      wallet,
      lamports,
      stakeAccount: stakeKey.address,
      seed: stakeKey.seed,
      // Only a key that the caller chose can have been used before.
      otherAccounts: callers
        ? otherAddressesOfKey(ctx, { wallet, idempotencyKey: key, used: stakeKey.address })
        : [],
      walletSigns: !isVault(wallet),
      stakeAuthority,
      addressMayExist: callers,
      ...options,
    };
    const planned = await prepareStake(ctx, request, signal);
    if ('earlier' in planned) throw alreadyStaked({ key, lamports }, planned.earlier);
    const { facts, built, notices } = planned.plan;
    const delegatedLamports = lamports - facts.limits.stakeRentLamports;
    const signatures = new Map(
      cosign === 'now' && stakeKey.seed === undefined
        ? [[stakeKey.address as string, stakeKey.sign(built.messageBytes)]]
        : [],
    );
    return unsignedResponse(
      ctx,
      built,
      facts,
      {
        message: sentence(
          stakeAuthority === undefined ? 'STAKES' : 'STAKES_FOR_STAKE_AUTHORITY',
          stakeAuthority === undefined
            ? 'Stakes {amountSol} SOL to the validator in a new stake account that only your wallet controls. Sign it with {walletAddress} and submit it.'
            : 'Stakes {amountSol} SOL to the validator in a new stake account from which only your wallet can withdraw. Sign it with {walletAddress} and submit it.',
          { amountSol: solFigure(lamports), walletAddress: wallet },
        ),
        members: {
          stakeAccountAddress: stakeKey.address,
          delegatedSol: solNumber(delegatedLamports),
          rewardsEstimate: ctx.validator.status.rewardsEstimate(delegatedLamports),
          epochTiming: epochTiming(facts.position, ctx.clock.now()),
        },
        amountLamports: lamports,
        idempotencyKey: key,
        signRequest:
          stakeAuthority === undefined
            ? { kind: 'stake', walletAddress: wallet, amountLamports: lamports }
            : null,
        notices: [
          ...ctx.validator.status.notices(),
          ...notices,
          ...(stakeAuthority === undefined ? [] : [separateStakeAuthority(stakeAuthority, wallet)]),
        ],
      },
      signatures,
    );
  },
});

/**
 * Throws `IDEMPOTENCY_KEY_REUSED` while a transaction for another request with this key is in flight, because
 * only one of the two could land. Afterwards, the chain shows the stake. If the store is unavailable, the
 * submission refuses instead.
 */
const refuseKeyInFlight = async (
  ctx: Context,
  { wallet, key, lamports }: { readonly wallet: Address; readonly key: string; readonly lamports: bigint },
): Promise<void> => {
  const find = (operation: 'submit' | 'stake') =>
    ctx.store.intents.find({ operation, wallet, key }).catch((error: unknown) => {
      if (isAppError(error, 'STORE_UNAVAILABLE')) return null;
      throw error;
    });
  const oneShot = (await find('stake'))?.submission;
  if (oneShot?.state === 'signed') throw keyInFlight(oneShot.signature);
  const known = await find('submit');
  if (known?.submission.state !== 'signed') return;
  const { seen } = recognizeWire(ctx, known.submission.wireBytes);
  if (seen.kind !== 'stake' || seen.lamports !== lamports) throw idempotencyKeyReused();
};

/** Creates the notice that explains what another stake authority can do. */
const separateStakeAuthority = (stakeAuthority: string, walletAddress: string): Notice =>
  notice(
    'SEPARATE_STAKE_AUTHORITY',
    '{stakeAuthority} will be able to unstake, redelegate, split and merge this stake, but not to take anything out. Only {walletAddress} can withdraw, and can take this role back at any time (rescue).',
    { stakeAuthority, walletAddress },
  );

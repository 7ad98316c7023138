// One-shot stake: checks, signs in memory, records, sends and confirms the transaction. Creates exactly one
// stake account per intent.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { WalletKey } from '../../chain/transactions/signer.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { programsOf } from '../../domain/transaction/kind-properties.ts';
import { type Sentence, sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { assessAccountsNow } from '../act/assess-accounts-now.ts';
import { priorityAfterExpiry, priorityNotices } from '../act/choose-priority-fee.ts';
import { donationHint } from '../act/donation-hint.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { type IntentWork, performIntentOnce } from '../act/intents/perform-intent-once.ts';
import { keyHandlingStatement } from '../act/key-handling-statement.ts';
import {
  feeMembers,
  oneShotErrors,
  oneShotInput,
  oneShotOutput,
  oneShotResponse,
} from '../act/one-shot-schemas.ts';
import { signBuilt } from '../act/sign-built-transaction.ts';
import { translateChainError } from '../act/translate-chain-error.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody } from '../response-notices.ts';
import { sol, solAmount } from '../shared-schemas.ts';
import { alreadyStaked } from './already-staked-error.ts';
import { oneStakePerKey } from './one-stake-per-key.ts';
import { type PreparedStake, prepareStake } from './prepare-stake.ts';
import { otherAddressesOfKey } from './stake-addresses-of-key.ts';

const stakeMembers = {
  stakeAccountAddress: z.string(),
  amountSol: sol('Total moved into the stake account.'),
  delegatedSol: sol(
    'Part of amountSol that is delegated and earns. Null if the request was resumed after a restart or after an unknown outcome.',
  ).nullable(),
  rentReserveSol: sol(
    'Part of amountSol that is the rent-exempt minimum of the account: not delegated, returned when the account is closed. Null as above.',
  ).nullable(),
};
const stakeResponse = z.object({ ...oneShotResponse, ...stakeMembers });

/** `POST /api/v1/stake` */
export const stake = defineOperation({
  name: 'stake',
  summary: 'Stake SOL in one call',
  description:
    'Creates a stake account for the wallet, delegates it to the validator, and returns once the cluster has confirmed it. Needs the wallet secret key, which is used in memory for this one signature. Prefer POST /api/v1/stake/transaction, which never needs it. Safe to repeat with the same idempotency key: each idempotency key creates at most one stake account. Solana has no slashing (as of November 2026), so principal is not at risk from validator misbehavior.',
  effect: 'act',
  input: z.object({
    ...oneShotInput,
    amountSol: solAmount('Total moved into the new stake account, in SOL, rent included.'),
  }),
  keyless: 'createStakeTransaction',
  output: z.object({ ...oneShotOutput, ...stakeMembers }),
  errors: [...oneShotErrors, 'BELOW_MINIMUM_STAKE', 'STAKE_ADDRESS_OCCUPIED'],
  failureTitle: 'Stake failed',
  presentation: { BLOCKHASH_EXPIRED: { status: 502 } },
  async run({ ctx, input, source }) {
    const wallet = input.walletAddress;
    using walletKey = WalletKey.open(input.secretKey, wallet);
    const { key, callers } = idempotencyKeyFor(input.idempotencyKey);
    using stakeKey = ctx.chain.stakeKeys.derive({ use: 'one-shot', wallet, idempotencyKey: key });
    const stakeAccount = stakeKey.address;
    const { priority = ctx.service.settings.priorityFee } = input;
    let plan: PreparedStake | null = null;
    const parameters = JSON.stringify({ amountLamports: input.amountSol.toString() });
    const work: IntentWork<z.output<typeof stakeResponse>> = {
      id: { operation: 'stake', wallet, key },
      parameters,
      source,
      raisesFee: true,
      sign: async (expired) => {
        const request = {
          wallet,
          lamports: input.amountSol,
          stakeAccount,
          addressMayExist: callers,
          otherAccounts: callers
            ? otherAddressesOfKey(ctx, { wallet, idempotencyKey: key, used: stakeAccount })
            : [],
          transactionVersion: input.transactionVersion,
          priority: priorityAfterExpiry(priority, expired),
        };
        const planned = await prepareStake(ctx, request, ctx.service.lifetime);
        if ('earlier' in planned) {
          const { earlier } = planned;
          if (earlier.stakeAccount !== stakeAccount || earlier.lamports !== input.amountSol)
            throw alreadyStaked({ key, lamports: input.amountSol }, earlier);
          return { alreadyLanded: earlier };
        }
        plan = planned.plan;
        const { built, facts } = plan;
        return { submission: signBuilt(built, facts.blockhash, [walletKey, stakeKey]) };
      },
      respond: async (landed, expired) => ({
        signature: landed.signature,
        explorerUrl: transactionUrl(ctx.service.settings, landed.signature),
        stakeAccountAddress: stakeAccount,
        amountSol: solNumber(input.amountSol),
        ...partsOf(input.amountSol, plan),
        ...sentenceMembers('message', [
          stakedSentence(input.amountSol, plan),
          // There is no plan if an earlier call signed the transaction, which may have landed in an earlier
          // epoch.
          ...(plan === null ? await stateNow(ctx, stakeAccount, landed.slot) : [ACTIVATES]),
        ]),
        ...feeMembers(landed, expired, input.amountSol),
        ...noticesBody([
          ...(plan?.notices ?? []),
          ...(plan ? priorityNotices(plan.facts.price, plan.built.priorityFee) : []),
        ]),
      }),
      refresh: async (stored, landed) => ({
        ...stored,
        ...sentenceMembers('message', [
          ...stored.messageSentences.slice(0, 1),
          ...(await stateNow(ctx, stakeAccount, landed.slot)),
        ]),
      }),
      responseSchema: stakeResponse,
      refusal: (error) => translateChainError(error, { programs: programsOf('stake'), isOneShot: true }),
    };
    const perform = () => performIntentOnce(ctx, work);
    const body = callers
      ? await oneStakePerKey(
          ctx,
          { wallet, key, operation: 'stake', parameters, lamports: input.amountSol },
          perform,
        )
      : await perform();
    // Replaces the validator's notices, because those in a stored response may be outdated.
    const current = noticesBody([...ctx.validator.status.notices(), ...body.notices]);
    return {
      body: { ...body, idempotencyKey: key, security: keyHandlingStatement(ctx), ...current },
      meta: donationHint(ctx),
    };
  },
});

const ACTIVATES = sentence(
  'STAKE_ACTIVATES',
  'The stake activates at the next epoch boundary at the earliest; your wallet keeps stake and withdraw authority.',
);

/** Describes what has become of the stake since, because a stored response may be returned epochs later. */
const stateNow = async (
  ctx: Context,
  stakeAccount: Address,
  slot: bigint | null,
): Promise<readonly Sentence[]> => {
  const read = await assessAccountsNow(ctx, [stakeAccount], slot);
  if (read === null) return [];
  const [stake] = read.stakes;
  if (stake === undefined)
    return [sentence('STAKE_GONE', 'The stake account no longer exists: it was withdrawn or merged since.')];
  return stake.assessment.state === 'activating' ? [ACTIVATES] : stake.assessment.stateSentences();
};

const partsOf = (lamports: bigint, plan: PreparedStake | null) => {
  const rentLamports = plan?.facts.limits.stakeRentLamports;
  return rentLamports === undefined
    ? { delegatedSol: null, rentReserveSol: null }
    : { delegatedSol: solNumber(lamports - rentLamports), rentReserveSol: solNumber(rentLamports) };
};

const stakedSentence = (lamports: bigint, plan: PreparedStake | null): Sentence => {
  const rentLamports = plan?.facts.limits.stakeRentLamports;
  const amountSol = solFigure(lamports);
  return rentLamports === undefined
    ? sentence('STAKED', 'Staked {amountSol} SOL to the validator.', { amountSol })
    : sentence(
        'STAKED_WITH_RENT',
        'Staked {amountSol} SOL to the validator: {delegatedSol} SOL is delegated, {rentSol} SOL is the rent reserve of the stake account and is returned when it is closed.',
        { amountSol, delegatedSol: solFigure(lamports - rentLamports), rentSol: solFigure(rentLamports) },
      );
};

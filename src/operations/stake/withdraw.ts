// One-shot withdraw: returns SOL from a stake account to its wallet. If the balance has changed in the
// meantime, reads it once more and signs again.
import { z } from 'zod';
import { WalletKey } from '../../chain/transactions/signer.ts';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import type { Notice } from '../../domain/notice.ts';
import { errorCodes } from '../../kernel/error-codes.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { priorityAfterExpiry, priorityNotices } from '../act/choose-priority-fee.ts';
import { donationHint } from '../act/donation-hint.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { performIntentOnce } from '../act/intents/perform-intent-once.ts';
import { keyHandlingStatement } from '../act/key-handling-statement.ts';
import {
  feeMembers,
  oneShotErrors,
  oneShotInput,
  oneShotOutput,
  oneShotResponse,
} from '../act/one-shot-schemas.ts';
import { signBuilt } from '../act/sign-built-transaction.ts';
import { defineOperation } from '../operation.ts';
import { oneShotRefusal, type SignedPlan, signPlanned } from '../plan/sign-planned-transaction.ts';
import { noticesBody } from '../response-notices.ts';
import { sol } from '../shared-schemas.ts';
import { prepareWithdraw } from './prepare-withdraw.ts';
import {
  requireWithdrawTarget,
  withdrawAllErrors,
  withdrawErrors,
  withdrawInputShape,
  withdrawRequiresOneOf,
} from './withdraw-input.ts';

const withdrawMembers = { amountSol: sol('Amount withdrawn.') };
const withdrawResponse = z.object({ ...oneShotResponse, ...withdrawMembers });

/** `POST /api/v1/withdraw` */
export const withdraw = defineOperation({
  name: 'withdraw',
  summary: 'Withdraw in one call',
  description:
    'Returns SOL from a stake account to the wallet and waits until the cluster has confirmed it. Without `amountSol` it withdraws the full balance, which closes the account; with all it does that for every inactive account. Needs the secret key of the withdraw authority, used in memory for this one signature. Prefer POST /api/v1/withdraw/transaction, which never needs it.',
  effect: 'act',
  input: z.object({
    ...oneShotInput,
    ...withdrawInputShape,
  }),
  eitherOf: withdrawRequiresOneOf,
  keyless: 'createWithdrawTransaction',
  output: z.object({ ...oneShotOutput, ...withdrawMembers }),
  errors: [
    ...new Set([...oneShotErrors, ...withdrawErrors, ...withdrawAllErrors, 'STAKE_BALANCE_CHANGED' as const]),
  ],
  failureTitle: 'Withdraw failed',
  presentation: {
    BLOCKHASH_EXPIRED: { status: 502 },
    NOT_A_STAKE_ACCOUNT: { title: errorCodes.NOT_A_STAKE_ACCOUNT.title },
  },
  async run({ ctx, input, source }) {
    const wallet = input.walletAddress;
    using walletKey = WalletKey.open(input.secretKey, wallet);
    const { key } = idempotencyKeyFor(input.idempotencyKey);
    const what = requireWithdrawTarget(input);
    const { transactionVersion, priority = ctx.service.settings.priorityFee } = input;
    let notices: readonly Notice[] = [];
    let planned: SignedPlan | undefined;
    const body = await performIntentOnce(ctx, {
      id: { operation: 'withdraw', wallet, key },
      parameters: JSON.stringify(
        what === 'all'
          ? { all: true }
          : { stakeAccountAddress: what.stakeAccount, amountLamports: what.lamports?.toString() ?? null },
      ),
      source,
      raisesFee: true,
      sign: async (expired) => {
        const options = { transactionVersion, priority: priorityAfterExpiry(priority, expired) };
        if (what === 'all') {
          planned = await signPlanned(ctx, { wallet, goal: 'withdraw-all', key, ...options }, walletKey);
          ({ notices } = planned);
          return planned;
        }
        const { built, facts, ...prepared } = await prepareWithdraw(
          ctx,
          { ...what, wallet, isOneShot: true, ...options },
          ctx.service.lifetime,
        );
        notices = [...prepared.notices, ...priorityNotices(facts.price, built.priorityFee)];
        return { submission: signBuilt(built, facts.blockhash, [walletKey]) };
      },
      signAgain: (refusal) => refusal.code === 'STAKE_BALANCE_CHANGED',
      respond: (landed, expired) => {
        const { signature, wireBytes } = landed;
        const withdrawals = withdrawalsIn(wireBytes);
        const withdrawn = withdrawals.reduce((sum, lamports) => sum + lamports, 0n);
        const figures = { amountSol: solFigure(withdrawn), walletAddress: wallet };
        const { length } = withdrawals;
        return {
          signature,
          explorerUrl: transactionUrl(ctx.service.settings, signature),
          amountSol: solNumber(withdrawn),
          ...sentenceMembers(
            'message',
            what === 'all'
              ? sentence('WITHDREW_ALL', 'Withdrew {amountSol} SOL from {accounts} to {walletAddress}.', {
                  ...figures,
                  accounts: {
                    shown: length === 1 ? '1 stake account' : `${length} stake accounts`,
                    value: length,
                  },
                })
              : sentence(
                  'WITHDREW',
                  'Withdrew {amountSol} SOL from {stakeAccountAddress} to {walletAddress}.',
                  {
                    ...figures,
                    stakeAccountAddress: what.stakeAccount,
                  },
                ),
          ),
          ...feeMembers(landed, expired, withdrawn),
          ...noticesBody(notices),
        };
      },
      responseSchema: withdrawResponse,
      refusal: (error) => oneShotRefusal(error, planned, 'withdraw'),
    });
    return {
      body: { ...body, idempotencyKey: key, security: keyHandlingStatement(ctx) },
      meta: donationHint(ctx),
    };
  },
});

/** Returns the lamports of each withdrawal in the signed bytes. */
const withdrawalsIn = (wireBytes: Uint8Array): readonly bigint[] =>
  decodeWire(wireBytes).instructions.flatMap(({ data }) =>
    data.type === 'stake.withdraw' ? [data.lamports] : [],
  );

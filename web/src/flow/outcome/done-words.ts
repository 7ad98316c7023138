// Describes the result of a confirmed transaction in a few words.

import type { TransactionRecord } from '../../../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../../../client/staking/prepared-transaction.ts';
import type { RequestKind } from '../../../../client/staking/staking-request.ts';
import type { GoalName } from '../../../../src/domain/plan/plan-goals.ts';
import type { CurrentEpoch } from '../../text/epoch-boundary.ts';
import { exactSol } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';
import { planFacts, whenSentence } from '../plan-facts.ts';
import { moveSentence, outcomeSentence } from './outcome-sentence.ts';

const { say } = defineWords('outcome', outcomeEnglish);

const BY_KIND = {
  stake: 'staked',
  unstake: 'unstaked',
  withdraw: 'inWallet',
  restake: 'stakedAgain',
  rearrange: 'stakeChanged',
} as const satisfies Readonly<Record<RequestKind, keyof typeof outcomeEnglish>>;

const BY_GOAL = {
  unstake: 'unstaked',
  'withdraw-amount': 'unstaked',
  undo: 'unstakeUndone',
  restake: 'stakedAgain',
  'top-up': 'toppedUp',
  tidy: 'merged',
  sweep: 'idleMoved',
  migrate: 'stakeChanged',
  rescue: 'yoursAgain',
  'withdraw-all': 'inWallet',
} as const satisfies Readonly<Record<GoalName, keyof typeof outcomeEnglish>>;

type Built = Pick<Prepared, 'built' | 'verdict'> | null;

/**
 * Returns how many lamports were moved: the requested amount or, if everything was requested, the amount in
 * the transaction or the plan. Null if unknown.
 */
export const movedLamports = (
  { amountLamports, change, part }: TransactionRecord,
  built: Built,
): bigint | null => {
  // The record of a later transaction of a plan has only the remaining amount.
  if (part !== undefined && part.index > 1) return null;
  const { plan } = built?.built ?? {};
  const requested = amountLamports === undefined ? null : BigInt(amountLamports);
  // Only the plan shows whether a larger amount than the requested one is unstaked.
  if (change?.goal === 'unstake')
    return plan && requested !== null ? planFacts(plan).deactivatedLamports : null;
  if (requested !== null) return requested;
  if (plan) return planFacts(plan).nowLamports || null;
  return built?.verdict.recognized.lamports ?? null;
};

/** Builds a title such as `5 SOL staked`. `built` is null after a reload. */
export const doneTitle = (record: TransactionRecord, built: Built): string => {
  const lamports = movedLamports(record, built);
  const { goal } = record.change ?? {};
  const { plan } = built?.built ?? {};
  const id =
    goal === undefined
      ? BY_KIND[record.kind]
      : goal === 'migrate' && plan
        ? plan.laterSteps.some(({ action }) => action === 'delegate')
          ? 'moveStarted'
          : 'movedHere'
        : BY_GOAL[goal];
  return say(id, { amount: lamports === null ? 'none' : exactSol(lamports) });
};

/** Data read since the confirmation. Null while unknown. */
interface DoneFacts {
  readonly account: Parameters<typeof outcomeSentence>[1]['account'];
  readonly epoch: CurrentEpoch | null;
  /** Addresses of the accounts that exist. */
  readonly present: readonly string[] | null;
  /** True once the account with this address is active. */
  readonly isActive?: (address: string) => boolean;
}

/**
 * Says when the SOL can be withdrawn or earns, based on the account or the signed plan. Null if both are
 * missing.
 */
export const doneSentence = (
  record: TransactionRecord,
  built: Built,
  { account, epoch, present, isActive }: DoneFacts,
  nowMs: number,
): string | null => {
  if (record.kind === 'unstake')
    return outcomeSentence(record, { lamports: null, account, boundary: epoch }, nowMs);
  const { plan } = built?.built ?? {};
  if (!plan || isOneOfSeveral(record)) return null;
  const facts = planFacts(plan);
  if (record.change?.goal === 'migrate') return moveSentence([built!], plan, { epoch, isActive }, nowMs);
  const isFree =
    facts.later.length > 0 && facts.later.every((one) => epoch !== null && one.epoch <= epoch.currentEpoch);
  const isGone =
    present !== null && plan.wallet.later.every((one) => !present.includes(one.stakeAccountAddress));
  // SOL that has been withdrawn since cannot be withdrawn again.
  if (isFree && isGone) return null;
  return isFree
    ? say('withdrawAtOnce', {
        owner: 'none',
        amount: exactSol(facts.later.reduce((sum, { lamports }) => sum + lamports, facts.freedLamports)),
      })
    : whenSentence({ ...facts, nowLamports: 0n }, epoch, nowMs);
};

const isOneOfSeveral = ({ part }: TransactionRecord): boolean => part !== undefined && part.of > 1;

/** States the network fee. Null after a reload, and for one of several transactions. */
export const feeSentence = (record: TransactionRecord, built: Built): string | null =>
  built === null || isOneOfSeveral(record)
    ? null
    : say('feePaid', { amount: exactSol(built.verdict.networkFeeLamports) });

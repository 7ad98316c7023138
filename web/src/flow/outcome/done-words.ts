// Describes the result of a confirmed transaction in a few words.
import type { Prepared } from '../../../../client/staking/check-built.ts';
import type { TransactionRecord } from '../../../../client/staking/pending-transaction.ts';
import type { RequestKind } from '../../../../client/staking/staking-request.ts';
import type { GoalName } from '../../../../src/domain/plan/plan-goals.ts';
import { solText } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';
import { planFacts, whenSentence } from '../plan-facts.ts';

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
  undo: 'unstakeCancelled',
  restake: 'stakedAgain',
  'top-up': 'toppedUp',
  tidy: 'merged',
  sweep: 'idleMoved',
  migrate: 'onItsWay',
  rescue: 'yoursAgain',
  'withdraw-all': 'inWallet',
} as const satisfies Readonly<Record<GoalName, keyof typeof outcomeEnglish>>;

type Built = Pick<Prepared, 'built' | 'verdict'> | null;

/**
 * Returns the moved SOL: as requested, or from the bytes or the plan if everything was requested. Null if
 * unknown.
 */
const movedLamports = ({ amountLamports, part }: TransactionRecord, built: Built): bigint | null => {
  // For later parts of a plan, the amount is the remainder.
  if (part !== undefined && part.index > 1) return null;
  if (amountLamports !== undefined) return BigInt(amountLamports);
  const { plan } = built?.built ?? {};
  if (plan) return planFacts(plan).nowLamports || null;
  return built?.verdict.recognised.lamports ?? null;
};

/** For example `5 SOL staked`. `built` is null after a reload. */
export const doneTitle = (record: TransactionRecord, built: Built): string => {
  const lamports = movedLamports(record, built);
  const id = record.change === undefined ? BY_KIND[record.kind] : BY_GOAL[record.change.goal];
  return say(id, { amount: lamports === null ? 'none' : solText(lamports) });
};

/** Says when the rest arrives, from the signed plan. Null without one. */
export const doneSentence = (record: TransactionRecord, built: Built, nowMs: number): string | null => {
  const { plan } = built?.built ?? {};
  const laterPart = record.part !== undefined && record.part.of > 1;
  if (!plan || laterPart) return null;
  const { later, stakedLater } = planFacts(plan);
  return whenSentence({ nowLamports: 0n, later, stakedLater }, nowMs);
};

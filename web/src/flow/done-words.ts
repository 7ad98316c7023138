// Says in a few words what a confirmed transaction achieved.
import type { Prepared } from '../../../client/staking/check-built.ts';
import type { TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import type { RequestKind } from '../../../client/staking/staking-request.ts';
import type { GoalName } from '../../../src/domain/plan/plan-goals.ts';
import { solText } from '../text/format-figures.ts';
import { planFacts, whenSentence } from './plan-facts.ts';

type Words = (amount: string | null) => string;

const inWallet: Words = (amount) => `${amount ?? 'The SOL'} is in your wallet`;
const unstaked: Words = (amount) => (amount === null ? 'Unstaked' : `${amount} unstaked`);

const BY_KIND: Readonly<Record<RequestKind, Words>> = {
  stake: (amount) => (amount === null ? 'Staked' : `${amount} staked`),
  unstake: unstaked,
  withdraw: inWallet,
  restake: () => 'Staked again',
  rearrange: () => 'Stake changed',
};

const BY_GOAL: Readonly<Record<GoalName, Words>> = {
  unstake: unstaked,
  'withdraw-amount': unstaked,
  undo: () => 'Unstake cancelled',
  restake: BY_KIND.restake,
  'top-up': (amount) => `${amount ?? 'SOL'} added to your stake`,
  tidy: () => 'Accounts merged',
  sweep: () => 'Idle SOL moved',
  migrate: () => 'Your stake is on its way here',
  rescue: () => 'Your stake is yours again',
  'withdraw-all': inWallet,
};

type Built = Pick<Prepared, 'built' | 'verdict'> | null;

/** The SOL that moved: requested, or read from the bytes or the plan if everything was. Null if unknown. */
const movedLamports = ({ amountLamports, part }: TransactionRecord, built: Built): bigint | null => {
  // For a later part, the amount is the rest.
  if (part !== undefined && part.index > 1) return null;
  if (amountLamports !== undefined) return BigInt(amountLamports);
  const { plan } = built?.built ?? {};
  if (plan) return planFacts(plan).nowLamports || null;
  return built?.verdict.recognised.lamports ?? null;
};

/** For example `5 SOL staked`. `built`: null after a reload. */
export const doneTitle = (record: TransactionRecord, built: Built): string => {
  const lamports = movedLamports(record, built);
  const words = record.change === undefined ? BY_KIND[record.kind] : BY_GOAL[record.change.goal];
  return words(lamports === null ? null : `${solText(lamports)} SOL`);
};

/** When the rest arrives, from the signed plan. Null without one. */
export const doneSentence = (record: TransactionRecord, built: Built, nowMs: number): string | null => {
  const { plan } = built?.built ?? {};
  const laterPart = record.part !== undefined && record.part.of > 1;
  if (!plan || laterPart) return null;
  const { later, stakedLater } = planFacts(plan);
  return whenSentence({ nowLamports: 0n, later, stakedLater }, nowMs);
};

// Assesses a change to a stake. Takes its level from the alert table and raises it for patterns that are
// typical of theft.
import type { Address } from '@solana/kit';
import { type AlertLevel, type AlertRow, alertLevels, alertTable } from './alert-table.ts';
import type { ChangeFact } from './detect-control-changes.ts';

export interface TransactionContext {
  /** Counts the other wallets with stakes at this validator in which the address holds an authority. */
  readonly otherWalletsOf: (address: Address, wallet: Address) => number;
  /**
   * Returns true if the wallet has several stakes at this validator and all of them were deactivated within a
   * minute of the change.
   */
  readonly isAllDeactivated: (fact: ChangeFact) => boolean;
}

interface Pattern {
  readonly level: AlertLevel;
  readonly means: string;
  readonly applies: (fact: ChangeFact, around: TransactionContext) => boolean;
}

/** Number of other wallets whose stakes an address must control to count as suspicious. */
export const COLLECTED_WALLETS = 3;

const changesAuthority = ({ type }: ChangeFact): boolean => type === 'stake_authority_changed';

const newAuthorities = ({ before, after, wallet }: ChangeFact): readonly Address[] =>
  [
    ...(after.stakeAuthority !== before.stakeAuthority && after.stakeAuthority ? [after.stakeAuthority] : []),
    ...(after.withdrawAuthority !== before.withdrawAuthority ? [after.withdrawAuthority] : []),
  ].filter((one) => one !== wallet);

export const theftPatterns = {
  'withdraw-authority-gone': {
    level: 'critical',
    means: 'The wallet can no longer withdraw this stake.',
    applies: (fact) => changesAuthority(fact) && fact.after.withdrawAuthority !== fact.wallet,
  },
  'both-authorities-at-once': {
    level: 'critical',
    means: 'One transaction changed the stake authority and the withdraw authority.',
    applies: (fact) =>
      changesAuthority(fact) &&
      fact.before.stakeAuthority !== fact.after.stakeAuthority &&
      fact.before.withdrawAuthority !== fact.after.withdrawAuthority,
  },
  'while-activating': {
    level: 'warning',
    means: 'The authority was changed in the epoch in which the stake was delegated.',
    applies: (fact) => changesAuthority(fact) && fact.isActivating && newAuthorities(fact).length > 0,
  },
  'first-separate-stake-authority': {
    level: 'warning',
    means:
      'An address other than the owner may now unstake and split this stake. The owner can take it back.',
    applies: (fact) =>
      changesAuthority(fact) &&
      fact.before.stakeAuthority === fact.before.withdrawAuthority &&
      fact.after.stakeAuthority !== fact.after.withdrawAuthority,
  },
  'unknown-custodian': {
    level: 'critical',
    means:
      'A lockup names a custodian that had no authority over this stake before. Only the custodian can release it.',
    applies: ({ type, wallet, before, after }) =>
      type === 'stake_lockup_changed' &&
      after.lockup !== null &&
      (after.lockup.epoch > 0n || after.lockup.unixTimestamp > 0n) &&
      after.lockup.custodian !== before.lockup?.custodian &&
      after.lockup.custodian !== before.stakeAuthority &&
      after.lockup.custodian !== wallet,
  },
  'all-deactivated-at-once': {
    level: 'critical',
    means: 'All stakes of the wallet were deactivated within a minute.',
    applies: (fact, around) => fact.type === 'unexpected_deactivation' && around.isAllDeactivated(fact),
  },
  'authority-collects-stakes': {
    level: 'critical',
    means: 'The new authority already controls stakes of three or more other wallets.',
    applies: (fact, { otherWalletsOf }) =>
      changesAuthority(fact) &&
      newAuthorities(fact).some((one) => otherWalletsOf(one, fact.wallet) >= COLLECTED_WALLETS),
  },
} as const satisfies Readonly<Record<string, Pattern>>;

export type TheftPattern = keyof typeof theftPatterns;

export const theftPatternNames = Object.keys(theftPatterns) as readonly TheftPattern[];

/** Level of a change, and the patterns that match it. */
export interface AlertAssessment {
  readonly level: AlertLevel;
  readonly patterns: readonly TheftPattern[];
}

/** Assesses one change. Pure. */
export const assessChange = (fact: ChangeFact, around: TransactionContext): AlertAssessment => {
  const patterns = theftPatternNames.filter((name) => theftPatterns[name].applies(fact, around));
  const row: AlertRow<ChangeFact> = alertTable[fact.type];
  const levels = [row.wallet!(fact), ...patterns.map((name) => theftPatterns[name].level)];
  const level = alertLevels[Math.max(...levels.map((one) => alertLevels.indexOf(one)))]!;
  return { level, patterns };
};

const TOGETHER_SECONDS = 60n;

/**
 * Returns a function that is true if all stakes of a wallet were deactivated within a minute. `changes` are
 * all changes found; `staked` counts the wallet's stakes that are not deactivated.
 */
export const allDeactivatedOf =
  (changes: readonly ChangeFact[], staked: (wallet: Address) => number) =>
  ({ wallet, seconds }: ChangeFact): boolean => {
    const together = changes.filter(
      (one) =>
        one.type === 'unexpected_deactivation' &&
        one.wallet === wallet &&
        one.seconds !== null &&
        seconds !== null &&
        (one.seconds > seconds ? one.seconds - seconds : seconds - one.seconds) <= TOGETHER_SECONDS,
    );
    return new Set(together.map(({ account }) => account)).size > 1 && staked(wallet) === 0;
  };

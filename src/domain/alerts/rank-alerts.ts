// Orders the alerts of a wallet so that the one that matters is first: by stake account, and what outsiders planted last and folded.
import type { Address } from '@solana/kit';
import { type AlertLevel, alertLevels } from './alert-table.ts';
import type { ChangeFact } from './change-facts.ts';
import type { AlertAssessment } from './compromise-patterns.ts';

/** A change with its level, and how many others of its account are left out in its favour. */
export interface RankedAlert {
  readonly change: ChangeFact;
  readonly assessment: AlertAssessment;
  readonly folded: number;
}

const gravity = (level: AlertLevel): number => alertLevels.indexOf(level);

/**
 * Groups assessed changes (newest first) by account. Accounts that the wallet signed for come first, the most recently changed before the others.
 * The wallet put nothing into an account of which it signed no transaction, locked or not: its most severe change represents all of them.
 */
export const rankAlerts = (
  assessed: readonly Omit<RankedAlert, 'folded'>[],
  own: ReadonlySet<Address>,
): readonly RankedAlert[] => {
  const groups = Map.groupBy(assessed, ({ change }) => change.account);
  const [owned, planted]: [RankedAlert[], RankedAlert[]] = [[], []];
  for (const [account, alerts] of groups)
    if (own.has(account)) owned.push(...alerts.map((one) => ({ ...one, folded: 0 })));
    else {
      const gravest = alerts.reduce((a, b) =>
        gravity(b.assessment.level) > gravity(a.assessment.level) ? b : a,
      );
      planted.push({ ...gravest, folded: alerts.length - 1 });
    }
  return [...owned, ...planted];
};

// Orders a wallet's alerts: its own accounts first, newest first. Alerts caused by strangers come last, and each
// account is represented by its most severe one.
import type { Address } from '@solana/kit';
import { type AlertLevel, alertLevels } from './alert-table.ts';
import type { ChangeFact } from './detect-control-changes.ts';
import type { AlertAssessment } from './theft-patterns.ts';

/** A change with its assessment, and the number of other changes to the same account that it represents. */
export interface RankedAlert {
  readonly change: ChangeFact;
  readonly assessment: AlertAssessment;
  readonly folded: number;
}

const severity = (level: AlertLevel): number => alertLevels.indexOf(level);

/**
 * Groups assessed changes (newest first) by account. Accounts in `own`, for which the wallet signed a
 * transaction, come first, ordered by their latest change. The wallet has no funds in the other accounts, so
 * each of them is represented by its most severe change.
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
        severity(b.assessment.level) > severity(a.assessment.level) ? b : a,
      );
      planted.push({ ...gravest, folded: alerts.length - 1 });
    }
  return [...owned, ...planted];
};

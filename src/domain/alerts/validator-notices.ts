// Derives warnings to show before signing from reported validator changes that still matter.
import { type Notice, notice } from '../notice.ts';
import type { ValidatorAlert, ValidatorState } from './detect-validator-changes.ts';

/** Reported changes, newest first. */
export interface ReportedChanges {
  readonly state: Pick<ValidatorState, 'values'> | null;
  readonly alerts: readonly Pick<ValidatorAlert, 'what' | 'from' | 'to' | 'epoch' | 'nearBoundary'>[];
}

/** Number of epochs for which a raised commission triggers a warning. */
const RAISED_EPOCHS = 5;
/** Number of epochs for which a missed epoch triggers a warning. */
const ABSENT_EPOCHS = 2;

const COMMISSIONS: Readonly<Record<string, string>> = {
  inflationCommissionBps: 'commission on rewards',
  blockRevenueCommissionBps: 'commission on block revenue',
};

const percent = (bps: string): string => `${Number(bps) / 100}%`;

const noticeOf = (
  { what, from, to, epoch, nearBoundary }: ReportedChanges['alerts'][number],
  state: ReportedChanges['state'],
  now: number,
): Notice | null => {
  const commission = COMMISSIONS[what];
  if (commission !== undefined)
    return Number(to) > Number(from) && now - epoch <= RAISED_EPOCHS
      ? notice(
          'COMMISSION_RAISED',
          `The validator’s {what} rose from {fromBps} to {toBps} in epoch {epoch}${nearBoundary ? ', right at the epoch boundary, as in rug pulls' : ''}.`,
          {
            what: { shown: commission, value: what },
            fromBps: { shown: percent(from), value: Number(from) },
            toBps: { shown: percent(to), value: Number(to) },
            epoch,
            nearBoundary: nearBoundary ? 'yes' : 'no',
          },
        )
      : null;
  if (what === 'absent')
    return now - Number(to) <= ABSENT_EPOCHS
      ? notice(
          'EPOCH_MISSED',
          'The validator missed epoch {epoch}, so its delegators earned no staking rewards in that epoch.',
          { epoch: Number(to) },
        )
      : null;
  if (what === 'destake')
    return state?.values.destake
      ? notice(
          'DESTAKE_POSSIBLE',
          'The validator has earned no credits for five epochs, so anyone may deactivate stake that is delegated to it.',
        )
      : null;
  return null;
};

/** Returns the warnings in `epoch`, based on the latest reported change of each term. Pure. */
export const validatorWarnings = ({ state, alerts }: ReportedChanges, epoch: bigint): readonly Notice[] => {
  const seen = new Set<string>();
  return alerts.flatMap((alert) => {
    if (seen.has(alert.what)) return [];
    seen.add(alert.what);
    return noticeOf(alert, state, Number(epoch)) ?? [];
  });
};

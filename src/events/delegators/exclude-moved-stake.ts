// Excludes stake that a wallet moved between its own accounts from stake that joined or left.
import type { DelegatorChange } from '../../store/delegators.ts';

/**
 * Omits accounts that joined through a split and accounts that left through a merge, if other accounts of the
 * wallet lost or gained at least as much in the same slot. Keeps the order.
 */
export const withoutMovedStake = (changes: readonly DelegatorChange[]): readonly DelegatorChange[] => {
  const moved = new Map<string, bigint>();
  const keyOf = ({ wallet, slot }: DelegatorChange, kind: 'joined' | 'left') => `${wallet} ${slot} ${kind}`;
  for (const change of changes)
    if (change.kind === 'stake_changed') {
      const key = keyOf(change, change.lamports < 0n ? 'joined' : 'left');
      const lamports = change.lamports < 0n ? -change.lamports : change.lamports;
      moved.set(key, (moved.get(key) ?? 0n) + lamports);
    }
  return changes.filter((change) => {
    const { kind, lamports } = change;
    if (kind !== 'joined' && kind !== 'left') return true;
    const key = keyOf(change, kind);
    const available = moved.get(key) ?? 0n;
    if (available < lamports) return true;
    moved.set(key, available - lamports);
    return false;
  });
};

// A pill with the state of a stake account, as the operator sees it.
import { Pill } from '../../ui/pill.tsx';
import type { Account } from '../operator-api.ts';

const TONES = { active: 'good', activating: 'info', deactivating: 'warn', inactive: 'neutral' } as const;

/** Names of the states. */
export const stateWords: Readonly<Record<Account['state'], string>> = {
  active: 'Active',
  activating: 'Joining',
  deactivating: 'Leaving',
  inactive: 'Inactive',
};

/** Renders the pill. `accounts` is the number of accounts in this state. It is shown if there are several. */
export const StatePill = ({ state, accounts = 1 }: { state: Account['state']; accounts?: number }) => (
  <Pill tone={TONES[state]} dot>
    {accounts === 1 ? stateWords[state] : `${accounts} ${stateWords[state].toLowerCase()}`}
  </Pill>
);

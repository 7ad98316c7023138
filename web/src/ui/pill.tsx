// A status in one word: its tone is never the only sign, the word says the same.
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './pill.module.css';

/** What a colour means everywhere on the page. */
type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info';

/** A pill. `dot` puts a dot before the text; `pulse` lets it breathe while something is under way. */
export const Pill = ({
  tone = 'neutral',
  dot = false,
  pulse = false,
  children,
}: {
  tone?: Tone;
  dot?: boolean;
  pulse?: boolean;
  children: ReactNode;
}) => (
  <span className={classNames(styles.pill, styles[tone])}>
    {(dot || pulse) && <span className={classNames(styles.dot, pulse && styles.pulse)} aria-hidden="true" />}
    {children}
  </span>
);

/** Whether the validator votes, as every view shows it; null: nobody says so now. */
export const VotingPill = ({ delinquent }: { delinquent: boolean | null }) =>
  delinquent === null ? (
    <Pill tone="neutral">Votes not known</Pill>
  ) : (
    <Pill tone={delinquent ? 'bad' : 'good'} dot>
      {delinquent ? 'Not voting' : 'Voting'}
    </Pill>
  );

const STATE_TONES = {
  initialized: 'neutral',
  activating: 'info',
  active: 'good',
  deactivating: 'warn',
  inactive: 'neutral',
} as const satisfies Record<string, Tone>;

/** States of a stake account in words. */
export const stakeStateWords = {
  initialized: 'Not delegated',
  activating: 'Activating',
  active: 'Active',
  deactivating: 'Cooling down',
  inactive: 'Withdrawable',
} as const;

/** State of a stake account, as every view shows it. */
export const StakeStatePill = ({ state }: { state: keyof typeof STATE_TONES }) => (
  <Pill tone={STATE_TONES[state]} dot pulse={state === 'activating' || state === 'deactivating'}>
    {stakeStateWords[state]}
  </Pill>
);

// A status in one word. Color is never the only sign.
import type { ReactNode } from 'react';
import { defineWords } from '../words/define-words.ts';
import { uiEnglish } from '../words/en/ui.ts';
import { classNames } from './class-names.ts';
import styles from './pill.module.css';

const { say } = defineWords('ui', uiEnglish);

/** Meaning of the colors on the page. */
type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info';

/** A pill. `dot` adds a dot before the text; `pulse` animates it while something is in progress. */
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

/** Renders the voting state of the validator; null if unknown. */
export const VotingPill = ({ delinquent }: { delinquent: boolean | null }) =>
  delinquent === null ? (
    <Pill tone="neutral">{say('votesUnknown')}</Pill>
  ) : (
    <Pill tone={delinquent ? 'bad' : 'good'} dot>
      {say(delinquent ? 'notVoting' : 'voting')}
    </Pill>
  );

const STATE_TONES = {
  initialized: 'neutral',
  activating: 'info',
  active: 'good',
  deactivating: 'warn',
  inactive: 'neutral',
} as const satisfies Record<string, Tone>;

/** Returns the name of a stake account's state. */
export const stakeStateWord = (state: keyof typeof STATE_TONES): string => say(state);

/** Renders the state of a stake account. */
export const StakeStatePill = ({ state }: { state: keyof typeof STATE_TONES }) => (
  <Pill tone={STATE_TONES[state]} dot pulse={state === 'activating' || state === 'deactivating'}>
    {stakeStateWord(state)}
  </Pill>
);

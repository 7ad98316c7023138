// The epochs of one stake account: a drawing to scale with the current time and the bounds of the epoch's
// end, and a list in words.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import { useNow } from '../../../state/use-now.ts';
import { classNames } from '../../../ui/class-names.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import styles from './account-timeline.module.css';
import {
  epochMarksOf,
  epochsAround,
  type Period,
  periodsOf,
  phaseAt,
  type TimelineAccount,
} from './timeline-facts.ts';
import { boundaryWords, periodWords, phaseNames } from './timeline-words.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

const Track = ({
  periods,
  timing,
  readAtMs,
  nowMs,
}: {
  periods: readonly Period[];
  timing: EpochTiming;
  readAtMs: number;
  nowMs: number;
}) => {
  const { currentEpoch } = timing;
  const epochs = epochsAround(currentEpoch);
  const marks = epochMarksOf(timing, readAtMs, nowMs);
  const at = (share: number): string =>
    `${((epochs.indexOf(currentEpoch) + Math.min(share, epochs.length)) / epochs.length) * 100}%`;
  const boundsFrom = at(marks.earliestEnd);
  return (
    <div className={styles.track} aria-hidden="true">
      <div className={styles.cells}>
        {epochs.map((epoch) => {
          const phase = phaseAt(periods, epoch);
          return (
            <span
              key={epoch}
              className={classNames(
                styles.cell,
                phase !== null && styles[phase],
                epoch > currentEpoch && styles.future,
                phaseAt(periods, epoch - 1) === phase && styles.joined,
              )}
              data-epoch={epoch}
              data-phase={phase}
            />
          );
        })}
        <span
          className={styles.bounds}
          style={{ left: boundsFrom, width: `calc(${at(marks.latestEnd)} - ${boundsFrom})` }}
        />
        <span className={styles.now} style={{ left: at(marks.now) }} data-now={marks.now.toFixed(4)} />
      </div>
      <div className={styles.labels}>
        {epochs.map((epoch) => (
          <span key={epoch} className={epoch === currentEpoch ? styles.current : undefined}>
            {epoch === currentEpoch ? say('oneEpoch', { epoch }) : epoch}
          </span>
        ))}
      </div>
    </div>
  );
};

/** `readAtMs` is the time at which the timing was read. */
export const AccountTimeline = ({
  account,
  name,
  timing,
  readAtMs,
}: {
  account: TimelineAccount;
  /** The list's name for screen readers. */
  name: string;
  timing: EpochTiming;
  readAtMs: number;
}) => {
  const nowMs = useNow(1_000);
  const periods = periodsOf(account, timing);
  const waits = periods.some(({ when }) => when === 'next');
  return (
    <div className={styles.timeline}>
      <Track periods={periods} timing={timing} readAtMs={readAtMs} nowMs={nowMs} />
      <ol className={styles.periods} aria-label={say('epochsOf', { name })}>
        {periods.map((period) => {
          const { name: phase, spoken } = phaseNames(period);
          return (
            <li
              key={period.phase}
              className={styles[`is-${period.when}`]}
              aria-current={period.when === 'now' ? 'step' : undefined}
              data-period={period.phase}
              data-when={period.when}
            >
              <span className={classNames(styles.swatch, styles[period.phase])} aria-hidden="true" />
              <span>
                <strong>{phase}</strong> <span className="visually-hidden">({spoken}) </span>
                {periodWords(period, timing, nowMs)}
              </span>
            </li>
          );
        })}
        {!waits && (
          <li className={styles['is-past']}>
            <span className={classNames(styles.swatch, styles.end)} aria-hidden="true" />
            <span>
              {say('epochEnds', { epoch: timing.currentEpoch, when: boundaryWords(timing, nowMs) })}
            </span>
          </li>
        )}
      </ol>
    </div>
  );
};

// The current epoch on the cluster: slots, leader slots and votes, refreshed every 15 seconds.
import type { Performance, ValidatorLiveAnswer } from '../../../../client/generated/validator-operations.ts';
import { LoadError } from '../../api/load-error.tsx';
import { count, timeText } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows, Stat, Stats } from '../../ui/stat.tsx';
import { knownCount, knownPercent, UNKNOWN } from './known-figures.ts';
import { useLive } from './validator-reads.ts';
import styles from './validator-view.module.css';
import { Warnings } from './warnings.tsx';

const LeaderSlots = ({ slots }: { slots: ValidatorLiveAnswer['leaderSlots'] }) => {
  const { assigned, passed, produced, skipped, skipRatePct } = slots;
  if (assigned === null) return <p className={styles.muted}>Leader slots are currently unavailable.</p>;
  const share = assigned === 0 || passed === null ? 0 : passed / assigned;
  return (
    <div className={styles.leader}>
      <div className={styles.epochLine}>
        <h3>Leader slots this epoch</h3>
        <span>
          {count(passed)} of {count(assigned)} passed
        </span>
      </div>
      <Meter label="Leader slots passed" share={share} text={`${count(passed)} of ${count(assigned)}`} />
      <Stats>
        <Stat label="Blocks produced" value={knownCount(produced)} />
        <Stat label="Skipped" value={knownCount(skipped)} />
        <Stat
          label="Skip rate"
          value={knownPercent(skipRatePct)}
          note={skipRatePct === null ? 'shown after 8 slots' : undefined}
        />
      </Stats>
    </div>
  );
};

/** `performance` of the profile. */
export const LiveCard = ({ performance }: { performance: Performance }) => {
  const live = useLive();
  const { data } = live;
  return (
    <Card
      title="Live"
      note={data === undefined ? undefined : `As of ${timeText(data._meta.cachedAt ?? data._meta.timestamp)}`}
      actions={
        <Pill tone={live.stale ? 'warn' : 'accent'} dot pulse={!live.stale}>
          {live.stale ? 'Old' : 'Live'}
        </Pill>
      }
    >
      <LoadError resource={live} what="The current epoch" />
      {live.pending && <SkeletonText lines={6} what="Loading the current epoch" />}
      {data !== undefined && (
        <div className={styles.stack} data-current-slot={data.currentSlot}>
          <div>
            <p className={styles.epochLine}>
              <strong>Epoch {data.currentEpoch}</strong>
              <span>
                slot {count(data.slotIndex)} of {count(data.slotsInEpoch)}
              </span>
            </p>
            <Meter
              label="Progress of the epoch"
              share={data.epochProgressPct / 100}
              text={`${data.epochProgressPct}%`}
            />
          </div>
          <LeaderSlots slots={data.leaderSlots} />
          <Rows>
            <Row label="Current slot">{count(data.currentSlot)}</Row>
            <Row label="Last vote">
              {count(data.lastVoteSlot)}
              {data.lastVoteSlot <= data.currentSlot &&
                ` (${count(data.currentSlot - data.lastVoteSlot)} slots ago)`}
            </Row>
            <Row label="Root slot">{count(data.rootSlot)}</Row>
            <Row label="Slot duration, measured">{data.slotDurationMs} ms</Row>
            <Row label="Credits this epoch">{count(data.epochCredits)}</Row>
            <Row label="Votes that counted">{knownPercent(performance.voteSuccessRate)}</Row>
            <Row label="Uptime, sampled">
              {performance.uptimePercentage === null
                ? UNKNOWN
                : `${knownPercent(performance.uptimePercentage)} of ${count(performance.uptimeSamples)} ${performance.uptimeSamples === 1 ? 'sample' : 'samples'}`}
            </Row>
          </Rows>
          <Warnings warnings={[...data.warnings, ...performance.warnings]} />
        </div>
      )}
    </Card>
  );
};

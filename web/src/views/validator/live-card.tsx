// The current epoch on the cluster: slots, leader slots and votes, refreshed every 15 seconds.
import type { Performance, ValidatorLiveAnswer } from '../../../../client/generated/validator-operations.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useIsAway } from '../../api/service-connection.ts';
import { count, timeText } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows, Stat, Stats } from '../../ui/stat.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import { locale } from '../../words/language.ts';
import { knownCount, knownPercent, unknownText } from './format-known-figures.ts';
import styles from './validator-view.module.css';
import { useLive } from './validator-view-reads.ts';
import { Warnings } from './validator-warnings.tsx';

const { say } = defineWords('validator', validatorEnglish);

const LeaderSlots = ({ slots }: { slots: ValidatorLiveAnswer['leaderSlots'] }) => {
  const { assigned, passed, produced, skipped, skipRatePct } = slots;
  if (assigned === null) return <p className={styles.muted}>{say('leaderUnavailable')}</p>;
  const share = assigned === 0 || passed === null ? 0 : passed / assigned;
  return (
    <div className={styles.leader}>
      <div className={styles.epochLine}>
        <h3>{say('leaderSlots')}</h3>
        <span>{say('leaderPassed', { passed: count(passed), assigned: count(assigned) })}</span>
      </div>
      <Meter
        label={say('leaderSlotsPassed')}
        share={share}
        text={say('partOf', { part: count(passed), total: count(assigned) })}
      />
      <Stats>
        <Stat label={say('blocksProduced')} value={knownCount(produced)} />
        <Stat label={say('skipped')} value={knownCount(skipped)} />
        <Stat
          label={say('skipRate')}
          value={knownPercent(skipRatePct)}
          note={skipRatePct === null ? say('afterEightSlots') : undefined}
        />
      </Stats>
    </div>
  );
};

/** `performance` comes from the profile. */
export const LiveCard = ({ performance }: { performance: Performance }) => {
  const live = useLive();
  const { data } = live;
  const isOld = useIsAway() || live.stale;
  return (
    <Card
      title={say('live')}
      note={data && say('asOf', { time: timeText(data._meta.cachedAt ?? data._meta.timestamp) })}
      actions={
        data && (
          <Pill tone={isOld ? 'warn' : 'accent'} dot pulse={!isOld}>
            {say(isOld ? 'old' : 'live')}
          </Pill>
        )
      }
    >
      <LoadError resource={live} what={say('theCurrentEpoch')} />
      {live.pending && <SkeletonText lines={6} what={say('loadingCurrentEpoch')} />}
      {data !== undefined && (
        <div className={styles.stack} data-current-slot={data.currentSlot}>
          <div>
            <p className={styles.epochLine}>
              <strong>{say('epoch', { epoch: data.currentEpoch })}</strong>
              <span>{say('slotOf', { slot: count(data.slotIndex), slots: count(data.slotsInEpoch) })}</span>
            </p>
            <Meter
              label={say('epochProgress')}
              share={data.epochProgressPct / 100}
              text={`${data.epochProgressPct}%`}
            />
          </div>
          <LeaderSlots slots={data.leaderSlots} />
          <Rows>
            <Row label={say('votesCounted')}>{knownPercent(performance.voteSuccessRate)}</Row>
            <Row label={say('uptime')}>
              {performance.uptimePercentage === null
                ? unknownText()
                : say('uptimeOf', {
                    percent: knownPercent(performance.uptimePercentage),
                    samples: count(performance.uptimeSamples),
                    count: performance.uptimeSamples,
                  })}
            </Row>
          </Rows>
          <details className={styles.details}>
            <summary>{say('slotsAndCredits')}</summary>
            <Rows>
              <Row label={say('currentSlot')}>{count(data.currentSlot)}</Row>
              <Row label={say('lastVote')}>
                {data.lastVoteSlot <= data.currentSlot
                  ? say('slotsAgo', {
                      slot: count(data.lastVoteSlot),
                      slots: data.currentSlot - data.lastVoteSlot,
                    })
                  : count(data.lastVoteSlot)}
              </Row>
              <Row label={say('rootSlot')}>{count(data.rootSlot)}</Row>
              <Row label={say('slotDuration')}>
                {say('milliseconds', { duration: data.slotDurationMs.toLocaleString(locale) })}
              </Row>
              <Row label={say('creditsThisEpoch')}>{count(data.epochCredits)}</Row>
            </Rows>
          </details>
          <Warnings notices={[...data.notices, ...performance.notices]} />
        </div>
      )}
    </Card>
  );
};

// Projected rewards of a stake: the figure, a curve that follows the slider, and the start date.
import { useMemo } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { Chart } from '../../chart/chart.tsx';
import { axisNumber, decimal, solShort } from '../../text/format-figures.ts';
import { noticeText } from '../../text/notice-text.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/controls/tabs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { criticalNotice } from '../../ui/notices.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';
import styles from './projection-card.module.css';
import { daysBetween, type ProjectionBasis, projectCurve } from './projection-curve.ts';
import { ProjectionSources } from './projection-sources.tsx';
import { ProjectionStats } from './projection-stats.tsx';
import type { ProjectionState } from './use-projection.ts';

const { say } = defineWords('stake', stakeEnglish);

/** Selectable horizons: days as text. */
const HORIZONS = ['365', '1095', '1825', '3650'] as const;

const whenText = (days: number): string => {
  if (days === 0) return say('now');
  const months = Math.round(days / 30.4);
  return days < 45
    ? say('inDays', { days: Math.round(days) })
    : months < 24
      ? say('inMonths', { months })
      : say('inYears', { years: decimal(days / 365, 1) });
};

/** Quarters for one year, otherwise years, which is few enough for a phone. */
const splitsOf = (durationDays: number): readonly number[] => {
  const step = durationDays <= 365 ? 365 / 4 : durationDays <= 5 * 365 ? 365 : 2 * 365;
  return Array.from({ length: Math.floor(durationDays / step) + 1 }, (_, index) => index * step);
};

const axisText = (days: number): string =>
  days === 0
    ? say('now')
    : days % 365 === 0
      ? say('axisYears', { years: days / 365 })
      : say('axisMonths', { months: Math.round(days / 30.4) });

const yearsOf = (horizon: Horizon): number => Number(horizon) / 365;

/** A selectable horizon. */
export type Horizon = (typeof HORIZONS)[number];

/** `amountLamports` is null if there is no amount yet. */
export const ProjectionCard = ({
  amountLamports,
  horizon,
  onHorizon,
  projection,
}: {
  amountLamports: bigint | null;
  horizon: Horizon;
  onHorizon: (horizon: Horizon) => void;
  projection: ProjectionState;
}) => {
  const durationDays = Number(horizon);
  const { data, fresh, resource } = projection;
  const amountSol = amountLamports === null ? 0 : Number(amountLamports) / 1e9;

  const basis: ProjectionBasis | null = useMemo(
    () =>
      data === undefined || data.atLeastApy === null
        ? null
        : {
            atLeastApy: data.atLeastApy,
            rentSol: data.amountSol - data.delegatedSol,
            daysUntilActive: daysBetween(
              Date.parse(data._meta.timestamp),
              Date.parse(data.activation.estimatedActiveAt),
            ),
          },
    [data],
  );
  const exact = fresh ? (data?.projections?.total.rewardSol ?? null) : null;
  const curve = useMemo(
    () => (basis === null ? null : projectCurve(amountSol, durationDays, basis, exact)),
    [amountSol, durationDays, basis, exact],
  );
  const series = useMemo(
    () =>
      curve === null
        ? []
        : [{ label: say('projectedRewards'), values: curve.rewardSol, tone: 'accent' as const }],
    [curve],
  );
  const total = curve?.rewardSol.at(-1);
  // Unknown is different from still loading.
  const isUnknown = data !== undefined && data.atLeastApy === null;
  const critical = criticalNotice(data?.notices);
  const isWithoutTips = data !== undefined && data.effectiveApy === null && !isUnknown;
  const failed = data === undefined && resource.error !== undefined;
  return (
    <Card
      title={say('projectedRewards')}
      note={say(isWithoutTips ? 'estimateWithoutTips' : 'estimate')}
      actions={
        <Choice
          label={say('period')}
          tabs={HORIZONS.map((value) => ({ value, label: say('years', { years: yearsOf(value) }) }))}
          value={horizon}
          onChange={onHorizon}
          compact
        />
      }
    >
      {!failed && (
        <p className={styles.figure}>
          {isUnknown || amountLamports === null ? (
            <span className={styles.amount} data-projected-sol="unknown">
              –
            </span>
          ) : total === undefined ? (
            <Skeleton width="8ch" />
          ) : (
            <>
              <span className={styles.amount} data-projected-sol={total}>
                <Sol amount={Number(total.toFixed(9))} sign="+" unit={false} />
              </span>
              <span className={styles.unit}>{say('solInYears', { years: yearsOf(horizon) })}</span>
            </>
          )}
        </p>
      )}
      <div className={styles.chart}>
        {failed ? (
          <LoadError resource={resource} what={say('theProjection')} />
        ) : isUnknown ? (
          <Empty
            icon={critical === undefined ? 'clock' : 'warning'}
            title={say(critical === undefined ? 'apyUnavailable' : 'noProjection')}
          >
            {critical === undefined ? say('yieldUnavailable') : noticeText(critical)}
          </Empty>
        ) : curve === null ? (
          <Skeleton height="220px" />
        ) : (
          <Chart
            caption={say('projectedOverTime', { amount: solShort(amountSol) })}
            xs={curve.days}
            series={series}
            formatX={whenText}
            formatY={(value) => `+${solShort(Number(value.toFixed(9)))} SOL`}
            splitsX={splitsOf(durationDays)}
            axisX={axisText}
            axisY={axisNumber}
          />
        )}
      </div>
      {!failed && (
        <>
          <ProjectionStats amountSol={amountLamports === null ? null : amountSol} projection={projection} />
          <div className={styles.sources}>
            <ProjectionSources />
          </div>
        </>
      )}
    </Card>
  );
};

// Projected rewards of a stake: the figure, a curve that follows the slider, and the start date.
import { useMemo } from 'react';
import type { ProjectedPeriod } from '../../../../client/generated/stake-operations.ts';
import type { Apy } from '../../../../client/generated/validator-operations.ts';
import type { InflationSchedule } from '../../../../src/domain/validator/inflation-schedule.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useValidator } from '../../api/shared-reads.ts';
import { Chart, type ChartSeries } from '../../chart/chart.tsx';
import { axisNumber, solShort } from '../../text/format-figures.ts';
import { shownApy } from '../../text/yearly-yield.ts';
import { Card } from '../../ui/card.tsx';
import { TabStyledChoice } from '../../ui/controls/tabs.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { criticalNotice } from '../../ui/notice-list.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';
import styles from './projection-card.module.css';
import { daysBetween, type ProjectionBasis, projectCurve } from './projection-curve.ts';
import { ProjectionSources } from './projection-sources.tsx';
import { ProjectionStats } from './projection-stats.tsx';
import type { ProjectionState } from './use-projection.ts';
import { useViewYield } from './use-view-yield.ts';

const { say } = defineWords('stake', stakeEnglish);

/** Selectable horizons: days as text. */
const HORIZONS = ['365', '1095', '1825', '3650'] as const;

/** Returns the axis labels: quarters for one year, otherwise years, which are few enough for a phone. */
const splitsOf = (durationDays: number): readonly number[] => {
  const step = durationDays <= 365 ? 365 / 4 : durationDays <= 5 * 365 ? 365 : 2 * 365;
  return Array.from({ length: Math.floor(durationDays / step) + 1 }, (_, index) => index * step);
};

/** Names a point of the curve. The points are a month apart. */
const axisText = (days: number): string =>
  days === 0
    ? say('now')
    : days % 365 === 0
      ? say('axisYears', { years: days / 365 })
      : say('axisMonths', { months: Math.round(days / 30.4) });

const scheduleOf = (published: NonNullable<Apy['method']['inflationSchedule']>): InflationSchedule => ({
  rate: published.ratePct / 100,
  terminalRate: published.terminalPct / 100,
  taper: published.yearlyFallPct / 100,
});

const bandOf = (total: ProjectedPeriod | undefined): ProjectionBasis['band'] =>
  total === undefined || total.lowRewardSol === null || total.highRewardSol === null || total.rewardSol === 0
    ? null
    : { low: total.lowRewardSol / total.rewardSol, high: total.highRewardSol / total.rewardSol };

const yearsOf = (horizon: ProjectionHorizon): number => Number(horizon) / 365;

/** A selectable horizon. */
export type ProjectionHorizon = (typeof HORIZONS)[number];

/** `amountLamports` is null if there is no amount yet. */
export const ProjectionCard = ({
  amountLamports,
  horizon,
  onHorizon,
  projection,
}: {
  amountLamports: bigint | null;
  horizon: ProjectionHorizon;
  onHorizon: (horizon: ProjectionHorizon) => void;
  projection: ProjectionState;
}) => {
  const durationDays = Number(horizon);
  const { data, fresh, resource } = projection;
  const amountSol = amountLamports === null ? 0 : Number(amountLamports) / 1e9;

  const inflation = useValidator().data?.apy.method.inflationSchedule ?? null;
  const apy = useViewYield(data);
  const viewApy = apy === null ? null : shownApy(apy);
  const basis: ProjectionBasis | null = useMemo(
    () =>
      data === undefined || data.atLeastApy === null || viewApy === null
        ? null
        : {
            atLeastApy: viewApy,
            rentSol: data.amountSol - data.delegatedSol,
            daysUntilActive: daysBetween(
              Date.parse(data._meta.timestamp),
              Date.parse(data.activation.estimatedActiveAt),
            ),
            schedule: inflation && scheduleOf(inflation),
            band: bandOf(data.projections?.total),
          },
    [data, inflation, viewApy],
  );
  // The service may have computed its projection from a yield other than the one that the view shows.
  const isOfViewYield = data?.atLeastApy === viewApy;
  const exact = fresh && isOfViewYield ? (data?.projections?.total.rewardSol ?? null) : null;
  const curve = useMemo(
    () => (basis === null ? null : projectCurve(amountSol, durationDays, basis, exact)),
    [amountSol, durationDays, basis, exact],
  );
  const series: readonly ChartSeries[] = useMemo(
    () =>
      curve === null
        ? []
        : [
            { label: say('projectedRewards'), values: curve.rewardSol, kind: curve.band ? 'line' : 'area' },
            ...(curve.band === null
              ? []
              : [
                  { label: say('rewardsHigh'), values: curve.band.highSol, kind: 'edge' as const },
                  { label: say('rewardsLow'), values: curve.band.lowSol, kind: 'edge' as const },
                ]),
          ],
    [curve],
  );
  const total = curve?.rewardSol.at(-1);
  // True if the yield is unknown, as opposed to still loading.
  const isUnknown = data !== undefined && data.atLeastApy === null;
  const critical = criticalNotice(data?.notices);
  const isWithoutTips = data !== undefined && data.effectiveApy === null && !isUnknown;
  const failed = data === undefined && resource.error !== undefined;
  return (
    <Card
      title={say('projectedRewards')}
      note={say(isWithoutTips ? 'estimateWithoutTips' : 'estimate')}
      actions={
        <TabStyledChoice
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
            {say(critical === undefined ? 'yieldUnavailable' : 'noProjectionWhy')}
          </Empty>
        ) : curve === null ? (
          <Skeleton height="220px" />
        ) : (
          <Chart
            caption={say('projectedOverTime', { amount: solShort(amountSol) })}
            xs={curve.days}
            series={series}
            formatX={axisText}
            formatY={(value) => `+${solShort(Number(value.toFixed(9)))} SOL`}
            splitsX={splitsOf(durationDays)}
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

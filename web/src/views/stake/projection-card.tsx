// Projected rewards of a stake: the figure, a curve that follows the slider, and the start date.
import { useMemo } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { Chart } from '../../chart/chart.tsx';
import { solShort } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/controls/tabs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { criticalNotice } from '../../ui/notices.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import styles from './projection-card.module.css';
import { daysBetween, type ProjectionBasis, projectCurve } from './projection-curve.ts';
import { ProjectionSources } from './projection-sources.tsx';
import { ProjectionStats } from './projection-stats.tsx';
import type { ProjectionState } from './use-projection.ts';

/** Selectable horizons: days as text. */
const HORIZONS = [
  { value: '365', label: '1 year' },
  { value: '1095', label: '3 years' },
  { value: '1825', label: '5 years' },
  { value: '3650', label: '10 years' },
] as const;

const whenText = (days: number): string => {
  if (days === 0) return 'now';
  const months = Math.round(days / 30.4);
  return days < 45
    ? `in ${Math.round(days)} days`
    : months < 24
      ? `in ${months} months`
      : `in ${(days / 365).toFixed(1)} years`;
};

/** Quarters for one year, otherwise years: few enough for a phone. */
const splitsOf = (durationDays: number): readonly number[] => {
  const step = durationDays <= 365 ? 365 / 4 : durationDays <= 5 * 365 ? 365 : 2 * 365;
  return Array.from({ length: Math.floor(durationDays / step) + 1 }, (_, index) => index * step);
};

const axisText = (days: number): string =>
  days === 0 ? 'now' : days % 365 === 0 ? `${days / 365} y` : `${Math.round(days / 30.4)} mo`;

// As many decimals as needed to distinguish two ticks.
const axisSol = (sol: number): string => String(Number(sol.toPrecision(3)));

/** A horizon. */
export type Horizon = (typeof HORIZONS)[number]['value'];

/** `amountLamports` null: no amount yet. */
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
        : [{ label: 'Projected rewards', values: curve.rewardSol, tone: 'accent' as const }],
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
      title="Projected rewards"
      note={`An estimate at today’s rates${isWithoutTips ? ', excluding tips' : ''}, not a promise`}
      actions={<Choice label="Period" tabs={HORIZONS} value={horizon} onChange={onHorizon} compact />}
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
              <span className={styles.unit}>
                SOL in {HORIZONS.find(({ value }) => value === horizon)?.label}
              </span>
            </>
          )}
        </p>
      )}
      <div className={styles.chart}>
        {failed ? (
          <LoadError resource={resource} what="The projection" />
        ) : isUnknown ? (
          <Empty
            icon={critical === undefined ? 'clock' : 'warning'}
            title={critical === undefined ? 'APY unavailable' : 'No projection'}
          >
            {critical?.text ?? 'The validator’s yield is currently unavailable, so there is no projection.'}
          </Empty>
        ) : curve === null ? (
          <Skeleton height="220px" />
        ) : (
          <Chart
            caption={`Projected rewards of ${solShort(amountSol)} SOL over time`}
            xs={curve.days}
            series={series}
            formatX={whenText}
            formatY={(value) => `+${solShort(Number(value.toFixed(9)))} SOL`}
            splitsX={splitsOf(durationDays)}
            axisX={axisText}
            axisY={axisSol}
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

// The figures under the curve: yield, what a day brings, and when it begins.
import { useEpoch, useValidator } from '../../api/reads.ts';
import { useNow } from '../../state/use-now.ts';
import { duration, percent, solShort, yearlyYield } from '../../text/format-figures.ts';
import { Stat, Stats } from '../../ui/stat.tsx';
import type { ProjectionState } from './use-projection.ts';

/** What a day brings for this amount, from what the service said of another one; null where nothing is known. */
const perDaySol = (amountSol: number | null, data: ProjectionState['data']): number | null => {
  if (amountSol === null || data === undefined || data.onceActive === null || data.delegatedSol === 0)
    return null;
  const rentSol = data.amountSol - data.delegatedSol;
  return Number(
    ((data.onceActive.perDaySol * Math.max(0, amountSol - rentSol)) / data.delegatedSol).toFixed(9),
  );
};

/** Seconds until the stake would be active, by the clock that the page shows. */
const useSecondsToActive = (data: ProjectionState['data']): number | undefined => {
  const { data: epoch } = useEpoch();
  const nowMs = useNow(1_000);
  if (data === undefined) return undefined;
  const { epochsUntilActive, estimatedActiveAt } = data.activation;
  // Whoever delegates now waits for this epoch's end; the projection may be from the one before.
  const at = epochsUntilActive === 1 && epoch !== undefined ? epoch.estimatedEpochEnd : estimatedActiveAt;
  return Math.max(0, (Date.parse(at) - nowMs) / 1000);
};

/** Stands under the curve. `amountSol` null: nothing is chosen that could be projected. */
export const ProjectionStats = ({
  amountSol,
  projection: { data },
}: {
  amountSol: number | null;
  projection: ProjectionState;
}) => {
  const { data: validator } = useValidator();
  const seconds = useSecondsToActive(data);
  const { totalApy: total = null, atLeastApy: atLeast = null } =
    data === undefined
      ? (validator?.apy ?? {})
      : { totalApy: data.effectiveApy, atLeastApy: data.atLeastApy };
  const tips = validator?.apy.jitoMevApy ?? null;
  const tipsNote = tips === null || tips === 0 ? undefined : `including tips ${percent(tips)}`;
  const daily = perDaySol(amountSol, data);
  const unknown = data === undefined && validator === undefined;
  return (
    <Stats>
      <Stat
        label="APY"
        value={unknown ? undefined : yearlyYield({ totalApy: total, atLeastApy: atLeast })}
        note={total === null && atLeast !== null ? 'excluding tips' : tipsNote}
      />
      <Stat
        label="Per day, once active"
        value={data === undefined ? undefined : daily === null ? '–' : `${solShort(daily)} SOL`}
      />
      <Stat
        label="Active"
        value={seconds === undefined ? undefined : seconds === 0 ? 'any moment' : `in ${duration(seconds)}`}
        note={data && `at the earliest, then earns from epoch ${data.activation.firstRewardEpoch}`}
      />
    </Stats>
  );
};

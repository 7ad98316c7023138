// The figures below the curve: yield, rewards per day, and the start.

import { useEpoch, useValidator } from '../../api/shared-reads.ts';
import { useNow } from '../../state/use-now.ts';
import { durationText, percent, yearlyYield } from '../../text/format-figures.ts';
import { Sol } from '../../ui/sol.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';
import type { ProjectionState } from './use-projection.ts';

const { say } = defineWords('stake', stakeEnglish);

/**
 * Computes the rewards per day for this amount, scaled from the service's figures for another amount; null if
 * unknown.
 */
const perDaySol = (amountSol: number | null, data: ProjectionState['data']): number | null => {
  if (amountSol === null || data === undefined || data.onceActive === null || data.delegatedSol === 0)
    return null;
  const rentSol = data.amountSol - data.delegatedSol;
  return Number(
    ((data.onceActive.perDaySol * Math.max(0, amountSol - rentSol)) / data.delegatedSol).toFixed(9),
  );
};

/** Computes the seconds until the stake would be active, by the page's clock. */
const useSecondsToActive = (data: ProjectionState['data']): number | undefined => {
  const { data: epoch } = useEpoch();
  const nowMs = useNow(1_000);
  if (data === undefined) return undefined;
  const { epochsUntilActive, estimatedActiveAt } = data.activation;
  // A new delegation waits for the end of the current epoch, but the projection may be from the previous one.
  const at = epochsUntilActive === 1 && epoch !== undefined ? epoch.estimatedEpochEnd : estimatedActiveAt;
  return Math.max(0, (Date.parse(at) - nowMs) / 1000);
};

/** Shown below the curve. A null `amountSol` means that there is no valid amount. */
export const ProjectionStats = ({
  amountSol,
  projection: { data },
}: {
  amountSol: number | null;
  projection: ProjectionState;
}) => {
  const { data: validator } = useValidator();
  const seconds = useSecondsToActive(data);
  // From the same response as the figure at the top of the view. The projection may be a minute younger.
  const { totalApy: total = null, atLeastApy: atLeast = null } =
    validator?.apy ??
    (data === undefined ? {} : { totalApy: data.effectiveApy, atLeastApy: data.atLeastApy });
  const tips = validator?.apy.jitoMevApy ?? null;
  const tipsNote = tips === null || tips === 0 ? undefined : say('includingTips', { percent: percent(tips) });
  const daily = perDaySol(amountSol, data);
  const unknown = data === undefined && validator === undefined;
  return (
    <Stats>
      <Stat
        label={say('apy')}
        value={unknown ? undefined : yearlyYield({ totalApy: total, atLeastApy: atLeast })}
        note={total === null && atLeast !== null ? say('excludingTips') : tipsNote}
      />
      <Stat
        label={say('perDay')}
        value={data === undefined ? undefined : daily === null ? '–' : <Sol amount={daily} />}
      />
      <Stat
        label={say('active')}
        value={
          seconds === undefined
            ? undefined
            : seconds === 0
              ? say('anyMoment')
              : say('inDuration', { duration: durationText(seconds) })
        }
        note={data && say('firstReward', { epoch: String(data.activation.firstRewardEpoch) })}
      />
    </Stats>
  );
};

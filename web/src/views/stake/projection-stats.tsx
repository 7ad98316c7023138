// The figures below the curve: yield, rewards per day, and the start.

import { useEpoch } from '../../api/shared-reads.ts';
import { useNow } from '../../state/use-now.ts';
import { durationText, yearlyYield } from '../../text/format-figures.ts';
import { dailyAverageSol, shownApy, yieldContents } from '../../text/yearly-yield.ts';
import { Sol } from '../../ui/sol.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';
import type { ProjectionState } from './use-projection.ts';
import { useViewYield } from './use-view-yield.ts';

const { say } = defineWords('stake', stakeEnglish);

/** Computes the average reward per day at the shown yield; null if unknown. */
const perDaySol = (
  amountSol: number | null,
  data: ProjectionState['data'],
  apy: number | null,
): number | null =>
  amountSol === null || data === undefined
    ? null
    : dailyAverageSol(Math.max(0, amountSol - (data.amountSol - data.delegatedSol)), apy);

/** Computes the seconds until the stake would be active, on the page's clock. */
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
  const seconds = useSecondsToActive(data);
  const apy = useViewYield(data);
  const daily = perDaySol(amountSol, data, apy === null ? null : shownApy(apy));
  return (
    <Stats>
      <Stat
        label={say('apy')}
        value={apy === null ? undefined : yearlyYield(apy)}
        note={apy && yieldContents(apy)}
      />
      <Stat
        label={say('perDay')}
        value={data === undefined ? undefined : daily === null ? '–' : <Sol amount={daily} />}
        note={say('perDayNote')}
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

// Lists the sources of the projection: measured or expected yields, their interval, inflation's schedule, and
// the commission already deducted.
import type { Apy } from '../../../../client/generated/validator-operations.ts';
import { useValidator } from '../../api/shared-reads.ts';
import { earnsNothing, epochRange, percent, yearlyYield } from '../../text/format-figures.ts';
import { noticeText } from '../../text/notice-text.ts';
import { Row, Rows } from '../../ui/stat.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';

const { say } = defineWords('stake', stakeEnglish);

type Source = Apy['method']['staking'];

const yieldWords = (value: number | null, part: Source, unknown: 'unknown' | 'tipsUnknown'): string => {
  if (value === null) return say(unknown);
  const shown = { percent: percent(value) };
  if (part?.source === 'realised')
    return say('measuredIn', { ...shown, epochs: epochRange(part.fromEpoch, part.toEpoch) });
  if (part?.source === 'provider') return say('reportedByProvider', shown);
  return part?.source === 'expected' ? say('expectedFromInflation', shown) : shown.percent;
};

/** With a commission of 100%, nothing is left of the measured rewards: the zero is not measured. */
const stakingWords = ({ stakingApy, commission, method }: Apy): string =>
  commission === 100 ? percent(0) : yieldWords(stakingApy, method.staking, 'unknown');

const tipsWords = ({ jitoMevApy, method }: Apy): string =>
  method.jitoMev?.source === 'none'
    ? say('tipsNotShared')
    : yieldWords(jitoMevApy, method.jitoMev, 'tipsUnknown');

const commissionWords = ({ commission, jitoCommissionBps, method }: Apy): string => {
  const rewards = commission === null ? say('commissionRateUnknown') : percent(commission, 0);
  return jitoCommissionBps === null || method.jitoMev?.source === 'none'
    ? say('ofRewards', { rewards })
    : say('ofRewardsAndTips', {
        rewards,
        tips: percent(jitoCommissionBps / 100, jitoCommissionBps % 100 === 0 ? 0 : 2),
      });
};

const intervalWords = ({ interval, intervalMissing }: Apy): string =>
  interval === null
    ? intervalMissing === null
      ? say('unknown')
      : noticeText(intervalMissing)
    : say('intervalOfYield', {
        low: percent(interval.lowApy),
        high: percent(interval.highApy),
        epochs: interval.horizonEpochs,
      });

const inflationWords = (schedule: Apy['method']['inflationSchedule']): string | null =>
  schedule === null || schedule.yearlyFallPct === 0 || schedule.ratePct <= schedule.terminalPct
    ? null
    : say('inflationFalls', {
        rate: percent(schedule.ratePct),
        fall: percent(schedule.yearlyFallPct, 0),
        terminal: percent(schedule.terminalPct),
      });

/** The lines below the figures. */
export const ProjectionSources = () => {
  const apy = useValidator().data?.apy;
  const shown = (words: (apy: Apy) => string): string =>
    apy === undefined ? '–' : earnsNothing(apy) ? yearlyYield(apy) : words(apy);
  const inflation = inflationWords(apy?.method.inflationSchedule ?? null);
  return (
    <Rows>
      <Row label={say('stakingYield')}>{shown(stakingWords)}</Row>
      <Row label={say('tips')}>{shown(tipsWords)}</Row>
      <Row label={say('interval')}>{shown(intervalWords)}</Row>
      {inflation !== null && <Row label={say('inflation')}>{inflation}</Row>}
      <Row label={say('commissionDeducted')}>{apy === undefined ? '–' : commissionWords(apy)}</Row>
    </Rows>
  );
};

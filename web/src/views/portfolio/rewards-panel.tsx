// Rewards: their totals, a chart by epoch, in total or of the stake, and a CSV download.
import { useState } from 'react';
import type { Notice as NoticeData } from '../../../../client/generated/shared-types.ts';
import type { StakingRewardsAnswer } from '../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useEpoch, useSummary } from '../../api/shared-reads.ts';
import { epochRange, exactSol } from '../../text/format-figures.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { TabStyledChoice } from '../../ui/controls/tabs.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { defineWords } from '../../words/define-words.ts';
import { rewardsEnglish } from '../../words/en/portfolio/rewards.ts';
import { EPOCHS_BACK } from './overview/first-line-words.ts';
import { useEarnedEpochs, useRewards } from './portfolio-reads.ts';
import { areRewardsAwaited, firstEarned, totalOf } from './rewards-by-epoch.ts';
import { CHARTS, type ChartName, RewardsChart } from './rewards-chart.tsx';
import styles from './rewards-panel.module.css';

const { say } = defineWords('rewards', rewardsEnglish);

/** Formats exactly, because the parts must add up to the total. */
const solOrUnknown = (sol: number | null): string =>
  sol === null ? say('unknown') : say('sol', { amount: exactSol(sol) });

const periodTabs = () =>
  EPOCHS_BACK.map((count, index) => ({
    value: String(count),
    label: index === 0 ? say('epochs', { count }) : String(count),
  }));

const chartTabs = () =>
  (Object.keys(CHARTS) as ChartName[]).map((value) => ({ value, label: say(CHARTS[value].name) }));

const NOTICES = {
  REWARDS_DISTRIBUTING: 'distributing',
  REWARDS_NOT_RETAINED: 'notRetained',
  REWARDS_LIMITED: 'limited',
  REWARDS_UNKNOWN: 'someUnknown',
  ACCOUNTS_LIMITED: 'accountsLimited',
  CLOSED_ACCOUNTS_UNREAD: 'closedUnread',
} as const satisfies Partial<Record<NoticeData['code'], keyof typeof rewardsEnglish>>;

/** Uses the service's English for a code that this page does not know. */
const noticeWords = ({ code, text, params }: NoticeData): string => {
  const { part = '', unknown = 0, count = 0, shown = 0 } = params;
  return Object.hasOwn(NOTICES, code)
    ? say(NOTICES[code as keyof typeof NOTICES], { part, unknown, count, shown })
    : text;
};

const Totals = ({ data }: { data: StakingRewardsAnswer }) => {
  const { inflationSol, tipsSol, unknownInflation, unknownTips } = data.totals;
  const total = totalOf({ inflationSol, tipsSol });
  return (
    <Stats>
      <Stat
        label={say(unknownInflation + unknownTips > 0 ? 'knownInEpochs' : 'paidInEpochs')}
        value={solOrUnknown(total)}
        note={epochRange(firstEarned(data.rewards), data.toEpoch)}
      />
      <Stat
        label={
          <>
            <span className={`${styles.swatch} ${styles.inflation}`} aria-hidden="true" /> {say('inflation')}
          </>
        }
        value={solOrUnknown(inflationSol)}
        note={say('inflationNote')}
      />
      <Stat
        label={
          <>
            <span className={`${styles.swatch} ${styles.tips}`} aria-hidden="true" /> {say('tips')}
          </>
        }
        value={solOrUnknown(tipsSol)}
        note={say('tipsNote')}
      />
    </Stats>
  );
};

/** `hasStake` is true if a first reward can be expected. */
export const RewardsPanel = ({ walletAddress, hasStake }: { walletAddress: string; hasStake: boolean }) => {
  const earned = useEarnedEpochs(useSummary(walletAddress));
  const [chosen, setChosen] = useState<string>();
  // Until the user chooses another range, the sum is the one in the first line.
  const back = chosen ?? String(earned);
  const [chart, setChart] = useState<ChartName>('epoch');
  const { data: epoch } = useEpoch();
  const [awaited, setAwaited] = useState(false);
  const rewards = useRewards(walletAddress, Number(back), awaited);
  const { data } = rewards;
  const isLate = hasStake && data !== undefined && epoch !== undefined && areRewardsAwaited(data, epoch);
  if (isLate !== awaited) setAwaited(isLate);
  // Unknown rewards count as rewards, because the chart shows the gap.
  const hasRewards =
    data?.rewards.some(({ inflationSol, tipsSol }) => inflationSol !== 0 || tipsSol !== 0) === true;
  const csv = `/api/v1/stake/rewards/${walletAddress}?epochs=${back}&format=csv`;
  return (
    <div className={styles.content}>
      <div className={styles.head}>
        {hasRewards ? <Totals data={data} /> : <p className={styles.note}>{say('source')}</p>}
        <div className={styles.tools}>
          {hasRewards && (
            <TabStyledChoice
              label={say('chart')}
              tabs={chartTabs()}
              value={chart}
              onChange={setChart}
              compact
            />
          )}
          <TabStyledChoice
            label={say('period')}
            tabs={periodTabs()}
            value={back}
            onChange={setChosen}
            compact
          />
          {hasRewards && (
            <ButtonLink
              size="s"
              icon="download"
              href={csv}
              download={`holdfast-rewards-${shortAddress(walletAddress).replace('…', '-')}.csv`}
            >
              {say('csv')}
            </ButtonLink>
          )}
        </div>
      </div>
      <LoadError resource={rewards} what={say('what')} />
      {rewards.pending && <Skeleton height="200px" />}
      {data !== undefined && !hasRewards && (
        <Empty icon="portfolio" title={say(hasStake ? 'noneYet' : 'none')}>
          {say(hasStake ? 'noneYetWhy' : 'noneWhy')}
        </Empty>
      )}
      {hasRewards && <RewardsChart data={data} name={chart} />}
      {data?.notices.map((notice) => (
        <Notice key={notice.text}>{noticeWords(notice)}</Notice>
      ))}
    </div>
  );
};

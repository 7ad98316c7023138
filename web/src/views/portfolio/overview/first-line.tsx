// The first line of a portfolio: staked, earned, measured yield and next payment.
import type { ReactNode } from 'react';
import type { StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { useValidator } from '../../../api/shared-reads.ts';
import type { Resource } from '../../../api/use-resource.ts';
import { Stat } from '../../../ui/stat.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioOverviewEnglish } from '../../../words/en/portfolio/overview.ts';
import { useLastKnown } from '../last-known.ts';
import { useEarnedEpochs, useRewards, useTiming } from '../portfolio-reads.ts';
import { earnedFigure, type Figure, measuredYieldFigure, nextPaymentFigure } from './first-line-words.ts';
import styles from './overview-card.module.css';

const { say } = defineWords('portfolioOverview', portfolioOverviewEnglish);

/** `children` is the staked amount. */
export const FirstLine = ({
  summary,
  walletAddress,
  children,
}: {
  summary: Resource<StakingSummaryAnswer>;
  walletAddress: string;
  children: ReactNode;
}) => {
  const { accounts } = summary.data!;
  const timing = useTiming(summary)?.timing ?? null;
  const epochs = useEarnedEpochs(summary);
  const rewards = useLastKnown(`${walletAddress}/rewards`, useRewards(walletAddress, epochs, false));
  const validator = useLastKnown('validator', useValidator());
  const { data } = rewards;
  const secondsPerEpoch = validator.data?.apy.method.secondsPerEpoch ?? null;
  const unread: Figure | undefined =
    rewards.error === undefined ? undefined : { value: say('unknown'), note: say('rewardsUnavailable') };
  const earned = data === undefined ? unread : earnedFigure(data);
  const measured =
    data === undefined || validator.pending ? unread : measuredYieldFigure(data, accounts, secondsPerEpoch);
  const next = nextPaymentFigure(accounts, timing, Date.now());
  return (
    <div className={styles.first}>
      {children}
      <dl className={styles.figures}>
        <Stat label={say('earned')} value={earned?.value} note={earned?.note} />
        <Stat label={say('measuredYield')} value={measured?.value} note={measured?.note} />
        <Stat label={say('nextPayment')} value={next.value} note={next.note} />
      </dl>
    </div>
  );
};

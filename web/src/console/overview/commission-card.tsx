// Compares the effect of another commission with the current one.
import { useState } from 'react';
import { percent, solShort } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Slider } from '../../ui/controls/slider.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import styles from '../console.module.css';
import type { StakeFlows } from '../operator-api.ts';
import { commissionOutcome, measuredRewards } from './commission-what-if.ts';

const sol = (value: number): string => `${solShort(Number(value.toFixed(9)))} SOL`;

const WhatIf = ({ stake, nowPct }: { stake: StakeFlows; nowPct: number }) => {
  const [chosenPct, setChosenPct] = useState(Math.round(nowPct));
  const rewards = measuredRewards(stake, nowPct);
  if (rewards === null)
    return (
      <Empty icon="clock" title="No rewards measured yet">
        {nowPct >= 100
          ? 'At a commission of 100%, nothing is paid to stakers, so there is nothing to measure.'
          : 'The calculation starts with the first epoch that pays rewards.'}
      </Empty>
    );
  const { activeSol, epochTiming } = stake;
  const epochMs = epochTiming.slotsInEpoch * epochTiming.slotDurationMs;
  const outcome = (commissionPct: number) =>
    commissionOutcome(rewards, { commissionPct, activeSol, epochMs });
  const [now, then] = [outcome(nowPct), outcome(chosenPct)];
  return (
    <div className={styles.whatIf}>
      <div>
        <p className={styles.commission}>
          Commission <strong>{chosenPct}%</strong>
        </p>
        <Slider
          label="Commission"
          value={chosenPct}
          steps={100}
          text={`${chosenPct}%`}
          onChange={setChosenPct}
        />
      </div>
      <Stats>
        <Stat
          label="Your income per epoch"
          value={sol(then.validatorSolPerEpoch)}
          note={`now ${sol(now.validatorSolPerEpoch)}`}
        />
        <Stat
          label="Your income per year"
          value={sol(then.validatorSolPerYear)}
          note={`now ${sol(now.validatorSolPerYear)}`}
        />
        <Stat
          label="Your stakers' yield"
          value={percent(then.stakersApy)}
          note={`now ${percent(now.stakersApy)}`}
        />
      </Stats>
    </div>
  );
};

/** `stake` contains the current commission. Renders nothing while that is unknown. */
export const CommissionCard = ({ stake }: { stake: StakeFlows }) =>
  stake.commissionPct === null ? null : (
    <Card
      title="What if you changed your commission?"
      note="Based on the rewards measured here and today's active stake, assuming no one leaves. Excludes block rewards and tips."
    >
      <WhatIf stake={stake} nowPct={stake.commissionPct} />
    </Card>
  );

// Compares the effect of another commission with the current one.
import { useState } from 'react';
import { percent, solShort } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Slider } from '../../ui/controls/slider.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import styles from '../console.module.css';
import { useOwnValidator } from '../operator-reads.ts';
import { commissionOutcome, type KnownYield, knownYield } from './commission-what-if.ts';

const sol = (value: number): string => `${solShort(Number(value.toFixed(9)))} SOL`;

const WhatIf = ({ known, activeSol }: { known: KnownYield; activeSol: number }) => {
  const { commissionPct: nowPct } = known;
  const [chosenPct, setChosenPct] = useState(Math.round(nowPct));
  const [now, then] = [nowPct, chosenPct].map((commissionPct) =>
    commissionOutcome(known, { commissionPct, activeSol }),
  ) as [ReturnType<typeof commissionOutcome>, ReturnType<typeof commissionOutcome>];
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
          label="Commission per epoch"
          value={sol(then.validatorSolPerEpoch)}
          note={`now ${sol(now.validatorSolPerEpoch)}`}
        />
        <Stat
          label="Commission per year"
          value={sol(then.validatorSolPerYear)}
          note={`now ${sol(now.validatorSolPerYear)}`}
        />
        <Stat
          label={known.tipsApy === null ? "Your stakers' APY, without tips" : "Your stakers' APY"}
          value={percent(then.stakersApy)}
          note={`now ${percent(now.stakersApy)}`}
        />
      </Stats>
    </div>
  );
};

/** Compares commissions. Renders nothing until the yield was read. */
export const CommissionCard = ({ activeSol }: { activeSol: number }) => {
  const { data } = useOwnValidator();
  if (data === undefined) return null;
  const known = knownYield(data.apy);
  return (
    <Card
      title="What if you changed your commission?"
      note="Based on your stakers' APY and today's active stake, if no one leaves. Block rewards and tips come on top."
    >
      {known === null ? (
        <Empty icon="clock" title="Not known now">
          {data.apy?.commission === 100
            ? 'At a commission of 100%, nothing is paid to stakers, so there is nothing to compute with.'
            : 'The yield or the commission cannot be read now.'}
        </Empty>
      ) : (
        <WhatIf known={known} activeSol={activeSol} />
      )}
    </Card>
  );
};

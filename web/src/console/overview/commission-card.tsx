// A card that compares another commission with the current one.
import { useState } from 'react';
import { percent, solShort } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Slider } from '../../ui/controls/slider.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import styles from '../console.module.css';
import { useOwnValidator } from '../operator-reads.ts';
import { commissionOutcome, type KnownYield, knownYield, whyUnknown } from './commission-what-if.ts';

const sol = (value: number): string => `${solShort(Number(value.toFixed(9)))} SOL`;

interface Figure {
  readonly name: string;
  readonly now: string;
  readonly chosen: string;
}

const figuresOf = (
  known: KnownYield,
  [now, chosen]: readonly [ReturnType<typeof commissionOutcome>, ReturnType<typeof commissionOutcome>],
): readonly Figure[] => [
  {
    name: 'Your commission per epoch',
    now: sol(now.validatorSolPerEpoch),
    chosen: sol(chosen.validatorSolPerEpoch),
  },
  {
    name: 'Your commission per year',
    now: sol(now.validatorSolPerYear),
    chosen: sol(chosen.validatorSolPerYear),
  },
  {
    name: known.tipsApy === null ? "Your stakers' APY, without tips" : "Your stakers' APY",
    now: percent(now.stakersApy),
    chosen: percent(chosen.stakersApy),
  },
];

const WhatIf = ({ known, activeSol }: { known: KnownYield; activeSol: number }) => {
  const { commissionPct: nowPct } = known;
  const [chosenPct, setChosenPct] = useState(Math.round(nowPct));
  const outcome = (commissionPct: number) => commissionOutcome(known, { commissionPct, activeSol });
  return (
    <div className={styles.whatIf}>
      <Stats>
        {figuresOf(known, [outcome(nowPct), outcome(chosenPct)]).map(({ name, now, chosen }) => (
          <Stat key={name} label={name} value={chosen} note={`today ${now}`} />
        ))}
      </Stats>
      <div>
        <p className={styles.commission}>
          <span>
            Commission <strong>{chosenPct}%</strong>
          </span>
          <span>{chosenPct === Math.round(nowPct) ? 'as today' : `today ${nowPct}%`}</span>
        </p>
        <Slider
          label="Commission"
          value={chosenPct}
          steps={100}
          text={`${chosenPct}%, today ${nowPct}%`}
          onChange={setChosenPct}
        />
      </div>
    </div>
  );
};

/** Renders nothing until the yield has been read. */
export const CommissionCard = ({ activeSol }: { activeSol: number }) => {
  const { data } = useOwnValidator();
  if (data === undefined) return null;
  const known = knownYield(data.apy);
  return (
    <Card
      title="What if you changed your commission?"
      note="Based on your stakers' APY and today's active stake, if no one leaves. Your commission excludes block rewards and tips."
    >
      {known === null ? (
        <Empty icon="clock" title="Currently unknown">
          {whyUnknown(data.apy)}
        </Empty>
      ) : (
        <WhatIf known={known} activeSol={activeSol} />
      )}
    </Card>
  );
};

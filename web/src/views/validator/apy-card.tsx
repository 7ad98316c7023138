// A card with the parts of the yield, and how each was determined. Unknown parts stay empty.
import type { Apy } from '../../../../client/generated/validator-operations.ts';
import { durationText, earnsNothing, yearlyYield } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { criticalNotice, Notices } from '../../ui/notice-list.tsx';
import { Pill } from '../../ui/pill.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import {
  type ApyPart,
  intervalSentence,
  methodText,
  scoreSentence,
  sourceSentence,
  sourceWord,
} from './apy-words.ts';
import { knownBps, knownPercent } from './format-known-figures.ts';
import styles from './validator-view.module.css';
import { Warnings } from './validator-warnings.tsx';

const { say } = defineWords('validator', validatorEnglish);

const Part = ({
  name,
  value,
  part,
  instead,
  commission,
  swatch,
}: {
  name: string;
  value: string;
  part: ApyPart;
  /** Replaces the source of the figure. */
  instead: string | undefined;
  commission: string;
  swatch: string | undefined;
}) => (
  <li className={styles.part}>
    <div className={styles.partHead}>
      <span className={`${styles.swatch} ${swatch}`} aria-hidden="true" />
      <strong>{name}</strong>
      {instead === undefined && (
        <Pill tone={part?.source === 'realised' ? 'good' : 'neutral'}>{sourceWord(part)}</Pill>
      )}
      <span className={styles.partValue}>{value}</span>
    </div>
    <p>
      {instead ?? sourceSentence(part)} {say('partCommission', { commission })}
    </p>
  </li>
);

/** `apy` comes from the profile. */
export const ApyCard = ({ apy }: { apy: Apy }) => {
  const { stakingApy, jitoMevApy, totalApy, atLeastApy, method } = apy;
  const critical = criticalNotice(apy.notices);
  const isNone = earnsNothing(apy);
  const figure = (value: number | null): string => (isNone ? yearlyYield(apy) : knownPercent(value));
  const isTaken = stakingApy === 0 && apy.commission === 100;
  const whole = (stakingApy ?? 0) + (jitoMevApy ?? 0);
  return (
    <Card title={say('apy')} note={say('apyNote')}>
      {critical !== undefined && <Notices notices={[critical]} />}
      <p className={styles.figure} data-total-apy={totalApy ?? 'unknown'}>
        {totalApy === null && atLeastApy === null && !isNone ? say('notKnown') : yearlyYield(apy)}{' '}
        {!isNone && (
          <span>{say(totalApy === null && atLeastApy !== null ? 'perYearWithoutTips' : 'perYear')}</span>
        )}
      </p>
      {!isNone && (
        <p data-yield-interval={apy.interval === null ? 'missing' : 'known'}>{intervalSentence(apy)}</p>
      )}
      {whole > 0 && (
        <div className={styles.split} aria-hidden="true">
          <span className={styles.inflation} style={{ flexGrow: stakingApy ?? 0 }} />
          <span className={styles.tips} style={{ flexGrow: jitoMevApy ?? 0 }} />
        </div>
      )}
      <ul className={styles.parts}>
        <Part
          name={say('inflation')}
          value={figure(stakingApy)}
          part={method.staking}
          instead={isNone ? '' : isTaken ? say('takenByCommission') : undefined}
          commission={knownPercent(apy.commission, 0)}
          swatch={styles.inflation}
        />
        <Part
          name={say('tips')}
          value={figure(jitoMevApy)}
          part={method.jitoMev}
          instead={isNone ? '' : undefined}
          commission={knownBps(apy.jitoCommissionBps)}
          swatch={styles.tips}
        />
      </ul>
      <details className={styles.details}>
        <summary>{say('howCalculated')}</summary>
        <p>{methodText(method)}</p>
        <p>{scoreSentence(apy)}</p>
        <p>
          {method.secondsPerEpoch === null
            ? say('epochLengthUnknown')
            : say('epochLength', { duration: durationText(method.secondsPerEpoch) })}
        </p>
      </details>
      <Warnings notices={apy.notices.filter(({ severity }) => severity !== 'critical')} />
    </Card>
  );
};

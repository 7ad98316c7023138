// A slider over the amounts that can be unstaked; possible amounts are shaded on its track.
import type { AmountRange } from '../../../../../src/domain/plan/amount-ranges.ts';
import { solText } from '../../../text/format-figures.ts';
import { Slider } from '../../../ui/controls/slider.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import { movedAmount, positionOf, shadedParts, TRACK_STEPS } from './reachable-track.ts';
import styles from './unstake-sheet.module.css';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** `ranges` must not be empty. */
export const ReachableSlider = ({
  ranges,
  lamports,
  shownLamports,
  onChange,
}: {
  ranges: readonly AmountRange[];
  lamports: bigint | null;
  /** The amount in words. For everything, it includes rent. */
  shownLamports: bigint | null;
  onChange: (lamports: bigint) => void;
}) => (
  <div className={styles.choice}>
    <div className={styles.reach}>
      <div className={styles.track} aria-hidden="true">
        {shadedParts(ranges).map(({ from, width }) => (
          <span key={from} data-reachable style={{ insetInlineStart: `${from}%`, inlineSize: `${width}%` }} />
        ))}
      </div>
      <Slider
        bare
        label={say('amountToUnstake')}
        steps={TRACK_STEPS}
        value={positionOf(lamports, ranges)}
        text={say('amountSol', { amount: solText(shownLamports ?? 0n) })}
        onChange={(position) => onChange(movedAmount(position, lamports, ranges))}
      />
    </div>
    <p className={styles.legend}>{say('shadedPossible')}</p>
  </div>
);

// A slider over the amounts that can be unstaked; possible amounts are shaded on its track.
import type { AmountRange } from '../../../../../src/domain/plan/reachable-amounts.ts';
import { solText } from '../../../text/format-figures.ts';
import { Slider } from '../../../ui/controls/slider.tsx';
import { movedAmount, positionOf, shadedParts, TRACK_STEPS } from './reachable-track.ts';
import styles from './unstake-sheet.module.css';

/** `ranges` must not be empty. */
export const ReachableSlider = ({
  ranges,
  lamports,
  onChange,
}: {
  ranges: readonly AmountRange[];
  lamports: bigint | null;
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
        label="Amount to unstake"
        steps={TRACK_STEPS}
        value={positionOf(lamports, ranges)}
        text={`${solText(lamports ?? 0n)} SOL`}
        onChange={(position) => onChange(movedAmount(position, lamports, ranges))}
      />
    </div>
    <p className={styles.legend}>Shaded amounts are possible exactly.</p>
  </div>
);

// A slider with a name and a value in words.
import { classNames } from '../class-names.ts';
import styles from './slider.module.css';

/** Values from 0 to `steps`. Screen readers read the text. */
export const Slider = ({
  label,
  value,
  steps,
  text,
  onChange,
  disabled = false,
  bare = false,
}: {
  label: string;
  value: number;
  steps: number;
  text: string;
  onChange: (value: number) => void;
  disabled?: boolean;
  /** True omits the track, so the caller's own drawing is visible. */
  bare?: boolean;
}) => (
  <input
    type="range"
    className={classNames(styles.slider, bare && styles.bare)}
    aria-label={label}
    aria-valuetext={text}
    min={0}
    max={steps}
    step={1}
    value={value}
    disabled={disabled}
    style={{ '--done': `${(value / steps) * 100}%` } as React.CSSProperties}
    onChange={(event) => onChange(event.target.valueAsNumber)}
  />
);

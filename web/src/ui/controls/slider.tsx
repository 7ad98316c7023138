// A slider with a name and a value in words.
import styles from './slider.module.css';

/** From 0 to `steps`; the text is what a screen reader says. */
export const Slider = ({
  label,
  value,
  steps,
  text,
  onChange,
  disabled = false,
}: {
  label: string;
  value: number;
  steps: number;
  text: string;
  onChange: (value: number) => void;
  disabled?: boolean;
}) => (
  <input
    type="range"
    className={styles.slider}
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

// The steps of a longer process: done, in progress or failed. Each change is announced once.
import type { ReactNode } from 'react';
import { defineWords } from '../words/define-words.ts';
import { uiEnglish } from '../words/en/ui.ts';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './stepper.module.css';

const { say } = defineWords('ui', uiEnglish);

/** One step. `detail` is shown while the step is in progress, `result` once it is done. */
export interface Step {
  readonly key: string;
  readonly title: string;
  readonly detail?: ReactNode;
  readonly result?: ReactNode;
  readonly state: 'todo' | 'current' | 'done' | 'failed';
}

const shownText = (state: Step['state'], detail: ReactNode, result: ReactNode): ReactNode =>
  state === 'done' ? result : state === 'todo' ? undefined : detail;

/** `label` names the list. */
export const Stepper = ({ label, steps }: { label: string; steps: readonly Step[] }) => (
  <ol className={styles.steps} aria-label={label}>
    {steps.map(({ key, title, detail, result, state }) => (
      <li
        key={key}
        className={classNames(styles.step, styles[state])}
        aria-current={state === 'current' ? 'step' : undefined}
        data-step={key}
        data-state={state}
      >
        <span className={styles.mark} aria-hidden="true">
          {state === 'done' && <Icon name="check" size={14} />}
          {state === 'failed' && <Icon name="close" size={14} />}
        </span>
        <div className={styles.text}>
          <span className={styles.title}>{title}</span>
          <span className="visually-hidden">: {say(state)}</span>
          {shownText(state, detail, result) !== undefined && (
            <div className={styles.detail}>{shownText(state, detail, result)}</div>
          )}
        </div>
      </li>
    ))}
  </ol>
);

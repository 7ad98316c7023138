// Answers to the three most common questions before staking.
import { Icon } from '../../ui/icon.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';
import styles from './assurances.module.css';

const { say } = defineWords('stake', stakeEnglish);

const ANSWERS = [
  { icon: 'key', title: 'staysYours', text: 'staysYoursText' },
  { icon: 'shield', title: 'checkedFirst', text: 'checkedFirstText' },
  { icon: 'clock', title: 'exitAnyTime', text: 'exitAnyTimeText' },
] as const;

/** Shown below the form. */
export const Assurances = () => (
  <ul className={styles.list}>
    {ANSWERS.map(({ icon, title, text }) => (
      <li key={title}>
        <span className={styles.icon}>
          <Icon name={icon} size={20} />
        </span>
        <div>
          <h3>{say(title)}</h3>
          <p>{say(text)}</p>
        </div>
      </li>
    ))}
  </ul>
);

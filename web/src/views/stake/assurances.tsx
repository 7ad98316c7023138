// Answers to the three most common questions before staking.
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './assurances.module.css';

const ANSWERS: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
  {
    icon: 'key',
    title: 'It stays yours',
    text: 'The stake account is yours. Only your wallet can unstake and withdraw. The validator can do neither.',
  },
  {
    icon: 'shield',
    title: 'Checked before you sign',
    text: 'Your browser reads the transaction and blocks anything but the stake you chose.',
  },
  {
    icon: 'clock',
    title: 'Exit at any time',
    text: 'Unstaking takes until the end of an epoch. Solana does not slash stake (as of November 2026).',
  },
];

/** Shown below the form. */
export const Assurances = () => (
  <ul className={styles.list}>
    {ANSWERS.map(({ icon, title, text }) => (
      <li key={title}>
        <span className={styles.icon}>
          <Icon name={icon} size={20} />
        </span>
        <div>
          <h3>{title}</h3>
          <p>{text}</p>
        </div>
      </li>
    ))}
  </ul>
);

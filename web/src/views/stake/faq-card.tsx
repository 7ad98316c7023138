// The operator's own questions and answers.
import { brand } from '../../state/document-brand.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { Card } from '../../ui/card.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';
import styles from './faq-card.module.css';

const { say } = defineWords('stake', stakeEnglish);

/** Shown below the assurances. */
export const FaqCard = () => (
  <Card title={say('questions')} className={styles.card}>
    {brand.faq.map(({ question, answer }) => (
      <details key={question} className={styles.entry}>
        <summary>{foreignText(question)}</summary>
        <p>{foreignText(answer)}</p>
      </details>
    ))}
  </Card>
);

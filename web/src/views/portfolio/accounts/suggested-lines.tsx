// The suggested changes as lines with one button each.
import { isUnderWay } from '../../../flow/flow-types.ts';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { Button } from '../../../ui/controls/button.tsx';
import styles from './accounts-card.module.css';
import type { suggestedChanges } from './suggested-changes.ts';

/** Nothing where there are none. */
export const SuggestedLines = ({
  changes,
  walletAddress,
}: {
  changes: ReturnType<typeof suggestedChanges>;
  walletAddress: string;
}) => {
  const { step, record } = useFlow();
  const underWay = isUnderWay(step);
  if (changes.length === 0) return null;
  return (
    <ul className={styles.suggested} aria-label="Suggestions">
      {changes.map(({ goal, text, button }) => {
        const isOurs = underWay && record?.change?.goal === goal;
        return (
          <li key={goal} data-suggested={goal}>
            <span>{text}</span>
            <Button
              size="s"
              busy={isOurs}
              disabled={underWay && !isOurs}
              onClick={() => void flow.begin({ kind: 'rearrange', goal, walletAddress })}
            >
              {button}
            </Button>
          </li>
        );
      })}
    </ul>
  );
};

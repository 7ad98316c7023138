// The actions on the selected accounts, above the table. Each opens a review.
import { useEffect } from 'react';
import { isUnderWay } from '../../../flow/flow-state.ts';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { solShort } from '../../../text/format-figures.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import styles from './accounts-table.module.css';
import { selectionActions, type TickedAccount } from './selection-actions.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

/** `onClear` empties the selection. It is also called when a change to the selected accounts has landed. */
export const SelectionBar = ({
  selected,
  where,
  onClear,
}: {
  selected: readonly TickedAccount[];
  where: Parameters<typeof selectionActions>[1];
  onClear: () => void;
}) => {
  const { step, record } = useFlow();
  const underWay = isUnderWay(step);
  const landed =
    step === 'confirmed' && record?.change?.accounts !== undefined ? record.idempotencyKey : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per landed change
  useEffect(() => {
    if (landed !== null) onClear();
  }, [landed]);
  if (selected.length === 0) return null;
  const actions = selectionActions(selected, where);
  const refusals = [...new Set(actions.flatMap(({ refusal }) => refusal ?? []))];
  const total = selected.reduce((sum, account) => sum + BigInt(account.lamports), 0n);
  const why = where.timing.epochRewardsActive
    ? say('rewardsTryAgain')
    : actions.length === 0
      ? say('nothingPossible')
      : refusals.join(' ');
  return (
    <section className={styles.bar} aria-label={say('selectedAccounts')}>
      <p className={styles.chosen} role="status">
        {say('selected', { count: selected.length, amount: solShort(total) })}
      </p>
      <div className={styles.acts}>
        {actions.map(({ goal, label, accounts, amountLamports, refusal }) => {
          const isOurs = underWay && record?.change?.goal === goal;
          return (
            <Button
              key={goal}
              size="s"
              data-selection={goal}
              busy={isOurs}
              disabled={refusal !== null || (underWay && !isOurs)}
              onClick={() =>
                void flow.begin({
                  kind: 'rearrange',
                  goal,
                  accounts,
                  walletAddress: where.walletAddress,
                  // `atLeast`, because rewards that arrive before the transaction are unstaked together with
                  // the account.
                  ...(amountLamports !== undefined && { amountLamports, rounding: 'atLeast' }),
                })
              }
            >
              {label}
            </Button>
          );
        })}
        <Button size="s" kind="quiet" onClick={onClear}>
          {say('clear')}
        </Button>
      </div>
      {why !== '' && <p className={styles.why}>{why}</p>}
    </section>
  );
};

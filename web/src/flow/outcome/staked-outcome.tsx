// The result of a successful stake: its amount, when it begins to earn, how early it can be unstaked, and
// useful next steps.
import type { ReactNode } from 'react';
import type { TransactionRecord } from '../../../../client/staking/pending-transaction.ts';
import { useEpoch, useSummary } from '../../api/shared-reads.ts';
import { ShareButton } from '../../share/share-button.tsx';
import { LinkButton } from '../../shell/link.tsx';
import { useNow } from '../../state/use-now.ts';
import { exactSol, lamportsOf } from '../../text/format-figures.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';
import styles from './staked-outcome.module.css';
import { stakedWords } from './staked-words.ts';

const { say } = defineWords('outcome', outcomeEnglish);

export const StakedTitle = ({ children }: { children: string }) => (
  <span className={styles.title}>
    <span className={styles.tick} data-step="confirmed" data-state="done" aria-hidden="true">
      <Icon name="check" size={20} />
    </span>
    {children}
  </span>
);

/** `isEarning` is true once the stake has become active. */
export const StakedFacts = ({ record, isEarning }: { record: TransactionRecord; isEarning: boolean }) => {
  const { data: epoch } = useEpoch();
  const { data } = useSummary(record.walletAddress);
  const nowMs = useNow(1_000);
  const account = data?.accounts.find(({ address }) => address === record.stakeAccountAddress);
  const words = stakedWords({ isEarning, account: account ?? null, boundary: epoch ?? null }, nowMs);
  return (
    <dl className={styles.facts}>
      {account !== undefined && (
        <div>
          <dt>{say('stakedAmount')}</dt>
          <dd>
            {say('rent', {
              staked: exactSol(lamportsOf(account.activeSol) + lamportsOf(account.activatingSol)),
              rent: exactSol(account.rentReserveSol),
            })}
          </dd>
        </div>
      )}
      <div data-step={isEarning ? 'turned' : 'turning'} data-state={isEarning ? 'done' : 'current'}>
        <dt>{say(isEarning ? 'earns' : 'becomesActive')}</dt>
        <dd>{words.earning}</dd>
      </div>
      {words.unstaking !== null && (
        <div>
          <dt>{say('canBeUnstaked')}</dt>
          <dd>{words.unstaking}</dd>
        </div>
      )}
    </dl>
  );
};

/** `children` are buttons common to all transactions. */
export const StakedActions = ({
  walletAddress,
  children,
}: {
  walletAddress: string;
  children: ReactNode;
}) => (
  <>
    <LinkButton href="/portfolio" kind="primary">
      {say('viewInPortfolio')}
    </LinkButton>
    <ButtonLink icon="clock" href={`/calendar/${walletAddress}.ics`} download="">
      {say('addToCalendar')}
    </ButtonLink>
    <ShareButton size="m" />
    {children}
  </>
);

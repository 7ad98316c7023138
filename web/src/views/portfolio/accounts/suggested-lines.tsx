// The suggested changes with their buttons, showing the figures of the plans to be signed.
import type { PlanStakeChangeInput } from '../../../../../client/generated/transactions-operations.ts';
import { api } from '../../../api/holdfast.ts';
import { useBalance, WALLET_KEYS } from '../../../api/shared-reads.ts';
import { useResource } from '../../../api/use-resource.ts';
import { isUnderWay } from '../../../flow/flow-state.ts';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { lamportsOf } from '../../../text/format-figures.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import styles from './accounts-card.module.css';
import { plannedLine, type SuggestedChange, stakeIdle } from './suggested-changes.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

/**
 * Refresh interval, long because idle lamports arrive once per epoch. The page's own changes refresh
 * immediately.
 */
const REFRESH_MS = 180_000;

type To = PlanStakeChangeInput['to'];

const usePlan = (walletAddress: string, goal: SuggestedChange['goal'] | null, to?: To) =>
  useResource(
    goal === null ? null : `${WALLET_KEYS}${walletAddress}/plan/${goal}/${to ?? ''}`,
    (signal) => api.planStakeChange({ walletAddress, goal: goal!, ...(to && { to }) }, { signal }),
    REFRESH_MS,
  );

interface LineProps {
  readonly walletAddress: string;
  readonly change: SuggestedChange;
  /** Where idle SOL is staked. */
  readonly stakeTo: 'stake' | 'activating';
}

const Line = ({ change, walletAddress, stakeTo }: LineProps) => {
  const { step, record } = useFlow();
  const planned = usePlan(walletAddress, change.goal);
  const staked = usePlan(walletAddress, change.goal === 'sweep' ? 'sweep' : null, stakeTo);
  const { data: balance } = useBalance(change.goal === 'sweep' ? walletAddress : null);
  const line = plannedLine(change, planned.data);
  if (line === null) return null;
  const { goal, text, button } = line;
  const stake = goal === 'sweep' ? stakeIdle(staked.data, lamportsOf(balance?.availableToStake ?? 0)) : null;
  const underWay = isUnderWay(step);
  const act = (label: string, to?: To, amountLamports?: bigint) => {
    const isOurs = underWay && record?.change?.goal === goal && record.change.to === to;
    return (
      <Button
        size="s"
        busy={isOurs}
        disabled={underWay && !isOurs}
        onClick={() =>
          void flow.begin({ kind: 'rearrange', goal, walletAddress, amountLamports, ...(to && { to }) })
        }
      >
        {label}
      </Button>
    );
  };
  return (
    <li data-suggested={goal}>
      <span>{text}</span>
      {act(button)}
      {stake !== null && act(stake.label, stakeTo, stake.addedLamports)}
    </li>
  );
};

/** Renders nothing without suggestions. */
export const SuggestedLines = ({
  changes,
  ...shared
}: Omit<LineProps, 'change'> & { changes: readonly SuggestedChange[] }) =>
  changes.length === 0 ? null : (
    <ul className={styles.suggested} aria-label={say('suggestions')}>
      {changes.map((change) => (
        <Line key={change.goal} {...shared} change={change} />
      ))}
    </ul>
  );

// One line about stake with other validators. Its button opens a sheet with each stake, the effects of moving
// it here, and the buttons for it. Renders nothing without such stake.
import { useState } from 'react';
import type { StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { api } from '../../../api/holdfast.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { WALLET_KEYS } from '../../../api/shared-reads.ts';
import { type Resource, useResource } from '../../../api/use-resource.ts';
import { isUnderWay } from '../../../flow/flow-state.ts';
import { PlanOutcome, PlanRows } from '../../../flow/plan-summary.tsx';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { solShort } from '../../../text/format-figures.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { StakeStatePill } from '../../../ui/pill.tsx';
import { Sol } from '../../../ui/sol.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import { useAllAccounts, useTiming } from '../portfolio-reads.ts';
import styles from './migrate-line.module.css';
import { bringStep, stakesElsewhere } from './migrate-steps.ts';

const { say, sayWith } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** Number of accounts above which they can be moved only together. */
const MAX_SHOWN = 8;

const usePlan = (walletAddress: string, wanted: boolean) =>
  useResource(wanted ? `${WALLET_KEYS}${walletAddress}/plan/migrate` : null, (signal) =>
    api.planStakeChange({ walletAddress, goal: 'migrate' }, { signal }),
  );

/** Shown to the owner of `walletAddress`. */
export const BringLine = ({
  summary,
  walletAddress,
}: {
  summary: Resource<StakingSummaryAnswer>;
  walletAddress: string;
}) => {
  const all = useAllAccounts(walletAddress, true, Number.POSITIVE_INFINITY);
  const elsewhere = stakesElsewhere(all.data?.accounts ?? [], summary.data!.validatorVoteAccount);
  const planned = usePlan(walletAddress, elsewhere.length > 0);
  const timing = useTiming(summary)?.timing;
  const [isOpen, setOpen] = useState(false);
  const { step, record } = useFlow();
  if (elsewhere.length === 0 || timing === undefined) return null;
  const plan = planned.data?.plan ?? null;
  const rows = elsewhere.map((account) => ({ account, ...bringStep(account, plan, timing, Date.now()) }));
  const now = rows.filter(({ isNow }) => isNow).map(({ account }) => account);
  const total = now.reduce((sum, { lamports }) => sum + BigInt(lamports), 0n);
  const underWay = isUnderWay(step);
  const isOurs = underWay && record?.change?.goal === 'migrate';
  const bring = (accounts?: readonly string[]) => (
    <Button
      size={accounts === undefined ? 'm' : 's'}
      busy={isOurs && String(record?.change?.accounts ?? '') === String(accounts ?? '')}
      disabled={underWay && !isOurs}
      {...(accounts !== undefined && {
        'aria-label': say('bringOnlyThisAccount', { address: shortAddress(accounts[0]!) }),
      })}
      onClick={() => {
        setOpen(false);
        void flow.begin({ kind: 'rearrange', goal: 'migrate', walletAddress, ...(accounts && { accounts }) });
      }}
    >
      {accounts === undefined ? say('bringAmount', { amount: solShort(total) }) : say('bringOnlyThis')}
    </Button>
  );
  const sum = elsewhere.reduce((known, { lamports }) => known + BigInt(lamports), 0n);
  return (
    <div className={styles.line} data-bring>
      <span>{say('stakedElsewhere', { amount: solShort(sum) })}</span>
      <Button size="s" onClick={() => setOpen(true)}>
        {say('bringStake')}
      </Button>
      {isOpen && (
        <Dialog title={say('bringStake')} place="side" onClose={() => setOpen(false)}>
          <p className={styles.intro}>{say('bringIntro')}</p>
          <div className={styles.content}>
            <ul className={styles.list}>
              {rows.slice(0, MAX_SHOWN).map(({ account, words, isNow }) => (
                <li key={account.address} data-elsewhere={account.address}>
                  <div className={styles.head}>
                    <Address
                      address={account.address}
                      what={say('stakeAccount')}
                      href={account.explorerUrl}
                    />
                    <StakeStatePill state={account.state} />
                    <strong>
                      <Sol amount={account.sol} />
                    </strong>
                    <span className={styles.at}>
                      {sayWith('atValidator', {
                        validator: <Address address={account.voteAccount!} what={say('voteAccount')} />,
                      })}
                    </span>
                    {isNow && now.length > 1 && (
                      <span className={styles.one}>{bring([account.address])}</span>
                    )}
                  </div>
                  <p>{words}</p>
                </li>
              ))}
            </ul>
            {rows.length > MAX_SHOWN && (
              <p className={styles.more}>{say('moreAccounts', { count: rows.length - MAX_SHOWN })}</p>
            )}
            <LoadError resource={planned} what={say('thePlan')} />
            {plan !== null && now.length > 0 && (
              <>
                <PlanOutcome plan={plan} />
                <PlanRows plan={plan} costs />
                {bring()}
              </>
            )}
          </div>
        </Dialog>
      )}
    </div>
  );
};

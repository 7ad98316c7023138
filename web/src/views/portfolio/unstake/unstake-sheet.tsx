// Unstakes an amount over all accounts of the wallet, in a sheet at the side. Shows the effect on each
// account, withdrawal times, and stake that is already deactivating or withdrawable.
import { type Dispatch, type SetStateAction, useEffect, useId, useState } from 'react';
import type { StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { isUnderWay } from '../../../flow/flow-state.ts';
import { planFacts } from '../../../flow/plan-facts.ts';
import { PlanOutcome, PlanRows, PlanTable } from '../../../flow/plan-summary.tsx';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { solField, solText } from '../../../text/format-figures.ts';
import { readSol } from '../../../text/read-sol.ts';
import { AmountField } from '../../../ui/controls/amount-field.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Sol } from '../../../ui/sol.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import { MIN_IDLE_LAMPORTS } from '../accounts/idle-sol.ts';
import { whereSolIs } from '../overview/where-sol-is.ts';
import { planProblem } from './plan-problem.ts';
import { ReachableSlider } from './reachable-slider.tsx';
import { mostOf, rangesOf } from './reachable-track.ts';
import styles from './unstake-sheet.module.css';
import { useReachable, useUnstakePreview } from './use-preview.ts';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** Stake that the amount does not include. */
const Already = ({ portfolio, accounts }: Pick<StakingSummaryAnswer, 'portfolio' | 'accounts'>) => {
  const { cooling, withdrawable } = whereSolIs(portfolio.liquidSol, accounts);
  const isIdle = withdrawable >= MIN_IDLE_LAMPORTS;
  if (cooling === 0n && !isIdle) return null;
  return (
    <Rows>
      {cooling > 0n && (
        <Row label={say('alreadyDeactivating')}>
          <Sol amount={cooling} />
        </Row>
      )}
      {isIdle && (
        <Row label={say('withdrawableNow')}>
          <Sol amount={withdrawable} />
        </Row>
      )}
    </Rows>
  );
};

interface UnstakeProps extends Pick<StakingSummaryAnswer, 'walletAddress' | 'portfolio' | 'accounts'> {
  /** The typed amount. Kept outside the sheet, so canceling a review does not lose it. */
  readonly text: string;
  readonly setText: Dispatch<SetStateAction<string>>;
  readonly onClose: () => void;
}

const UnstakeSheet = ({ walletAddress, portfolio, accounts, text, setText, onClose }: UnstakeProps) => {
  const id = useId();
  const { step } = useFlow();
  const { lamports, problem } = readSol(text);
  const reachable = useReachable(walletAddress);
  const ranges = reachable.data === undefined ? [] : rangesOf(reachable.data);
  const most = mostOf(ranges);
  // When everything is unstaked, the amounts in the field and in the result include the rent and the idle SOL
  // of the accounts.
  const everything = useUnstakePreview(walletAddress, most === 0n ? null : most).data?.plan;
  const total = everything ? planFacts(everything).unstakingLamports : most;
  const isEverything = lamports !== null && lamports >= most && lamports <= total;
  const amount = lamports === 0n ? null : isEverything ? most : lamports;
  const enter = (one: bigint): void => setText(solField(one === most ? total : one));
  const planned = useUnstakePreview(walletAddress, amount);
  const { data } = planned;
  const transactionCount = data?.transactionCount ?? 0;
  const obstacle = data === undefined ? null : planProblem(data);
  const plan = obstacle === null ? data?.plan : null;
  // The amount for which the user pressed the button while its plan was loading. If the amount changes, the
  // user must press the button again.
  const [submitted, setSubmitted] = useState<bigint | null>(null);
  const isPlanning = amount !== null && data === undefined && planned.error === undefined;
  useEffect(() => {
    if (submitted === null || data === undefined) return;
    setSubmitted(null);
    if (!plan || submitted !== amount) return;
    onClose();
    void flow.begin({ kind: 'rearrange', goal: 'unstake', walletAddress, amountLamports: submitted });
  }, [submitted, data, plan, amount, walletAddress, onClose]);
  return (
    <Dialog
      title={say('unstakeAmount')}
      place="side"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            form={id}
            disabled={!plan && !isPlanning}
            busy={isUnderWay(step) || (isPlanning && submitted === amount)}
          >
            {say('reviewUnstaking')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setSubmitted(amount);
        }}
      >
        <p className={styles.intro}>{say('unstakeIntro')}</p>
        <AmountField
          label={say('unstake')}
          value={text}
          onChange={setText}
          problem={lamports === 0n ? say('moreThanZero') : (problem ?? obstacle?.text)}
          hint={say(planned.loading && amount !== null ? 'planning' : 'acrossAccounts')}
          end={most > 0n && say('upTo', { amount: solText(total) })}
          action={
            most > 0n && (
              <Button size="s" onClick={() => enter(most)}>
                {say('max')}
              </Button>
            )
          }
        />
        {most > 0n && (
          <ReachableSlider ranges={ranges} lamports={amount} shownLamports={lamports} onChange={enter} />
        )}
        <Already portfolio={portfolio} accounts={accounts} />
        <LoadError resource={reachable} what={say('possibleAmounts')} />
        {obstacle !== null && obstacle.nearby.length > 0 && (
          <div className={styles.nearby}>
            {obstacle.nearby.map((one) => (
              <Button key={String(one)} size="s" onClick={() => enter(one)}>
                {say('amountSol', { amount: solText(one === most ? total : one) })}
              </Button>
            ))}
          </div>
        )}
        <LoadError resource={planned} what={say('thePlan')} />
        {plan && (
          <>
            <PlanOutcome plan={plan} />
            <PlanRows plan={plan} requestedLamports={amount} costs />
            <PlanTable plan={plan} />
            {transactionCount > 1 && (
              <p className={styles.legend}>{say('transactions', { count: transactionCount })}</p>
            )}
          </>
        )}
      </form>
    </Dialog>
  );
};

const isAsked = (): boolean => new URLSearchParams(location.search).get('act') === 'unstake';

/**
 * Opens the sheet if the URL contains `?act=unstake`, as the links of alerts do, and removes the parameter, so
 * Back does not open the sheet again.
 */
const useAsked = (): [isOpen: boolean, setOpen: (isOpen: boolean) => void] => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const update = (): void => {
      if (!isAsked()) return;
      history.replaceState(null, '', location.pathname);
      setOpen(true);
    };
    update();
    addEventListener('popstate', update);
    return () => removeEventListener('popstate', update);
  }, []);
  return [isOpen, setOpen];
};

/** The button that opens the sheet, for the owner of a stake. */
export const UnstakeAmount = ({
  walletAddress,
  portfolio,
  accounts,
}: Pick<StakingSummaryAnswer, 'walletAddress' | 'portfolio' | 'accounts'>) => {
  const [isOpen, setOpen] = useAsked();
  const [text, setText] = useState('');
  const { step, record } = useFlow();
  const landed = step === 'confirmed' && record?.change?.goal === 'unstake' ? record.idempotencyKey : null;
  useEffect(() => {
    if (landed !== null) setText('');
  }, [landed]);
  return (
    <>
      <Button size="s" onClick={() => setOpen(true)}>
        {say('unstakeAmount')}
      </Button>
      {isOpen && (
        <UnstakeSheet
          walletAddress={walletAddress}
          portfolio={portfolio}
          accounts={accounts}
          text={text}
          setText={setText}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};

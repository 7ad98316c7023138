// Unstakes an amount over all accounts of the wallet. Shows the effect on each account, withdrawal times, and
// stake that is already deactivating or withdrawable.
import { useEffect, useState } from 'react';
import type { StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { formatSol } from '../../../../../src/domain/lamports.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { isUnderWay } from '../../../flow/flow-state.ts';
import { PlanRows, PlanTable } from '../../../flow/plan-summary.tsx';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { solShort, solText } from '../../../text/format-figures.ts';
import { readSol } from '../../../text/read-sol.ts';
import { Card } from '../../../ui/card.tsx';
import { AmountField } from '../../../ui/controls/amount-field.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import { planProblem } from './plan-problem.ts';
import { ReachableSlider } from './reachable-slider.tsx';
import { mostOf, rangesOf } from './reachable-track.ts';
import styles from './unstake-card.module.css';
import { useReachable, useUnstakePreview } from './use-preview.ts';

/** Stake that the amount does not include. */
const Already = ({ portfolio }: Pick<StakingSummaryAnswer, 'portfolio'>) => {
  const { deactivatingSol, withdrawableSol } = portfolio;
  if (deactivatingSol === 0 && withdrawableSol === 0) return null;
  return (
    <Rows>
      {deactivatingSol > 0 && <Row label="Already cooling down">{solShort(deactivatingSol)} SOL</Row>}
      {withdrawableSol > 0 && <Row label="Can be withdrawn now">{solShort(withdrawableSol)} SOL</Row>}
    </Rows>
  );
};

/** For the owner of some stake. */
export const UnstakeCard = ({
  walletAddress,
  portfolio,
}: Pick<StakingSummaryAnswer, 'walletAddress' | 'portfolio'>) => {
  const [text, setText] = useState('');
  const { step, record } = useFlow();
  const { lamports, problem } = readSol(text);
  const amount = lamports === 0n ? null : lamports;
  const reachable = useReachable(walletAddress);
  const ranges = reachable.data === undefined ? [] : rangesOf(reachable.data);
  const most = mostOf(ranges);
  const planned = useUnstakePreview(walletAddress, amount);
  const { data } = planned;
  const obstacle = data === undefined ? null : planProblem(data);
  const plan = obstacle === null ? data?.plan : null;
  const landed = step === 'confirmed' && record?.change?.goal === 'unstake' ? record.idempotencyKey : null;
  useEffect(() => {
    if (landed !== null) setText('');
  }, [landed]);
  return (
    <Card
      title="Unstake an amount"
      note="Stops this much from being staked. You can withdraw it after it cools down, usually when the epoch ends."
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (plan && amount !== null)
            void flow.begin({
              kind: 'rearrange',
              goal: 'unstake',
              walletAddress,
              amountLamports: amount,
            });
        }}
      >
        <AmountField
          label="Unstake"
          value={text}
          onChange={setText}
          problem={lamports === 0n ? 'Enter more than 0.' : (problem ?? obstacle?.text)}
          hint={planned.loading && amount !== null ? 'Planning…' : 'From all your accounts here together'}
          end={most > 0n && `Up to ${solShort(most)} SOL`}
          action={
            most > 0n && (
              <Button size="s" onClick={() => setText(formatSol(most))}>
                Max
              </Button>
            )
          }
        />
        {most > 0n && (
          <ReachableSlider ranges={ranges} lamports={lamports} onChange={(one) => setText(formatSol(one))} />
        )}
        <Already portfolio={portfolio} />
        <LoadError resource={reachable} what="The possible amounts" />
        {obstacle !== null && obstacle.nearby.length > 0 && (
          <div className={styles.nearby}>
            {obstacle.nearby.map((one) => (
              <Button key={String(one)} size="s" onClick={() => setText(formatSol(one))}>
                {solText(one)} SOL
              </Button>
            ))}
          </div>
        )}
        <LoadError resource={planned} what="The plan" />
        {plan && (
          <>
            <PlanTable plan={plan} />
            <PlanRows plan={plan} costs />
            {(data?.transactionCount ?? 0) > 1 && (
              <p className={styles.legend}>
                {data?.transactionCount} transactions: your wallet asks for each, one after the other.
              </p>
            )}
          </>
        )}
        {amount !== null && (
          <Button type="submit" disabled={!plan} busy={isUnderWay(step)}>
            Review unstaking
          </Button>
        )}
      </form>
    </Card>
  );
};

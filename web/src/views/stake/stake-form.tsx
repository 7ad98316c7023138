// The form for the amount to stake with its limits, and the next step: connect, fund, or review.
import { lazy, Suspense, useId, useState } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { connection, useIsAway } from '../../api/service-connection.ts';
import { useBalance } from '../../api/shared-reads.ts';
import { isUnderWay } from '../../flow/flow-state.ts';
import { flow, useFlow } from '../../flow/use-page-flow.ts';
import { expectAuthority } from '../../shell/foreign-control.ts';
import { isSandbox } from '../../state/cluster.ts';
import { lamportsOf, solField, solText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { AmountField } from '../../ui/controls/amount-field.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Slider } from '../../ui/controls/slider.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sol } from '../../ui/sol.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { openConnectDialog } from '../../wallet/wallet-button.tsx';
import { defineWords } from '../../words/define-words.ts';
import { shellEnglish } from '../../words/en/shell.ts';
import { stakeEnglish } from '../../words/en/stake.ts';
import {
  type AmountLimits,
  amountAt,
  positionOf,
  readAmount,
  SLIDER_STEPS,
  ticksOf,
} from './amount-limits.ts';
import type { ReadStakeAuthority } from './read-stake-authority.ts';
import styles from './stake-form.module.css';

const { say, sayWith } = defineWords('stake', stakeEnglish);
const { say: sayConnection } = defineWords('shell', shellEnglish);

// Loaded when the section is opened.
const StakeAuthorityField = lazy(async () => ({
  default: (await import('./stake-authority-field.tsx')).StakeAuthorityField,
}));

// Never loaded on a real cluster.
const FaucetButton = lazy(async () => ({
  default: (await import('../../sandbox/faucet-button.tsx')).FaucetButton,
}));

/** Explains what the wallet lacks, and how to get it. */
const FundingNotice = ({ walletAddress, limits }: { walletAddress: string; limits: AmountLimits }) => {
  const needed = limits.minimumLamports + limits.reserveLamports;
  return (
    <Notice
      tone="info"
      title={say('notEnoughSol')}
      actions={
        isSandbox ? (
          <Suspense>
            <FaucetButton walletAddress={walletAddress} kind="primary" />
          </Suspense>
        ) : undefined
      }
    >
      {isSandbox
        ? say('faucetHelps', { amount: solText(needed) })
        : sayWith('sendAtLeast', {
            amount: solText(needed),
            address: <Address address={walletAddress} what={say('walletAddress')} />,
          })}
    </Notice>
  );
};

/** `limits` is null while loading. */
export const StakeForm = ({
  text,
  onText,
  limits,
  isDiscouraged,
}: {
  text: string;
  onText: (text: string) => void;
  limits: AmountLimits | null;
  /** True if a critical notice is shown above the form. */
  isDiscouraged: boolean;
}) => {
  const { walletAddress } = useWallet();
  const balance = useBalance(walletAddress);
  const { step } = useFlow();
  const isAway = useIsAway();
  const inputId = useId();
  const { lamports, problem } = readAmount(text, limits);
  const rentLamports = limits?.rentLamports ?? null;
  const available = limits?.availableLamports ?? null;
  const isPoor = limits !== null && available !== null && available < limits.minimumLamports;
  const [isAdvanced, setAdvanced] = useState(false);
  const [{ stakeAuthority, problem: authorityProblem }, setAuthority] = useState<ReadStakeAuthority>({
    problem: null,
  });
  const ready =
    lamports !== null &&
    problem === null &&
    authorityProblem === null &&
    limits !== null &&
    walletAddress !== null;
  /** Why the button is disabled, unless a field or the funding notice says it. */
  const why = isAway
    ? sayConnection(connection.get().state as 'down' | 'degraded')
    : lamports === null && problem === null && !isPoor
      ? say('enterAmount')
      : null;
  const left =
    balance.data === undefined || lamports === null || problem !== null
      ? null
      : lamportsOf(balance.data.sol) - lamports;
  const begin = (): void => {
    if (walletAddress === null) openConnectDialog();
    else if (lamports !== null) {
      if (stakeAuthority !== undefined) expectAuthority(walletAddress, stakeAuthority);
      void flow.begin({ kind: 'stake', walletAddress, amountLamports: lamports, stakeAuthority });
    }
  };
  return (
    <Card
      title={<label htmlFor={inputId}>{say('stakeSol')}</label>}
      actions={
        <span className={styles.balance}>
          {balance.data && sayWith('balance', { amount: <Sol amount={balance.data.sol} /> })}
        </span>
      }
    >
      <form
        className={styles.form}
        data-stake=""
        onSubmit={(event) => {
          event.preventDefault();
          if (ready || walletAddress === null) begin();
        }}
      >
        {walletAddress !== null && isPoor && <FundingNotice walletAddress={walletAddress} limits={limits} />}
        <LoadError resource={balance} what={say('yourBalance')} />
        <AmountField
          labeledAs={inputId}
          value={text}
          onChange={onText}
          problem={isPoor ? null : problem}
          hint={limits && say('atLeastSol', { amount: solText(limits.minimumLamports) })}
          action={
            available !== null &&
            !isPoor && (
              <Button size="s" onClick={() => onText(solField(available))}>
                {say('max')}
              </Button>
            )
          }
        />
        <div>
          <Slider
            label={say('amountToStake')}
            steps={SLIDER_STEPS}
            value={limits === null ? 0 : positionOf(lamports, limits)}
            text={`${text === '' ? '0' : text} SOL`}
            onChange={(position) => limits !== null && onText(amountAt(position, limits))}
            disabled={limits === null || isPoor}
          />
          <div className={styles.ticks}>
            {limits !== null &&
              !isPoor &&
              ticksOf(limits).map((tick) => (
                <button
                  key={tick.label}
                  type="button"
                  className={styles.tick}
                  style={{ '--place': tick.place } as React.CSSProperties}
                  aria-label={
                    available === null
                      ? say('stakeAmount', { amount: solText(tick.lamports) })
                      : say('stakeShare', { amount: solText(tick.lamports), share: tick.label })
                  }
                  aria-pressed={tick.lamports === lamports}
                  onClick={() => onText(solField(tick.lamports))}
                >
                  {tick.label}
                </button>
              ))}
          </div>
        </div>
        <Rows>
          <Row label={say('rentReturned')}>
            <Sol amount={rentLamports} />
          </Row>
          {left !== null && (
            <Row label={say('leftInWallet')}>
              <Sol amount={left} />
            </Row>
          )}
        </Rows>
        {walletAddress === null ? (
          <Button kind="primary" size="l" wide type="submit" icon="wallet">
            {say('connectToStake')}
          </Button>
        ) : (
          <Button
            kind={isDiscouraged ? 'quiet' : 'primary'}
            size="l"
            wide
            type="submit"
            disabled={!ready || isAway}
            aria-describedby={`${inputId}-${why === null ? 'hint' : 'why'}`}
            busy={isUnderWay(step)}
          >
            {say(isDiscouraged ? 'stakeAnyway' : 'reviewStake')}
          </Button>
        )}
        {walletAddress !== null && why !== null && (
          <p id={`${inputId}-why`} className={styles.balance}>
            {why}
          </p>
        )}
        <details className={styles.advanced} onToggle={() => setAdvanced(true)}>
          <summary>{say('otherStakeAuthority')}</summary>
          {isAdvanced && (
            <Suspense fallback={null}>
              <StakeAuthorityField walletAddress={walletAddress} onRead={setAuthority} />
            </Suspense>
          )}
        </details>
      </form>
    </Card>
  );
};

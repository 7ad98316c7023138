// The form for the amount to stake with its limits, and the next step: connect, fund, or review.
import { useId } from 'react';
import { LoadError } from '../../api/load-error.tsx';
import { useBalance } from '../../api/shared-reads.ts';
import { isUnderWay } from '../../flow/flow-state.ts';
import { flow, useFlow } from '../../flow/use-page-flow.ts';
import { FaucetButton } from '../../sandbox/faucet-button.tsx';
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
import {
  type AmountLimits,
  amountAt,
  positionOf,
  readAmount,
  SLIDER_STEPS,
  ticksOf,
} from './amount-limits.ts';
import styles from './stake-form.module.css';

/** What the wallet lacks, and how to get it. */
const FundingNotice = ({ walletAddress, limits }: { walletAddress: string; limits: AmountLimits }) => {
  const needed = limits.minimumLamports + limits.reserveLamports;
  return (
    <Notice
      tone="info"
      title="Not enough SOL to stake"
      actions={isSandbox ? <FaucetButton walletAddress={walletAddress} kind="primary" /> : undefined}
    >
      {isSandbox ? (
        `The faucet gives sandbox SOL for free; ${solText(needed)} SOL is enough for a first stake.`
      ) : (
        <>
          Send at least {solText(needed)} SOL to <Address address={walletAddress} what="wallet address" />.
        </>
      )}
    </Notice>
  );
};

/** `limits` null: still loading. */
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
  const inputId = useId();
  const { lamports, problem } = readAmount(text, limits);
  const rentLamports = limits?.rentLamports ?? null;
  const available = limits?.availableLamports ?? null;
  const isPoor = limits !== null && available !== null && available < limits.minimumLamports;
  const ready = lamports !== null && problem === null && limits !== null && walletAddress !== null;
  const left =
    balance.data === undefined || lamports === null || problem !== null
      ? null
      : lamportsOf(balance.data.sol) - lamports;
  const begin = (): void => {
    if (walletAddress === null) openConnectDialog();
    else if (lamports !== null) void flow.begin({ kind: 'stake', walletAddress, amountLamports: lamports });
  };
  return (
    <Card
      title={<label htmlFor={inputId}>Stake SOL</label>}
      actions={
        <span className={styles.balance}>
          {balance.data && (
            <>
              Balance <Sol amount={balance.data.sol} />
            </>
          )}
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
        <LoadError resource={balance} what="Your balance" />
        <AmountField
          labelledAs={inputId}
          value={text}
          onChange={onText}
          problem={isPoor ? null : problem}
          hint={limits && `At least ${solText(limits.minimumLamports)} SOL`}
          action={
            available !== null &&
            !isPoor && (
              <Button size="s" onClick={() => onText(solField(available))}>
                Max
              </Button>
            )
          }
        />
        <div>
          <Slider
            label="Amount to stake"
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
                  aria-label={`Stake ${solText(tick.lamports)} SOL${available === null ? '' : `, ${tick.label} of what you can stake`}`}
                  aria-pressed={tick.lamports === lamports}
                  onClick={() => onText(solField(tick.lamports))}
                >
                  {tick.label}
                </button>
              ))}
          </div>
        </div>
        <Rows>
          <Row label="Earns rewards">
            {lamports === null || rentLamports === null || lamports <= rentLamports ? (
              '–'
            ) : (
              <Sol amount={lamports - rentLamports} />
            )}
          </Row>
          <Row label="Rent, returned when you withdraw">
            <Sol amount={rentLamports} />
          </Row>
          {left !== null && (
            <Row label="Left in wallet">
              <Sol amount={left} />
            </Row>
          )}
        </Rows>
        {walletAddress === null ? (
          <Button kind="primary" size="l" wide type="submit" icon="wallet">
            Connect wallet to stake
          </Button>
        ) : (
          <Button
            kind={isDiscouraged ? 'quiet' : 'primary'}
            size="l"
            wide
            type="submit"
            disabled={!ready}
            busy={isUnderWay(step)}
          >
            {isDiscouraged ? 'Stake anyway' : 'Review stake'}
          </Button>
        )}
      </form>
    </Card>
  );
};

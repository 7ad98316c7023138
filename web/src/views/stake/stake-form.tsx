// The form for the amount to stake with its limits, and the next step: connect, fund, or review.
import { formatSol } from '../../../../src/domain/lamports.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useBalance } from '../../api/reads.ts';
import { isUnderWay } from '../../flow/flow-state.ts';
import { flow, useFlow } from '../../flow/use-page-flow.ts';
import { FaucetButton } from '../../sandbox/faucet-button.tsx';
import { isSandbox } from '../../state/cluster.ts';
import { solShort, solText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { AmountField } from '../../ui/controls/amount-field.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Slider } from '../../ui/controls/slider.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { openConnectDialog } from '../../wallet/wallet-button.tsx';
import { type AmountLimits, amountAt, positionOf, readAmount, SLIDER_STEPS } from './amount-limits.ts';
import styles from './stake-form.module.css';

const SHARES = [25, 50, 75] as const;

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
  const { lamports, problem } = readAmount(text, limits);
  const rentLamports = limits?.rentLamports ?? null;
  const available = limits?.availableLamports ?? null;
  const isPoor = limits !== null && available !== null && available < limits.minimumLamports;
  const ready = lamports !== null && problem === null && limits !== null && walletAddress !== null;
  const begin = (): void => {
    if (walletAddress === null) openConnectDialog();
    else if (lamports !== null) void flow.begin({ kind: 'stake', walletAddress, amountLamports: lamports });
  };
  return (
    <Card title="Amount" note="Moves to a stake account that only your wallet controls">
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
          label="Stake"
          value={text}
          onChange={onText}
          problem={isPoor ? null : problem}
          hint={limits && `At least ${solText(limits.minimumLamports)} SOL`}
          end={balance.data && `Balance ${solShort(balance.data.sol)} SOL`}
          action={
            available !== null &&
            !isPoor && (
              <Button size="s" onClick={() => onText(formatSol(available))}>
                Max
              </Button>
            )
          }
        />
        <Slider
          label="Amount to stake"
          steps={SLIDER_STEPS}
          value={limits === null ? 0 : positionOf(lamports, limits)}
          text={`${text === '' ? '0' : text} SOL`}
          onChange={(position) => limits !== null && onText(amountAt(position, limits))}
          disabled={limits === null || isPoor}
        />
        {available !== null && !isPoor && (
          <div className={styles.shares}>
            {SHARES.map((share) => (
              <Button
                key={share}
                size="s"
                aria-label={`Stake ${share} percent of what is free`}
                onClick={() => {
                  const part = (available * BigInt(share)) / 100n;
                  onText(formatSol(part < limits!.minimumLamports ? limits!.minimumLamports : part));
                }}
              >
                {share}%
              </Button>
            ))}
          </div>
        )}
        <Rows>
          <Row label="Delegated, earns rewards">
            {lamports === null || rentLamports === null || lamports <= rentLamports
              ? '–'
              : `${solText(lamports - rentLamports)} SOL`}
          </Row>
          <Row label="Rent, returned when you withdraw">
            {rentLamports === null ? '–' : `${solText(rentLamports)} SOL`}
          </Row>
          <Row label="Stays in your wallet for fees">
            {limits === null ? '–' : `${solText(limits.reserveLamports)} SOL`}
          </Row>
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

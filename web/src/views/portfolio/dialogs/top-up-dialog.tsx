// A dialog to add SOL to a stake that is still activating. It becomes active with the rest.
import { useState } from 'react';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { useBalance } from '../../../api/shared-reads.ts';
import { flow } from '../../../flow/use-page-flow.ts';
import { lamportsOf, solField, solText } from '../../../text/format-figures.ts';
import { AmountField } from '../../../ui/controls/amount-field.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import styles from './amount-dialog.module.css';
import { mostTopUp, readTopUp, rentOfTopUp } from './top-up-limits.ts';

export const TopUpDialog = ({
  account,
  walletAddress,
  onClose,
}: {
  account: StakeAccount;
  walletAddress: string;
  onClose: () => void;
}) => {
  const balance = useBalance(walletAddress);
  const [text, setText] = useState('');
  const available = balance.data === undefined ? null : lamportsOf(balance.data.availableToStake);
  const limits = {
    rentLamports: lamportsOf(account.rentReserveSol),
    minimumStakeLamports: lamportsOf(balance.data?.minimumStakeSol ?? 0),
  };
  const most = available === null ? null : mostTopUp(available, limits);
  const { lamports, problem } = readTopUp(text, { availableLamports: available, ...limits });
  const rentLamports = lamports === null ? 0n : rentOfTopUp(lamports, limits);
  const review = (): void => {
    if (lamports === null || available === null) return;
    onClose();
    void flow.begin({
      kind: 'rearrange',
      goal: 'top-up',
      walletAddress,
      amountLamports: lamports,
      stakeAccountAddress: account.address,
    });
  };
  return (
    <Dialog
      title="Add stake"
      size="s"
      place="side"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={lamports === null || available === null} onClick={review}>
            Review adding stake
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          review();
        }}
      >
        <AmountField
          label="Add"
          value={text}
          onChange={setText}
          problem={problem}
          hint={most !== null && `Up to ${solText(most)} SOL`}
          action={
            most !== null &&
            most > 0n && (
              <Button size="s" onClick={() => setText(solField(most))}>
                Max
              </Button>
            )
          }
        />
        <LoadError resource={balance} what="Your balance" />
        <Rows>
          <Row label="In the stake account afterwards">
            {lamports === null ? '–' : `${solText(BigInt(account.lamports) + lamports)} SOL`}
          </Row>
        </Rows>
        <p className={styles.next}>
          All of it is staked and becomes active when this epoch ends.
          {rentLamports > 0n &&
            ` A new account keeps ${solText(rentLamports)} SOL of rent. You can withdraw that afterwards.`}
        </p>
      </form>
    </Dialog>
  );
};

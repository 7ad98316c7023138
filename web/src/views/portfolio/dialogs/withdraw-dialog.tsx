// A dialog to withdraw everything, which closes the account, or a part.
import { useState } from 'react';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { flow } from '../../../flow/use-page-flow.ts';
import { solField, solText } from '../../../text/format-figures.ts';
import { AmountField } from '../../../ui/controls/amount-field.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Choice } from '../../../ui/controls/tabs.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import styles from './amount-dialog.module.css';
import { readPart, withdrawLimits } from './withdraw-limits.ts';

const HOW = [
  { value: 'all', label: 'Everything' },
  { value: 'part', label: 'A part' },
] as const;

/** The limits follow the account while the dialog is open. */
export const WithdrawDialog = ({
  account,
  walletAddress,
  onClose,
}: {
  account: StakeAccount;
  walletAddress: string;
  onClose: () => void;
}) => {
  const limits = withdrawLimits(account);
  const { allLamports, mostPartLamports } = limits;
  const [how, setHow] = useState<'all' | 'part'>(allLamports === null ? 'part' : 'all');
  const [text, setText] = useState(allLamports === null ? solField(mostPartLamports) : '');
  const whole = how === 'all' && allLamports !== null;
  const { lamports: part, problem } = readPart(text, limits);
  const lamports = whole ? allLamports : part;
  const review = (): void => {
    if (lamports === null) return;
    onClose();
    void flow.begin({
      kind: 'withdraw',
      walletAddress,
      stakeAccountAddress: account.address,
      ...(whole ? {} : { amountLamports: lamports }),
    });
  };
  return (
    <Dialog
      title="Withdraw"
      size="s"
      place="side"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={lamports === null} onClick={review}>
            Review withdrawal
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
        {allLamports !== null && <Choice label="How much" tabs={HOW} value={how} onChange={setHow} />}
        {!whole && (
          <AmountField
            label="Withdraw"
            value={text}
            onChange={setText}
            problem={problem}
            hint={`Up to ${solText(mostPartLamports)} SOL`}
            action={
              <Button size="s" onClick={() => setText(solField(mostPartLamports))}>
                Max
              </Button>
            }
          />
        )}
        <Rows>
          <Row label="Arrives in your wallet at once">
            {lamports === null ? '–' : `${solText(lamports)} SOL`}
          </Row>
          <Row label="Stays in the stake account">
            {lamports === null ? '–' : `${solText(BigInt(account.lamports) - lamports)} SOL`}
          </Row>
        </Rows>
        <p className={styles.next}>
          {whole
            ? 'The stake account closes and its rent is returned too.'
            : allLamports === null
              ? 'Your stake stays staked and keeps earning.'
              : 'The account stays open. What remains in it earns nothing.'}
        </p>
      </form>
    </Dialog>
  );
};

// A dialog to keep a part of a deactivating stake staked. The rest continues to deactivate in a new account.
import { useState } from 'react';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { flow } from '../../../flow/use-page-flow.ts';
import { lamportsOf, solField, solText } from '../../../text/format-figures.ts';
import { readSol } from '../../../text/read-sol.ts';
import { AmountField } from '../../../ui/controls/amount-field.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import styles from './amount-dialog.module.css';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

export const KeepPartDialog = ({
  account,
  walletAddress,
  onClose,
}: {
  account: StakeAccount;
  walletAddress: string;
  onClose: () => void;
}) => {
  const [text, setText] = useState('');
  const most = lamportsOf(account.deactivatingSol);
  const read = readSol(text);
  const isTooMuch = read.lamports !== null && read.lamports > most;
  const problem =
    read.lamports === 0n
      ? say('moreThanZero')
      : isTooMuch
        ? say('deactivatingIs', { amount: solText(most) })
        : read.problem;
  const lamports = read.lamports === 0n || isTooMuch ? null : read.lamports;
  const review = (): void => {
    if (lamports === null) return;
    onClose();
    void flow.begin({
      kind: 'rearrange',
      goal: 'undo',
      walletAddress,
      amountLamports: lamports,
      stakeAccountAddress: account.address,
    });
  };
  return (
    <Dialog
      title={say('keepPart')}
      size="s"
      place="side"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button kind="primary" disabled={lamports === null} onClick={review}>
            {say('reviewKeeping')}
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
          label={say('keepStaked')}
          value={text}
          onChange={setText}
          problem={problem}
          hint={say('upTo', { amount: solText(most) })}
          action={
            <Button size="s" onClick={() => setText(solField(most))}>
              {say('max')}
            </Button>
          }
        />
        <Rows>
          <Row label={say('stillDeactivates')}>
            {lamports === null ? '–' : say('amountSol', { amount: solText(most - lamports) })}
          </Row>
        </Rows>
        <p className={styles.next}>{say('keepPartText')}</p>
      </form>
    </Dialog>
  );
};

// A dialog to keep part of a deactivating stake staked. The rest continues to deactivate in a new account.
import { useState } from 'react';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { flow } from '../../../flow/use-page-flow.ts';
import { lamportsOf, solText } from '../../../text/format-figures.ts';
import { readSol } from '../../../text/read-sol.ts';
import { Row, Rows } from '../../../ui/stat.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import { AmountDialog } from './amount-dialog.tsx';
import { LimitedAmountField } from './limited-amount-field.tsx';

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
  const begin =
    lamports === null
      ? null
      : () =>
          void flow.begin({
            kind: 'rearrange',
            goal: 'undo',
            walletAddress,
            amountLamports: lamports,
            stakeAccountAddress: account.address,
          });
  return (
    <AmountDialog
      title={say('undoPart')}
      review={say('reviewUndo')}
      begin={begin}
      next={say('keepPartText')}
      onClose={onClose}
    >
      <LimitedAmountField
        label={say('staysStaked')}
        value={text}
        onChange={setText}
        problem={problem}
        most={most}
      />
      <Rows>
        <Row label={say('stillDeactivates')}>
          {lamports === null ? '–' : say('amountSol', { amount: solText(most - lamports) })}
        </Row>
      </Rows>
    </AmountDialog>
  );
};

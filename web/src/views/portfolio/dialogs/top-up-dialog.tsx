// A dialog to add SOL to a stake that is still activating. The added SOL becomes active with the rest.
import { useState } from 'react';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { useBalance } from '../../../api/shared-reads.ts';
import { flow } from '../../../flow/use-page-flow.ts';
import { lamportsOf, solText } from '../../../text/format-figures.ts';
import { Row, Rows } from '../../../ui/stat.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import { AmountDialog } from './amount-dialog.tsx';
import { LimitedAmountField } from './limited-amount-field.tsx';
import { mostTopUp, readTopUp, rentOfTopUp } from './top-up-limits.ts';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

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
  const begin =
    lamports === null
      ? null
      : () =>
          void flow.begin({
            kind: 'rearrange',
            goal: 'top-up',
            walletAddress,
            amountLamports: lamports,
            stakeAccountAddress: account.address,
          });
  return (
    <AmountDialog
      title={say('addStake')}
      review={say('reviewAdding')}
      begin={begin}
      next={rentLamports > 0n ? say('allStakedRent', { rent: solText(rentLamports) }) : say('allStaked')}
      onClose={onClose}
    >
      <LimitedAmountField label={say('add')} value={text} onChange={setText} problem={problem} most={most} />
      <LoadError resource={balance} what={say('yourBalance')} />
      <Rows>
        <Row label={say('inAccountAfterwards')}>
          {lamports === null
            ? '–'
            : say('amountSol', { amount: solText(BigInt(account.lamports) + lamports) })}
        </Row>
      </Rows>
    </AmountDialog>
  );
};

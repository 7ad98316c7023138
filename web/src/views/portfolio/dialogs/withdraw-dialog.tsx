// A dialog to withdraw a part, or everything, which closes the account.
import { useState } from 'react';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { flow } from '../../../flow/use-page-flow.ts';
import { solField } from '../../../text/format-figures.ts';
import { TabStyledChoice } from '../../../ui/controls/tabs.tsx';
import { Sol } from '../../../ui/sol.tsx';
import { Row, Rows } from '../../../ui/stat.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import { AmountDialog } from './amount-dialog.tsx';
import { LimitedAmountField } from './limited-amount-field.tsx';
import { readPart, withdrawLimits } from './withdraw-limits.ts';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

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
  const begin =
    lamports === null
      ? null
      : () =>
          void flow.begin({
            kind: 'withdraw',
            walletAddress,
            stakeAccountAddress: account.address,
            ...(whole ? {} : { amountLamports: lamports }),
          });
  const choices = [
    { value: 'all', label: say('everything') },
    { value: 'part', label: say('aPart') },
  ] as const;
  return (
    <AmountDialog
      title={say('withdraw')}
      review={say('reviewWithdrawal')}
      begin={begin}
      next={say(whole ? 'accountCloses' : allLamports === null ? 'stakeStays' : 'accountStays')}
      onClose={onClose}
    >
      {allLamports !== null && (
        <TabStyledChoice label={say('howMuch')} tabs={choices} value={how} onChange={setHow} />
      )}
      {!whole && (
        <LimitedAmountField
          label={say('withdraw')}
          value={text}
          onChange={setText}
          problem={problem}
          most={mostPartLamports}
        />
      )}
      <Rows>
        <Row label={say('arrives')}>
          <Sol amount={lamports} />
        </Row>
        <Row label={say('stays')}>
          <Sol amount={lamports === null ? null : BigInt(account.lamports) - lamports} />
        </Row>
      </Rows>
    </AmountDialog>
  );
};

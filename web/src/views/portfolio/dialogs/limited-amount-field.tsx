// A field for an amount with a maximum, and a button that fills in the maximum.
import { solField, solText } from '../../../text/format-figures.ts';
import { AmountField } from '../../../ui/controls/amount-field.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** `most` is null while the maximum is unknown. */
export const LimitedAmountField = ({
  label,
  value,
  onChange,
  problem,
  most,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  problem: string | null;
  most: bigint | null;
}) => (
  <AmountField
    label={label}
    value={value}
    onChange={onChange}
    problem={problem}
    hint={most !== null && say('upTo', { amount: solText(most) })}
    action={
      most !== null &&
      most > 0n && (
        <Button size="s" onClick={() => onChange(solField(most))}>
          {say('max')}
        </Button>
      )
    }
  />
);

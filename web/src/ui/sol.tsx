// An amount of SOL: short in the text, exact on hover and in copies.
import { exactSol, solShort } from '../text/format-figures.ts';

/** `amount` is SOL as a number or lamports as a bigint; null for unknown. `unit` false omits the word SOL. */
export const Sol = ({
  amount,
  unit = true,
  sign = '',
}: {
  amount: number | bigint | null;
  unit?: boolean;
  sign?: '+' | '';
}) => {
  const after = unit ? ' SOL' : '';
  if (amount === null) return <>{solShort(null)}</>;
  const [short, exact] = [solShort(amount), exactSol(amount)];
  return short === exact ? (
    <>
      {sign}
      {exact}
      {after}
    </>
  ) : (
    <>
      <span title={`${sign}${exact} SOL`} data-exact={sign + exact}>
        {sign}
        {short}
      </span>
      {after}
    </>
  );
};

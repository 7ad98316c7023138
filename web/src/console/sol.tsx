// An amount of SOL: short on screen, exact on hover.
import { lamportsOf, solShort, solText } from '../text/format-figures.ts';

/** A dash for unknown. */
export const Sol = ({ sol }: { sol: number | bigint | null }) =>
  sol === null ? (
    '–'
  ) : (
    <span title={`${solText(typeof sol === 'bigint' ? sol : lamportsOf(sol))} SOL`}>{solShort(sol)} SOL</span>
  );

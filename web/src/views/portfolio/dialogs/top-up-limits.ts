// How much can be added to a stake that is still activating, and why not more or less.
import { solText } from '../../../text/format-figures.ts';
import { type ReadSol, readSol } from '../../../text/read-sol.ts';
import { type CoolingAccount, isOwnHere } from '../accounts/possible-actions.ts';

/** True while more can become active together with this stake. */
export const canTopUp = (
  account: CoolingAccount & { readonly activeSol: number; readonly lockup: unknown },
  where: Parameters<typeof isOwnHere>[1] & { readonly rewardsActive: boolean },
): boolean =>
  isOwnHere(account, where) &&
  account.state === 'activating' &&
  account.activeSol === 0 &&
  account.lockup === null &&
  !where.rewardsActive;

/** An amount as typed; `problem` says why it cannot be added. `availableLamports` null: not known yet. */
export const readTopUp = (
  text: string,
  { availableLamports, rentLamports }: { availableLamports: bigint | null; rentLamports: bigint },
): ReadSol => {
  const read = readSol(text);
  const { lamports } = read;
  if (lamports === null) return read;
  const wrong = (problem: string) => ({ lamports: null, problem });
  // It passes through an account of its own, which must hold its rent.
  if (lamports < rentLamports) return wrong(`The smallest amount is ${solText(rentLamports)} SOL.`);
  if (availableLamports !== null && lamports > availableLamports)
    return wrong(`Your wallet has ${solText(availableLamports)} SOL to stake.`);
  return read;
};

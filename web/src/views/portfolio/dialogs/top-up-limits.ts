// Computes the limits of the amount that can be added to an activating stake, with reasons.
import { solText } from '../../../text/format-figures.ts';
import { type ReadSol, readSol } from '../../../text/read-sol.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';
import { type CoolingAccount, isOwnHere } from '../accounts/possible-actions.ts';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** True while added SOL can become active together with this stake. */
export const canTopUp = (
  account: CoolingAccount & { readonly activeSol: number; readonly lockup: unknown },
  where: Parameters<typeof isOwnHere>[1] & { readonly rewardsActive: boolean },
): boolean =>
  isOwnHere(account, where) &&
  account.state === 'activating' &&
  account.activeSol === 0 &&
  account.lockup === null &&
  !where.rewardsActive;

interface TopUpLimits {
  /** Null if not known yet. */
  readonly availableLamports: bigint | null;
  readonly rentLamports: bigint;
  /** Minimum for a separate stake, including the rent-exempt minimum. */
  readonly minimumStakeLamports: bigint;
}

/**
 * Returns the rent of the account that a small amount needs: amounts below the minimum are moved through a new
 * account, which keeps its rent.
 */
export const rentOfTopUp = (
  lamports: bigint,
  { rentLamports, minimumStakeLamports }: Omit<TopUpLimits, 'availableLamports'>,
): bigint => (lamports < minimumStakeLamports ? rentLamports : 0n);

/** Returns the maximum that can be added. */
export const mostTopUp = (
  availableLamports: bigint,
  limits: Omit<TopUpLimits, 'availableLamports'>,
): bigint => {
  const most = availableLamports - rentOfTopUp(availableLamports, limits);
  return most > 0n ? most : 0n;
};

/** Parses a typed amount; `problem` explains why it cannot be added. */
export const readTopUp = (text: string, { availableLamports, ...limits }: TopUpLimits): ReadSol => {
  const read = readSol(text);
  const { lamports } = read;
  if (lamports === null) return read;
  const wrong = (problem: string) => ({ lamports: null, problem });
  if (availableLamports === null) return read;
  if (lamports > availableLamports) return wrong(say('walletHas', { amount: solText(availableLamports) }));
  const rentLamports = rentOfTopUp(lamports, limits);
  if (lamports + rentLamports > availableLamports)
    return wrong(say('walletHasRent', { amount: solText(availableLamports), rent: solText(rentLamports) }));
  return read;
};

// Changes over several accounts that are worth a line above the list, each done with one button.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import type { GoalName } from '../../../../../src/domain/plan/plan-goals.ts';
import { lamportsOf, solText } from '../../../text/format-figures.ts';

/** A line: why, and what its button says. */
interface SuggestedChange {
  readonly goal: GoalName;
  readonly text: string;
  readonly button: string;
}

/** The parts of an account that decide. */
export type ChangeableAccount = Pick<
  StakeAccount,
  | 'role'
  | 'state'
  | 'lamports'
  | 'withdrawReady'
  | 'withdrawableSol'
  | 'activatingSol'
  | 'stakeAuthority'
  | 'lockup'
  | 'voteAccount'
  | 'rentReserveSol'
>;

/** So many withdrawals fit into one transaction. */
const MOST_WITHDRAWALS = 20;
/** Less idle SOL than this is not worth a line; tips of one epoch often are. */
const LEAST_IDLE_LAMPORTS = 10_000_000n;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** The lines, the most urgent first; empty while the Stake program accepts no instructions. */
export const suggestedChanges = (
  accounts: readonly ChangeableAccount[],
  {
    walletAddress,
    validatorVoteAccount,
    rewardsActive,
  }: { walletAddress: string; validatorVoteAccount: string; rewardsActive: boolean },
): readonly SuggestedChange[] => {
  if (rewardsActive) return [];
  const own = accounts.filter(({ role }) => role === 'owner');
  const ready = own.filter(({ withdrawReady }) => withdrawReady);
  const mergeable = own.filter(
    ({ state, activatingSol, lockup, stakeAuthority, voteAccount }) =>
      state === 'active' &&
      activatingSol === 0 &&
      lockup === null &&
      stakeAuthority === walletAddress &&
      voteAccount === validatorVoteAccount,
  );
  const idle = own.filter(({ withdrawReady, withdrawableSol }) => !withdrawReady && withdrawableSol > 0);
  const idleLamports = sum(idle.map(({ withdrawableSol }) => lamportsOf(withdrawableSol)));
  const lines: SuggestedChange[] = [];
  if (ready.length > 1)
    lines.push({
      goal: 'withdraw-all',
      text: `${ready.length} accounts have cooled down.${ready.length <= MOST_WITHDRAWALS ? ' One signature is enough for all of them.' : ''}`,
      button: `Withdraw all ${solText(sum(ready.map(({ lamports }) => BigInt(lamports))), 4)} SOL`,
    });
  if (idle.length > 1 && idleLamports >= LEAST_IDLE_LAMPORTS)
    lines.push({
      goal: 'sweep',
      text: `${solText(idleLamports, 4)} SOL lies idle in ${idle.length} accounts. It earns nothing there.`,
      button: 'Withdraw idle SOL',
    });
  if (mergeable.length > 1) {
    const rent = sum(mergeable.slice(1).map(({ rentReserveSol }) => lamportsOf(rentReserveSol)));
    lines.push({
      goal: 'tidy',
      text: `${mergeable.length} active accounts can become one. ${solText(rent, 4)} SOL of rent comes back.`,
      button: 'Tidy up',
    });
  }
  return lines;
};

// What the command line does with stake, one entry a kind: its help, its arguments, and the words in which it is shown before it is signed.
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import type { RequestKind, StakingRequest } from '../../client/staking/staking-request.ts';
import type { Prepared } from '../../client/staking/submit-and-wait.ts';
import { readAmount } from '../amount-argument.ts';
import type { Command } from '../command.ts';
import { plain } from '../show/plain-text.ts';

/** What a request holds beside its kind and wallet. */
type Members<Kind extends RequestKind> = Omit<
  Extract<StakingRequest, { kind: Kind }>,
  'kind' | 'walletAddress'
>;

/** One thing that can be done. */
interface Act<Kind extends RequestKind> {
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly usage: string;
  readonly takes: Command['takes'];
  /** A further paragraph of the help. */
  readonly details?: string;
  readonly examples: readonly string[];
  /** Throws `UsageError`. */
  readonly request: (args: readonly string[]) => Members<Kind>;
  readonly headline: (prepared: Prepared) => string;
  readonly lines: (prepared: Prepared) => readonly (readonly [string, string])[];
}

const ACCOUNT = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';

const amountOf = ({ verdict }: Prepared): string => `${lamportsToSol(verdict.recognised.lamports ?? 0n)} SOL`;

const accountOf = ({ verdict }: Prepared): string => verdict.recognised.stakeAccount ?? '-';

const found = ({ verdict }: Prepared, name: string): string =>
  plain(verdict.fields.find(({ field }) => field === name)?.found ?? '-');

/** By kind; the commands have the kinds' names. */
export const acts: { readonly [Kind in RequestKind]: Act<Kind> } = {
  stake: {
    summary: 'Stake SOL: a new stake account, controlled by your wallet alone',
    usage: '<amountSol>',
    takes: [1, 1],
    details: 'amountSol is all that leaves the wallet for the stake account, its rent included.',
    examples: ['stake 2.5', 'stake 2.5 --keypair wallet.json --yes --json'],
    request: ([amount]) => ({ amountLamports: solToLamports(readAmount(amount!)) }),
    headline: (prepared) => `Stake ${amountOf(prepared)}`,
    lines: (prepared) => [
      ['into', `${accountOf(prepared)} (a new stake account)`],
      ['validator', prepared.voteAccount],
      ['authorities', 'to unstake and to withdraw: your wallet alone'],
      ['lockup', found(prepared, 'lockup')],
    ],
  },
  unstake: {
    summary: 'Stop earning with a stake account, so that it can be withdrawn',
    usage: '<stakeAccount>',
    takes: [1, 1],
    examples: [`unstake ${ACCOUNT}`],
    request: ([account]) => ({ stakeAccountAddress: account! }),
    headline: () => 'Unstake',
    lines: (prepared) => [
      ['stake account', accountOf(prepared)],
      ['then', 'it cools down, usually until the epoch ends, and can be withdrawn'],
    ],
  },
  withdraw: {
    summary: 'Bring SOL from a stake account back to the wallet',
    usage: '<stakeAccount> [amountSol]',
    takes: [1, 2],
    details: 'Without amountSol everything is withdrawn, which closes the stake account.',
    examples: [`withdraw ${ACCOUNT}`, `withdraw ${ACCOUNT} 0.5`],
    request: ([account, amount]) => ({
      stakeAccountAddress: account!,
      amountLamports: amount === undefined ? undefined : solToLamports(readAmount(amount)),
    }),
    headline: (prepared) => `Withdraw ${amountOf(prepared)}`,
    lines: (prepared) => [
      ['from', accountOf(prepared)],
      ['to', prepared.verdict.recognised.recipient ?? '-'],
    ],
  },
  restake: {
    summary: 'Delegate an inactive stake account again, with all that it holds',
    usage: '<stakeAccount>',
    takes: [1, 1],
    examples: [`restake ${ACCOUNT}`],
    request: ([account]) => ({ stakeAccountAddress: account! }),
    headline: () => 'Stake again',
    lines: (prepared) => [
      ['stake account', accountOf(prepared)],
      ['validator', prepared.voteAccount],
      ['then', 'it becomes active at the next epoch boundary at the earliest'],
    ],
  },
};

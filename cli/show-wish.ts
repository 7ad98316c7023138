// Says in plain words what is about to be signed: every line read from the bytes that were verified, none from the service's word.
import { lamportsToSol } from '../client/sol-amount.ts';
import type { Prepared } from './carry-out.ts';
import { plain } from './plain-text.ts';
import type { Paint } from './style.ts';
import { pairs } from './table.ts';

const headline = ({ wish, verdict }: Prepared): string => {
  const amount = `${lamportsToSol(verdict.recognised.lamports ?? 0n)} SOL`;
  if (wish.kind === 'stake') return `Stake ${amount}`;
  if (wish.kind === 'withdraw') return `Withdraw ${amount}`;
  return 'Unstake';
};

const particulars = ({ wish, verdict, voteAccount }: Prepared): (readonly [string, string] | null)[] => {
  const { recognised, fields } = verdict;
  const found = (name: string): string => plain(fields.find(({ field }) => field === name)?.found ?? '-');
  const stakeAccount = recognised.stakeAccount ?? '-';
  if (wish.kind === 'stake')
    return [
      ['into', `${stakeAccount} (a new stake account)`],
      ['validator', voteAccount],
      ['authorities', 'to unstake and to withdraw: your wallet alone'],
      ['lockup', found('lockup')],
    ];
  if (wish.kind === 'unstake')
    return [
      ['stake account', stakeAccount],
      ['then', 'it cools down, usually until the epoch ends, and can be withdrawn'],
    ];
  return [
    ['from', stakeAccount],
    ['to', recognised.recipient ?? '-'],
  ];
};

/** The lines that a person reads before saying yes. */
export const wishLines = (prepared: Prepared, paint: Paint): string[] => {
  const { wish, verdict, built } = prepared;
  const memo = verdict.fields.find(({ field }) => field === 'memo')?.found;
  return [
    paint('bold', headline(prepared)),
    ...pairs([
      ['  wallet', wish.walletAddress],
      ...particulars(prepared).map((entry) => entry && ([`  ${entry[0]}`, entry[1]] as const)),
      ['  network fee', `${lamportsToSol(verdict.networkFeeLamports)} SOL`],
      memo ? ['  memo', `"${plain(memo)}"`] : null,
    ]),
    `${paint('green', '✓')} checked on this machine: it does this and nothing else`,
    ...built.warnings.map((warning) => `${paint('yellow', '!')} ${plain(warning)}`),
  ];
};

// Says in plain words what is about to be signed: every line read from the bytes that were verified, none from the service's word.
import { lamportsToSol } from '../client/sol-amount.ts';
import type { RequestKind } from '../client/staking/staking-request.ts';
import type { Prepared } from '../client/staking/submit-and-wait.ts';
import { plain } from './plain-text.ts';
import type { Paint } from './style.ts';
import { pairs } from './table.ts';

interface Words {
  readonly headline: (amount: string) => string;
  readonly details: (prepared: Prepared) => readonly (readonly [string, string])[];
}

const found = ({ verdict }: Prepared, name: string): string =>
  plain(verdict.fields.find(({ field }) => field === name)?.found ?? '-');

const stakeAccountOf = ({ verdict }: Prepared): string => verdict.recognised.stakeAccount ?? '-';

const words: Readonly<Record<RequestKind, Words>> = {
  stake: {
    headline: (amount) => `Stake ${amount}`,
    details: (prepared) => [
      ['into', `${stakeAccountOf(prepared)} (a new stake account)`],
      ['validator', prepared.voteAccount],
      ['authorities', 'to unstake and to withdraw: your wallet alone'],
      ['lockup', found(prepared, 'lockup')],
    ],
  },
  unstake: {
    headline: () => 'Unstake',
    details: (prepared) => [
      ['stake account', stakeAccountOf(prepared)],
      ['then', 'it cools down, usually until the epoch ends, and can be withdrawn'],
    ],
  },
  withdraw: {
    headline: (amount) => `Withdraw ${amount}`,
    details: (prepared) => [
      ['from', stakeAccountOf(prepared)],
      ['to', prepared.verdict.recognised.recipient ?? '-'],
    ],
  },
};

/** The lines that a person reads before saying yes. */
export const requestLines = (prepared: Prepared, paint: Paint): string[] => {
  const { record, verdict, built } = prepared;
  const { headline, details } = words[record.kind];
  const memo = verdict.fields.find(({ field }) => field === 'memo')?.found;
  return [
    paint('bold', headline(`${lamportsToSol(verdict.recognised.lamports ?? 0n)} SOL`)),
    ...pairs([
      ['  wallet', record.walletAddress],
      ...details(prepared).map(([name, value]) => [`  ${name}`, value] as const),
      ['  network fee', `${lamportsToSol(verdict.networkFeeLamports)} SOL`],
      memo ? ['  memo', `"${plain(memo)}"`] : null,
      ...verdict.recognised.extraInstructions.map(
        ({ program, name, summary }) =>
          ['  also', `${plain(program)} ${plain(name)}: ${plain(summary)}`] as const,
      ),
    ]),
    `${paint('green', '✓')} checked on this machine: it does this and nothing else`,
    ...built.warnings.map((warning) => `${paint('yellow', '!')} ${plain(warning)}`),
  ];
};

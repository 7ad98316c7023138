// Says in plain words what is about to be signed: every line read from the bytes that were verified, none from the service's word.
import { lamportsToSol } from '../../client/sol-amount.ts';
import type { Prepared } from '../../client/staking/submit-and-wait.ts';
import { plain } from '../show/plain-text.ts';
import type { Paint } from '../show/style.ts';
import { pairs } from '../show/table.ts';
import { acts } from './acts.ts';

/** The lines that a person reads before saying yes. */
export const requestLines = (prepared: Prepared, paint: Paint): string[] => {
  const { record, verdict, built } = prepared;
  const { headline, lines } = acts[record.kind];
  const memo = verdict.fields.find(({ field }) => field === 'memo')?.found;
  return [
    paint('bold', headline(prepared)),
    ...pairs([
      ['  wallet', record.walletAddress],
      ...lines(prepared).map(([name, value]) => [`  ${name}`, value] as const),
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

// Says in plain words what is about to be signed: read from the bytes that were verified; what a plan says of the accounts stands apart, as the service's word.
import type { StakePlan } from '../../client/generated/shared-types.ts';
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import type { Prepared } from '../../client/staking/staking-flow.ts';
import { plain } from '../show/plain-text.ts';
import type { Paint } from '../show/style.ts';
import { pairs, table } from '../show/table.ts';
import { words } from './acts.ts';

const side = (account: StakePlan['accounts'][number]['before']): string =>
  account === null ? '-' : `${lamportsToSol(solToLamports(account.sol))} ${plain(account.state)}`;

/** The accounts that change, and what comes when: the bytes do not say it, the service does. */
const planLines = ({ accounts, wallet, cost }: StakePlan): string[] => [
  '',
  'As the service reads the accounts:',
  ...table(
    [{ title: '  STAKE ACCOUNT' }, { title: 'BEFORE', align: 'right' }, { title: 'AFTER', align: 'right' }],
    [
      ...accounts
        .filter(({ before, after }) => side(before) !== side(after))
        .map(({ stakeAccountAddress, before, after }) => [
          `  ${plain(stakeAccountAddress)}`,
          side(before),
          side(after),
        ]),
      ['  wallet', String(wallet.beforeSol), String(wallet.afterSol)],
    ],
  ),
  ...pairs([
    ...wallet.later.map(
      ({ sol, estimatedAt, earliestAt, latestAt }) =>
        [
          '  later',
          `${sol} SOL about ${plain(estimatedAt)} (${plain(earliestAt)} to ${plain(latestAt)})`,
        ] as const,
    ),
    ['  fees', `${cost.feesSol} SOL`],
    cost.rentLockedSol === 0
      ? null
      : cost.rentLockedSol > 0
        ? ['  rent', `${cost.rentLockedSol} SOL, back when the new accounts close`]
        : ['  rent', `${-cost.rentLockedSol} SOL comes free`],
    cost.forgoneSol ? ['  forgone', `about ${cost.forgoneSol} SOL of rewards`] : null,
  ]),
];

/** The lines that a person reads before saying yes. */
export const requestLines = (prepared: Prepared, paint: Paint): string[] => {
  const { record, verdict, built } = prepared;
  const { headline, lines } = words[record.kind];
  const feeLamports = prepared.following.reduce(
    (sum, one) => sum + one.verdict.networkFeeLamports,
    verdict.networkFeeLamports,
  );
  const memo = verdict.fields.find(({ field }) => field === 'memo')?.found;
  return [
    paint('bold', headline(prepared)),
    ...pairs([
      ['  wallet', record.walletAddress],
      ...lines(prepared).map(([name, value]) => [`  ${name}`, value] as const),
      prepared.following.length > 0
        ? ['  transactions', `${1 + prepared.following.length}, signed and sent one after the other`]
        : null,
      ['  network fee', `${lamportsToSol(feeLamports)} SOL`],
      memo ? ['  memo', `"${plain(memo)}"`] : null,
      ...verdict.recognised.extraInstructions.map(
        ({ program, name, summary }) =>
          ['  also', `${plain(program)} ${plain(name)}: ${plain(summary)}`] as const,
      ),
    ]),
    `${paint('green', '✓')} checked on this machine: this is all it does`,
    ...(built.plan === undefined ? [] : planLines(built.plan)),
    ...built.warnings.map((warning) => `${paint('yellow', '!')} ${plain(warning)}`),
  ];
};

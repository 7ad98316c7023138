// Shows the transaction to be signed, based on the verified bytes. The service's data about accounts is shown
// separately.
import type { StakePlan } from '../../client/generated/shared-types.ts';
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import type { Priority } from '../../client/staking/staking-request.ts';
import { movedAmountLines } from '../../client/verifier-request.ts';
import { controlSentences } from '../../src/domain/transaction/control-sentences.ts';
import { priorityFeeLamports } from '../../src/domain/transaction/instruction-fees.ts';
import type { CommandCall } from '../command.ts';
import { formatPairs, formatTable } from '../show/align-columns.ts';
import { readyAt, timeZone } from '../show/format-cells.ts';
import { noticeLines } from '../show/notice-lines.ts';
import { plain } from '../show/plain-text.ts';
import type { Paint } from '../show/terminal-colors.ts';
import { requestWords } from './stake-commands.ts';

const side = (account: StakePlan['accounts'][number]['before']): string =>
  account === null ? '-' : `${lamportsToSol(solToLamports(account.sol))} ${plain(account.state)}`;

/** Lists the changed accounts and dates that `source` reports, because the transaction contains neither. */
const planLines = ({ accounts, wallet, cost }: StakePlan, source: string, nowMs: number): string[] => {
  const unchanged = accounts.filter(({ before, after }) => side(before) === side(after));
  const already = (...states: readonly string[]) =>
    unchanged.filter(({ before }) => before !== null && states.includes(before.state));
  const deactivating = already('deactivating');
  const sumLine = (label: string, found: typeof unchanged): readonly [string, string] | null => {
    const lamports = found.reduce((sum, { before }) => sum + solToLamports(before!.sol), 0n);
    return lamports === 0n ? null : [label, `${lamportsToSol(lamports)} SOL`];
  };
  // Rent of a merged account may stay in the account that remains.
  const arriving = wallet.afterSol + cost.feesSol - wallet.beforeSol;
  const returned = Number(Math.min(arriving, -cost.rentLockedSol).toFixed(9));
  return [
    '',
    `The balances of your accounts before and after, according to ${source}${wallet.later.length > 0 ? ` (times in ${timeZone()})` : ''}:`,
    ...formatTable(
      [{ title: '  STAKE ACCOUNT' }, { title: 'BEFORE', align: 'right' }, { title: 'AFTER', align: 'right' }],
      [
        ...accounts
          .filter((account) => !unchanged.includes(account))
          .map(({ stakeAccountAddress, before, after }) => [
            `  ${plain(stakeAccountAddress)}`,
            side(before),
            side(after),
          ]),
        ['  wallet', String(wallet.beforeSol), String(wallet.afterSol)],
      ],
    ),
    ...formatPairs([
      ...wallet.later
        .filter((later) =>
          deactivating.every(({ stakeAccountAddress }) => stakeAccountAddress !== later.stakeAccountAddress),
        )
        .map(
          ({ sol, estimatedAt, earliestAt, latestAt }) =>
            ['  later', `${sol} SOL ready ${readyAt({ estimatedAt, earliestAt, latestAt }, nowMs)}`] as const,
        ),
      sumLine('  already deactivating', deactivating),
      sumLine('  already inactive', already('inactive', 'initialized')),
      ['  fees', `${cost.feesSol} SOL`],
      cost.rentLockedSol > 0
        ? ['  rent', `${cost.rentLockedSol} SOL, returned when the new accounts are closed`]
        : null,
      returned > 0 ? ['  rent', `${returned} SOL is returned`] : null,
      cost.forgoneSol ? ['  forgone', `about ${cost.forgoneSol} SOL of rewards`] : null,
    ]),
  ];
};

/** Lists the combined effects of all transactions on the wallet's SOL. */
const reviewedEffectLines = ({
  record,
  voteAccount,
  effects: { effects },
}: Prepared): readonly (readonly [string, string])[] => {
  const { rentLamports, atRiskLamports } = effects;
  return [
    ...(record.kind === 'rearrange' ? movedAmountLines(effects) : []).map(
      ([name, text]) => [`  ${name}`, text] as const,
    ),
    ...effects.fullyDelegated.map(
      (account) => ['  note', `All of account ${account} will be delegated to ${voteAccount}`] as const,
    ),
    ...(rentLamports > 0n
      ? [
          [
            '  rent',
            record.owner === undefined
              ? `${lamportsToSol(rentLamports)} SOL, returned when the new accounts are closed`
              : `${lamportsToSol(rentLamports)} SOL for new accounts; only the owner can get it back`,
          ] as const,
        ]
      : []),
    // Not shown if it is at most the rent in the line above. It is more if the transactions also close new
    // accounts, whose rent that line omits.
    ...(atRiskLamports > rentLamports
      ? [
          [
            '  at risk',
            `up to ${lamportsToSol(atRiskLamports)} SOL of the rent, if someone else can withdraw or lock the split account`,
          ] as const,
        ]
      : []),
  ];
};

/** Formats the result of the check, with the effects that the transaction does not show. */
const checkedLines = ({ effects: { unknowns } }: Prepared, paint: Paint): string[] =>
  unknowns.length === 0
    ? [`${paint('green', '✓')} checked on this machine: this is all it does`]
    : [
        `${paint('yellow', '!')} checked on this machine, except for what the transaction does not reveal:`,
        ...unknowns.map(({ account, text }) => `    ${account}: ${plain(text)}`),
      ];

/** Sums the priority fees of all transactions. */
export const priorityFeeIn = ({ verdict, following }: Pick<Prepared, 'verdict' | 'following'>): bigint =>
  [verdict, ...following.map((one) => one.verdict)].reduce(
    (sum, { message }) => sum + priorityFeeLamports(message),
    0n,
  );

/** Formats a priority fee with the level or the limit that was requested. Null if there is no fee and none was requested. */
export const priorityFeeText = (lamports: bigint, priority: Priority | undefined): string | null => {
  if (lamports === 0n && (priority === undefined || priority === 'none')) return null;
  const asked =
    priority === undefined
      ? 'not requested'
      : typeof priority === 'string'
        ? priority
        : `at most ${lamportsToSol(BigInt(priority.maxLamports))} SOL`;
  return `${lamportsToSol(lamports)} SOL (${asked})`;
};

/**
 * Instructions that set the priority fee. The list of instructions omits them, because the fee has its own row.
 */
const SETS_PRIORITY_FEE = ['setComputeUnitLimit', 'setComputeUnitPrice'];

/** Names the source of a command's account balances. */
export const sourceOf = ({ values }: Pick<CommandCall, 'values'>): string =>
  values.direct === true ? 'your RPC node' : 'the service';

/** Builds the review that is shown before signing. `source` reported the balances of the accounts. */
export const requestLines = (
  prepared: Prepared,
  paint: Paint,
  source = 'the service',
  nowMs = Date.now(),
): string[] => {
  const { record, verdict, built } = prepared;
  const { headline, lines } = requestWords[record.kind];
  const feeLamports = prepared.following.reduce(
    (sum, one) => sum + one.verdict.networkFeeLamports,
    verdict.networkFeeLamports,
  );
  const priorityLamports = priorityFeeIn(prepared);
  const priorityFee = priorityFeeText(priorityLamports, record.priority);
  const memo = verdict.fields.find(({ field }) => field === 'memo')?.found;
  return [
    paint('bold', headline(prepared)),
    ...formatPairs([
      ['  wallet', record.walletAddress],
      record.owner === undefined ? null : ['  owner', record.owner],
      ...lines(prepared).map(([name, value]) => [`  ${name}`, value] as const),
      prepared.following.length > 0
        ? ['  transactions', `${1 + prepared.following.length}, signed and sent one after the other`]
        : null,
      ...reviewedEffectLines(prepared),
      ['  network fee', `${lamportsToSol(feeLamports - priorityLamports)} SOL`],
      priorityFee === null ? null : ['  priority fee', priorityFee],
      memo ? ['  memo', `"${plain(memo)}"`] : null,
      ...verdict.recognized.extraInstructions
        .filter(
          ({ known, name }) =>
            priorityFee === null || known !== 'compute-budget' || !SETS_PRIORITY_FEE.includes(name),
        )
        .map(
          ({ program, name, summary }) =>
            ['  also', `${plain(program)} ${plain(name)}: ${plain(summary)}`] as const,
        ),
    ]),
    ...controlSentences(verdict.recognized).map(({ text }) => `  ${text}`),
    ...checkedLines(prepared, paint),
    ...(built.plan === undefined ? [] : planLines(built.plan, source, nowMs)),
    ...noticeLines(built.notices ?? [], paint),
  ];
};

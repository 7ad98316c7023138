// Describes the effects of an unsigned transaction or plan: how much arrives or earns, from which accounts,
// when, and at what cost. A model can thus inform its user without reading the structured content.

import { formatSol } from '../../domain/lamports.ts';
import { utcTime } from '../../domain/utc-time.ts';
import {
  counted,
  isMembers,
  lamportsAt,
  listAt,
  type Members,
  plainText,
  textAt,
} from './response-fields.ts';

/** Maximum number of changed accounts in the text. */
const MAX_ACCOUNTS = 10;

const stateOf = (account: unknown): unknown => (isMembers(account) ? account.state : null);

const changedAccounts = (plan: Members): readonly Members[] =>
  listAt(plan, 'accounts').filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));

const sumOf = (accounts: readonly Members[], name: string): bigint =>
  accounts.reduce((sum, account) => sum + lamportsAt(account, name), 0n);

/** Formats a timestamp as readable text. */
export const timeOf = (iso: string): string =>
  Number.isNaN(Date.parse(iso)) ? iso : utcTime(Date.parse(iso));

/** Formats e.g. `5 SOL`, with `in 2 accounts` if there are several. */
const solIn = (accounts: readonly Members[], name: string): string =>
  `${formatSol(sumOf(accounts, name))} SOL${accounts.length === 1 ? '' : ` in ${counted(accounts.length, 'account')}`}`;

/** Returns the accounts that the plan brings into `state`, as they are after the plan. */
const entering = (changed: readonly Members[], state: string): readonly Members[] =>
  changed
    .filter(({ before, after }) => stateOf(after) === state && stateOf(before) !== state)
    .map(({ after }) => after as Members);

/** Returns the lamports by which the plan increases the delegated amount in activating accounts. */
const startsEarning = (changed: readonly Members[]): bigint =>
  changed
    .filter(({ before, after }) => stateOf(after) === 'activating' || stateOf(before) === 'activating')
    .reduce((sum, { before, after }) => {
      const staked = (account: unknown): bigint =>
        stateOf(account) === 'activating' ? lamportsAt(account as Members, 'stakedSol') : 0n;
      return sum + staked(after) - staked(before);
    }, 0n);

/**
 * Returns the lamports that reach the wallet immediately, before fees. Negative if the plan takes SOL from the
 * wallet.
 */
const arrivingLamports = ({ wallet, cost }: Members): bigint =>
  isMembers(wallet) && isMembers(cost)
    ? lamportsAt(wallet, 'afterSol') - lamportsAt(wallet, 'beforeSol') + lamportsAt(cost, 'feesSol')
    : 0n;

const costOf = (plan: Members): string => {
  const { cost } = plan;
  if (!isMembers(cost)) return '';
  const rent = lamportsAt(cost, 'rentLockedSol');
  // Rent of a merged account may stay in the account that remains.
  const arriving = arrivingLamports(plan);
  const returned = arriving < -rent ? arriving : -rent;
  const parts = [
    `${textAt(cost, 'feesSol')} SOL in fees`,
    ...(rent > 0n ? [`${formatSol(rent)} SOL of rent, returned when the account closes`] : []),
    ...(lamportsAt(cost, 'forgoneSol') > 0n ? [`about ${textAt(cost, 'forgoneSol')} SOL of rewards`] : []),
  ];
  return `Costs ${parts.join(', and ')}${returned > 0n ? `; ${formatSol(returned)} SOL of rent comes back` : ''}.`;
};

const movementOf = (plan: Members): string => {
  const lamports = arrivingLamports(plan);
  const rent = isMembers(plan.cost) ? lamportsAt(plan.cost, 'rentLockedSol') : 0n;
  if (lamports > 0n) return `${formatSol(lamports)} SOL arrives in the wallet at once.`;
  // If only rent leaves the wallet, the cost sentence already covers it.
  return lamports < 0n && -lamports !== rent ? `${formatSol(-lamports)} SOL leaves the wallet.` : '';
};

/** Describes what becomes withdrawable later in the accounts that the plan changes, grouped by epoch. */
const laterSentences = ({ wallet }: Members, changed: readonly Members[]): readonly string[] => {
  const isChanged = new Set(changed.map(({ stakeAccountAddress }) => stakeAccountAddress));
  const later = (isMembers(wallet) ? listAt(wallet, 'later') : []).filter(({ stakeAccountAddress }) =>
    isChanged.has(stakeAccountAddress),
  );
  // Avoids `Map.groupBy`, because the packed command line contains this module and must also run on Node
  // versions without it.
  return [...new Set(later.map(({ epoch }) => epoch))].map((one) => {
    const accounts = later.filter(({ epoch }) => epoch === one);
    return `${solIn(accounts, 'sol')} can be withdrawn from about ${timeOf(textAt(accounts[0]!, 'estimatedAt'))}.`;
  });
};

const planSentence = (plan: Members, body: Members): string => {
  const changed = changedAccounts(plan);
  const ready = entering(changed, 'inactive');
  const kept = changed.filter(
    ({ before, after }) => stateOf(before) === 'deactivating' && stateOf(after) === 'active',
  );
  const starts = startsEarning(changed);
  return [
    movementOf(plan),
    ready.length === 0 ? '' : `${solIn(ready, 'sol')} can be withdrawn at once, because it was never active.`,
    ...laterSentences(plan, changed),
    kept.length === 0
      ? ''
      : `${solIn(
          kept.map(({ after }) => after as Members),
          'stakedSol',
        )} stays staked and misses no reward.`,
    starts > 0n ? `${formatSol(starts)} SOL ${startOf(body)}.` : '',
    costOf(plan),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
};

const startOf = ({ epochTiming }: Members): string => {
  const end = isMembers(epochTiming) ? ` about ${timeOf(textAt(epochTiming, 'estimatedEpochEnd'))}` : '';
  return `becomes active at the next epoch boundary${end}, at the earliest`;
};

const balanceOf = (account: unknown, absent: string): string =>
  isMembers(account) ? `${textAt(account, 'sol')} ${textAt(account, 'state')}` : absent;

/** Formats a change of the stake authority; empty if there is none. */
const authorityChange = (before: unknown, after: unknown): string => {
  if (!isMembers(before) || !isMembers(after) || before.stakeAuthority === after.stakeAuthority) return '';
  return `, stake authority ${textAt(before, 'stakeAuthority')} -> ${textAt(after, 'stakeAuthority')}`;
};

/** Returns one line per changed account and per remaining step, which the user must see before signing. */
const planLines = (plan: Members): readonly string[] => {
  const changed = changedAccounts(plan);
  const left = changed.length - MAX_ACCOUNTS;
  return [
    ...changed
      .slice(0, MAX_ACCOUNTS)
      .map(
        ({ stakeAccountAddress, before, after }) =>
          `- ${plainText(stakeAccountAddress)}: ${balanceOf(before, 'new')} -> ${balanceOf(after, 'closed')}${authorityChange(before, after)}`,
      ),
    ...(left > 0 ? [`- and ${left} more in the structured content`] : []),
    ...listAt(plan, 'laterSteps')
      .slice(0, MAX_ACCOUNTS)
      .map(
        (step) =>
          `- afterwards: ${textAt(step, 'action')} ${textAt(step, 'stakeAccountAddress')} from epoch ${textAt(step, 'epoch')}, with a new call`,
      ),
  ];
};

/** Returns the texts of the critical notices, which a user must see before everything else. */
export const criticalTexts = (body: Members): readonly string[] =>
  listAt(body, 'notices')
    .filter(({ severity }) => severity === 'critical')
    .map((one) => textAt(one, 'text'));

/**
 * Returns lines about the effect of a response that contains a plan or an unsigned transaction; empty for
 * other responses.
 */
export const outcomeLines = (body: Members): readonly string[] => {
  if (isMembers(body.plan)) return [planSentence(body.plan, body), ...planLines(body.plan)];
  if (!Object.hasOwn(body, 'transaction') || !Object.hasOwn(body, 'networkFeeSol')) return [];
  // A validator with a critical notice may pay nothing, so an estimate from past epochs would mislead.
  const estimate =
    isMembers(body.rewardsEstimate) && criticalTexts(body).length === 0
      ? `, about ${textAt(body.rewardsEstimate, 'estimatedAnnualSol')} SOL in a full year of earning, at ${textAt(body.rewardsEstimate, 'basedOnApy')}%`
      : '';
  const starts = Object.hasOwn(body, 'delegatedSol')
    ? `${textAt(body, 'delegatedSol')} SOL ${startOf(body)}${estimate}. `
    : '';
  return [`${starts}Costs ${textAt(body, 'networkFeeSol')} SOL in fees.`];
};

/** Fields of such a response whose content is already in these lines. */
export const OUTCOME_FIELDS: readonly string[] = ['plan', 'networkFeeSol', 'delegatedSol', 'rewardsEstimate'];

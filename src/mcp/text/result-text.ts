// Builds the text of a tool's result: one sentence, then the key data, one item per line. The full response is
// in the structured content.
import { formatSol } from '../../domain/lamports.ts';
import { criticalTexts, OUTCOME_FIELDS, outcomeLines, timeOf } from './outcome-text.ts';
import {
  counted,
  isEmpty,
  isMembers,
  lamportsAt,
  listAt,
  type Members,
  plainText,
  textAt,
} from './response-fields.ts';

/** Fields that only programs use, or that the sentence already contains. */
const OMITTED = new Set([
  '_meta',
  'blockhash',
  'currentState',
  'instructions',
  'lastValidBlockHeight',
  'limits',
  'method',
  'notices',
  'nextSteps',
  'security',
  'securityModel',
  'transactionVersion',
  'voteState',
]);

/**
 * Fields that the text shows of nested objects and list entries. The others can be derived from them, or only
 * programs use them.
 */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  epochTiming: ['currentEpoch', 'estimatedEpochEnd'],
  apy: ['totalApy'],
  refusal: ['errorCode', 'nearestBelowSol', 'nearestAboveSol', 'complete', 'shortfallSol'],
  performance: ['voteSuccessRate', 'skipRate', 'uptimePercentage', 'uptimeSamples'],
  voteCreditRank: ['rank', 'total', 'epoch', 'missedCredits', 'avgLatency'],
  history: ['confirmedAt', 'title', 'stakeAccountAddress', 'epoch', 'signature'],
  alerts: [
    ...['type', 'stakeAccountAddress', 'stakeAuthority', 'withdrawAuthority', 'lockup', 'how', 'to'],
    ...['deactivationEpoch', 'undoUntilSlot', 'level', 'explanation', 'folded', 'timestamp'],
    ...['signature', 'signedBy'],
  ],
};

/**
 * Fields shown in a response with `recommendedAction`: the account data that `check_stake_accounts` shows too.
 */
const SHOWN_IN_SUMMARY: Readonly<Record<string, readonly string[]>> = {
  ...SHOWN,
  portfolio: ['activeSol', 'activatingSol', 'deactivatingSol'],
  accounts: [
    'address',
    'sol',
    'state',
    'role',
    'withdrawableSol',
    'estimatedDailyRewardSol',
    'estimatedWithdrawableAt',
    'ifUnstakedNow',
  ],
  ifUnstakedNow: ['at'],
  recommendedAction: ['action', 'reason', 'amountSol', 'endpoint', 'policy'],
};

/** Fields shown in the response of `check_withdraw_ready`. */
const SHOWN_IN_READINESS: Readonly<Record<string, readonly string[]>> = {
  ...SHOWN,
  accounts: ['address', 'sol', 'state', 'withdrawReady', 'estimatedWithdrawableAt', 'ifUnstakedNow'],
  ifUnstakedNow: ['at'],
};

/** True for a field that the text omits: one of `OMITTED`, the usual role, or a sentence as data. */
const isOmitted = (name: string, members: Members): boolean =>
  OMITTED.has(name) ||
  (name === 'role' && members.role === 'owner') ||
  (name === 'reason' && members.errorCode !== undefined) ||
  /(?:[pP]arams|Sentences)$/.test(name) ||
  (name !== 'errorCode' && name.endsWith('Code') && typeof members[name] === 'string');

/** Maximum number of list entries in the text. */
const MAX_ENTRIES = 10;

/** Fields with words of others. The text quotes them, so that they cannot pass as the service's own words. */
const FOREIGN = new Set(['name', 'description', 'website', 'memo']);

/** Formats the value of a field. */
const fieldText = (name: string, value: unknown): string =>
  FOREIGN.has(name) && typeof value === 'string' ? JSON.stringify(value) : plainText(value);

const isPlain = (value: unknown): boolean => !isMembers(value) && !Array.isArray(value);

type Shown = Readonly<Record<string, readonly string[]>>;

/** Formats a value before or after a change. A lockup is also null if there is none. */
const changedValue = (name: string, value: unknown): string =>
  isMembers(value)
    ? Object.entries(value)
        .map(([member, inner]) => `${member} ${plainText(inner)}`)
        .join(' ')
    : isEmpty(value)
      ? `${name === 'lockup' ? 'none or ' : ''}unknown`
      : plainText(value);

/** Formats a changed value as `A -> B`; only once if it stayed the same. */
const changeText = (name: string, { from, to }: Members): string =>
  [...new Set([changedValue(name, from), changedValue(name, to)])].join(' -> ');

/** Formats the fields of `members` on one line. Nested fields become `name.field`; deeper ones are omitted. */
const onOneLine = (of: string, members: Members, shown: Shown, prefix = ''): string =>
  Object.entries(members)
    .filter(
      ([name, value]) => !isEmpty(value) && !isOmitted(name, members) && (shown[of]?.includes(name) ?? true),
    )
    .flatMap(([name, value]) => {
      if (Array.isArray(value))
        return value.length > 0 && value.every(isPlain)
          ? [`${prefix}${name} ${value.map(plainText).join(' ')}`]
          : [];
      if (!isMembers(value)) return [`${prefix}${name} ${fieldText(name, value)}`];
      if (Object.hasOwn(value, 'from') && Object.hasOwn(value, 'to'))
        return [`${prefix}${name} ${changeText(name, value)}`];
      const inner = prefix === '' ? onOneLine(name, value, shown, `${name}.`) : '';
      return inner === '' ? [] : [inner];
    })
    .join(', ');

const listLines = (name: string, items: readonly unknown[], shown: Shown): readonly string[] => {
  if (items.length === 0) return [`${name}: none`];
  const lines = items
    .slice(0, MAX_ENTRIES)
    .map((item) => `- ${isMembers(item) ? onOneLine(name, item, shown) : plainText(item)}`);
  const left = items.length - lines.length;
  return [`${name}:`, ...lines, ...(left > 0 ? [`- and ${left} more in the structured content`] : [])];
};

const factLines = (name: string, value: unknown, shown: Shown): readonly string[] => {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return listLines(name, value, shown);
  if (!isMembers(value)) return [`${name}: ${fieldText(name, value)}`];
  const line = onOneLine(name, value, shown);
  return line === '' ? [] : [`${name}: ${line}`];
};

const lengthAt = (body: Members, name: string): number => (Array.isArray(body[name]) ? body[name].length : 0);

/** Formats the withdrawable amount, and how much of it is idle SOL in listed accounts that stay staked. */
const withdrawableParts = (totals: Members, body: Members): string => {
  const idle = listAt(body, 'accounts')
    .filter(({ role, withdrawableWhen }) => role !== 'staker' && withdrawableWhen === 'not_fixed')
    .reduce((sum, account) => sum + lamportsAt(account, 'withdrawableSol'), 0n);
  const all = lamportsAt(totals, 'withdrawableSol');
  const ofIt = idle === all ? 'all of it' : `${formatSol(idle)} of it`;
  return `${formatSol(all)} withdrawable now${idle === 0n ? '' : ` (${ofIt} idle in accounts that stay staked)`}`;
};

/** Formats the parts of the delegated amount that are activating or deactivating; empty if there are none. */
const changingParts = (totals: Members, body: Members): string => {
  const parts = (['activating', 'deactivating'] as const).flatMap((state) => {
    const inAccounts = listAt(body, 'accounts')
      .filter((account) => account.role !== 'staker' && account.state === state)
      .reduce((sum, account) => sum + lamportsAt(account, 'sol'), 0n);
    const isTotal = Object.hasOwn(totals, `${state}Sol`);
    const lamports = isTotal ? lamportsAt(totals, `${state}Sol`) : inAccounts;
    // A shortened list may omit such accounts.
    const isKnown = isTotal || body.shownCount === body.accountCount;
    return lamports === 0n || !isKnown
      ? []
      : [`${formatSol(lamports)} ${state}${isTotal ? '' : ' with rent'}`];
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
};

/** True if the total includes the balance of the account: it is the wallet's own stake with this validator. */
const isInTotal = ({ role, voteAccount }: Members, { validatorVoteAccount }: Members): boolean =>
  role !== 'staker' && voteAccount === validatorVoteAccount;

/**
 * Formats the totals of a wallet's stake, e.g. `5 SOL in 2 stake accounts (1 active, 1 deactivating): 5
 * delegated, …`.
 */
const stakeTotals = (totals: Members, body: Members): string => {
  const { byState, nextWithdrawal: next } = body;
  const states = isMembers(byState) ? Object.entries(byState) : [];
  const count = isMembers(byState)
    ? states.reduce((sum, [, number]) => sum + Number(number), 0)
    : listAt(body, 'accounts').filter((account) => isInTotal(account, body)).length;
  const others = Number(body.accountCount ?? lengthAt(body, 'accounts')) - count;
  return [
    `${textAt(body, 'totalStakedSol')} SOL in ${counted(count, 'stake account')}`,
    states.length === 0 ? '' : ` (${states.map(([state, number]) => `${number} ${state}`).join(', ')})`,
    `: ${textAt(totals, 'delegatedSol')} delegated${changingParts(totals, body)}, ${withdrawableParts(totals, body)}`,
    isMembers(next) ? `, ${textAt(next, 'sol')} from about ${timeOf(textAt(next, 'estimatedAt'))}` : '',
    others === 0
      ? ''
      : `. Not counted: ${counted(others, 'listed account')} of another owner (role staker) or without stake here`,
  ].join('');
};

/** States the total of the accounts that can be withdrawn completely now, and what becomes withdrawable next. */
const readiness = (body: Members): string => {
  const accounts = listAt(body, 'accounts');
  const solOf = (some: readonly Members[]): string =>
    `${formatSol(some.reduce((sum, account) => sum + lamportsAt(account, 'sol'), 0n))} SOL`;
  const waiting = accounts
    .filter(
      ({ withdrawReady, estimatedWithdrawableAt }) =>
        withdrawReady !== true && !isEmpty(estimatedWithdrawableAt),
    )
    .sort(
      (a, b) =>
        Date.parse(textAt(a, 'estimatedWithdrawableAt')) - Date.parse(textAt(b, 'estimatedWithdrawableAt')),
    );
  const [next] = waiting;
  const at = next && timeOf(textAt(next, 'estimatedWithdrawableAt'));
  const first = waiting.filter((account) => timeOf(textAt(account, 'estimatedWithdrawableAt')) === at);
  return [
    `${textAt(body, 'readyCount')} of ${counted(Number(body.totalAccounts), 'stake account')} can be withdrawn in full now: ${solOf(accounts.filter(({ withdrawReady }) => withdrawReady === true))}.`,
    ...(at === undefined ? [] : [`${solOf(first)} can be withdrawn from about ${at}.`]),
  ].join(' ');
};

/** States which stakes another address controls now, then how many changes are listed. */
const controlText = (body: Members): string => {
  const rescuable = lengthAt(body, 'rescuable');
  return [
    ...(rescuable === 0
      ? []
      : [
          `Another address controls ${counted(rescuable, 'stake')} of this wallet. Unless the owner set this up, call plan_stake_change with goal: rescue to take ${rescuable === 1 ? 'it' : 'them'} back.`,
        ]),
    `${counted(lengthAt(body, 'alerts'), 'control change')} on this page.`,
  ].join(' ');
};

/** Joins the existing texts and ends each with a full stop. */
const inSentences = (texts: readonly unknown[]): string =>
  texts
    .filter((text) => typeof text === 'string')
    .map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
    .join(' ');

const possibleChange = (plan: unknown): string =>
  `This change is possible${isMembers(plan) && !isEmpty(plan.amountSol) ? `: ${textAt(plan, 'amountSol')} SOL` : ''}.`;

/** Formats the yield, or its lower bound while the tips are unknown. */
const yieldOf = (apy: unknown): string => {
  const { totalApy = null, atLeastApy = null } = isMembers(apy) ? apy : {};
  if (totalApy !== null) return `about ${plainText(totalApy)}% per year`;
  return atLeastApy === null
    ? 'no known yield now'
    : `at least ${plainText(atLeastApy)}% per year without tips`;
};

const votingOf = ({ delinquent, voteSuccessRate }: Members): string =>
  isEmpty(delinquent)
    ? 'The validator’s votes could not be read.'
    : delinquent === true
      ? 'The validator does not vote.'
      : `The validator votes${isEmpty(voteSuccessRate) ? '' : `: ${textAt({ voteSuccessRate }, 'voteSuccessRate')}% of its possible vote credits this epoch`}.`;

/** Sentences, each with the field that identifies its kind of response. The first match is used. */
const sentences: readonly (readonly [string, (body: Members) => string])[] = [
  ['errorCode', (body) => inSentences([body.message, body.suggestedAction])],
  [
    'refusal',
    (body) =>
      isMembers(body.refusal)
        ? inSentences([body.refusal.message, body.refusal.suggestedAction])
        : [possibleChange(body.plan), ...outcomeLines(body)].join('\n'),
  ],
  ['message', (body) => [textAt(body, 'message'), ...outcomeLines(body)].join('\n')],
  ['instruction', (body) => textAt(body, 'instruction')],
  ['recommendation', (body) => textAt(body, 'recommendation')],
  [
    'recommendedAction',
    (body) =>
      `${stakeTotals(isMembers(body.portfolio) ? body.portfolio : {}, body)}; ${textAt(body, 'walletBalanceSol')} SOL is in the wallet.`,
  ],
  [
    'totals',
    (body) =>
      `${textAt(body, 'totals', 'inflationSol')} SOL of rewards and ${textAt(body, 'totals', 'tipsSol')} SOL of tips in epochs ${textAt(body, 'fromEpoch')} to ${textAt(body, 'toEpoch')}.`,
  ],
  ['history', (body) => `${counted(lengthAt(body, 'history'), 'transaction')} on this page, newest first.`],
  [
    'readyToStake',
    (body) =>
      `The wallet holds ${textAt(body, 'sol')} SOL; ${textAt(body, 'availableToStake')} SOL can be staked.${criticalTexts(body).length > 0 ? ' Do not stake until the user has read the notice above and still wants to.' : ''}`,
  ],
  ['readyCount', (body) => readiness(body)],
  ['rescuable', controlText],
  ['totalStakedSol', (body) => `${stakeTotals(body, body)}.`],
  [
    'performance',
    (body) =>
      `The validator${isEmpty(body.name) ? '' : ` ${fieldText('name', body.name)}`} pays ${yieldOf(body.apy)} after ${textAt(body, 'commission')}% commission. Stakers: ${textAt(body, 'delegatorCount')}, with ${textAt(body, 'activatedStakeSol')} SOL. ${votingOf(isMembers(body.performance) ? body.performance : {})}`,
  ],
  [
    'totalApy',
    (body) =>
      `Stake earns ${yieldOf(body)}${body.stakingApy === 0 ? ', from tips alone: the validator keeps all inflation rewards' : ''}.`,
  ],
  ['delinquent', votingOf],
  ['cpu', (body) => `The validator runs ${textAt(body, 'software')}.`],
  [
    'estimatedEpochEnd',
    (body) => `Epoch ${textAt(body, 'currentEpoch')} ends about ${textAt(body, 'estimatedEpochEnd')}.`,
  ],
  [
    'sourceHashes',
    () => 'The service reports these hashes of its own code; compare them with the published source.',
  ],
  ['onChainVerification', () => 'These pages and commands show the validator without this service.'],
  ['webhooks', (body) => `${counted(lengthAt(body, 'webhooks'), 'webhook')} on this page.`],
  ['deleted', () => 'Deleted.'],
  [
    'keepLiquidSol',
    (body) =>
      `The policy is ${body.paused === true ? 'paused' : 'active'} and keeps ${textAt(body, 'keepLiquidSol')} SOL in the wallet.`,
  ],
  ['state', (body) => `The transaction is ${textAt(body, 'state')}.`],
  ['description', (body) => textAt(body, 'description')],
];

/** Fields that the text omits if the sentence already contains their values. */
const MAYBE_SAID: readonly string[] = ['message', 'instruction', 'recommendation', 'description'];

/**
 * Returns the fields of an error that its message and suggestion already contain. The message of a validation
 * error already contains its details.
 */
const saidInError = ({ errorCode }: Members): readonly string[] => [
  'error',
  ...(errorCode === 'VALIDATION_ERROR' ? ['details'] : []),
];

/** Totals that the sentence about a wallet's stake already contains. */
const STAKE_TOTALS: readonly string[] = [
  'totalStakedSol',
  'delegatedSol',
  'withdrawableSol',
  'walletBalanceSol',
  'accountCount',
  'byState',
  'nextWithdrawal',
];

/** Returns the fields that the first lines already contain in full. */
const saidIn = (body: Members, sentence: string): readonly string[] => {
  const isError = Object.hasOwn(body, 'errorCode');
  const maybe = isError ? ['message', 'suggestedAction', 'stateDescription', 'withdrawableSol'] : MAYBE_SAID;
  return [
    ...maybe.filter((name) => !isEmpty(body[name]) && sentence.includes(plainText(body[name]))),
    ...(isError ? saidInError(body) : []),
    ...(outcomeLines(body).length > 0 ? OUTCOME_FIELDS : []),
    ...(Object.hasOwn(body, 'totalStakedSol') ? STAKE_TOTALS : []),
    ...(body.shownCount === body.accountCount ? ['shownCount'] : []),
    ...(lengthAt(body, 'warnings') === 0 ? ['warnings'] : []),
  ];
};

/** Lifts the `data` of each alert into the alert, because the text omits deeper fields and repeats none. */
const flatAlerts = (body: Members): Members =>
  Object.hasOwn(body, 'rescuable')
    ? {
        ...body,
        alerts: listAt(body, 'alerts').map(({ data, ...alert }) => ({
          ...alert,
          ...(isMembers(data) && data),
        })),
      }
    : body;

/** Formats the key of unsigned transactions, because a lookup by it misses what was submitted without it. */
const keyLine = (body: Members): readonly string[] =>
  isEmpty(body.transaction) && lengthAt(body, 'transactions') === 0
    ? factLines('idempotencyKey', body.idempotencyKey, {})
    : [`idempotencyKey: ${textAt(body, 'idempotencyKey')} (submit with it, or a lookup by it finds nothing)`];

/**
 * Formats a result as text for models whose client does not pass on structured content. Critical notices come
 * first. `given` is a tool's response with cleaned texts. Lists are truncated to 10 entries.
 */
export const resultText = (given: Members): string => {
  const critical = criticalTexts(given);
  const body =
    critical.length > 0 && Array.isArray(given.warnings)
      ? { ...given, warnings: given.warnings.filter((text) => !critical.includes(text)) }
      : given;
  const sentence = sentences.find(([member]) => Object.hasOwn(body, member))?.[1](body);
  const said = sentence === undefined ? [] : saidIn(body, sentence);
  const shown = Object.hasOwn(body, 'recommendedAction')
    ? SHOWN_IN_SUMMARY
    : Object.hasOwn(body, 'readyCount')
      ? SHOWN_IN_READINESS
      : SHOWN;
  const facts = Object.entries(flatAlerts(body))
    .filter(([name]) => !isOmitted(name, body) && !said.includes(name))
    .flatMap(([name, value]) => (name === 'idempotencyKey' ? keyLine(body) : factLines(name, value, shown)));
  return [...critical, ...(sentence === undefined ? [] : [sentence]), ...facts].join('\n');
};

// The text of a tool's result: one sentence, then the key facts, one per line. The full response is in the
// structured content.
import { isRawJSON } from './clean-text.ts';

type Members = Readonly<Record<string, unknown>>;

/** Fields that only programs use, or that the sentence already contains. */
const OMITTED = new Set([
  '_meta',
  'instructions',
  'limits',
  'method',
  'notices',
  'nextSteps',
  'security',
  'securityModel',
]);

/** True for a field that is not part of the text: one of the fields above, or a sentence as data. */
const isOmitted = (name: string, members: Members): boolean =>
  OMITTED.has(name) ||
  (name === 'reason' && members.errorCode !== undefined) ||
  /(?:[pP]arams|Sentences)$/.test(name) ||
  (name !== 'errorCode' && name.endsWith('Code') && typeof members[name] === 'string');

/** Maximum number of list entries in the text. */
const MAX_ENTRIES = 10;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);

const isPlain = (value: unknown): boolean => !isMembers(value) && !Array.isArray(value);

/** Formats a value on one line. Exact amounts are raw JSON. Texts with line breaks, such as snippets, are quoted. */
const plainText = (value: unknown): string =>
  // JSON would write a few lamports as 1e-9.
  typeof value === 'number' && value !== 0 && Math.abs(value) < 1e-6
    ? value.toFixed(9).replace(/0+$/, '')
    : typeof value === 'string' && !/[\n\r]/.test(value)
      ? value
      : JSON.stringify(value);

const isEmpty = (value: unknown): boolean => value === null || value === undefined;

/** Formats fields on one line. Nested fields become `name.member`; deeper ones are omitted. */
const onOneLine = (members: Members, prefix = ''): string =>
  Object.entries(members)
    .filter(([name, value]) => !isEmpty(value) && !isOmitted(name, members))
    .flatMap(([name, value]) => {
      if (Array.isArray(value))
        return value.length > 0 && value.every(isPlain)
          ? [`${prefix}${name} ${value.map(plainText).join(' ')}`]
          : [];
      if (!isMembers(value)) return [`${prefix}${name} ${plainText(value)}`];
      const inner = prefix === '' ? onOneLine(value, `${name}.`) : '';
      return inner === '' ? [] : [inner];
    })
    .join(', ');

const listLines = (name: string, items: readonly unknown[]): readonly string[] => {
  if (items.length === 0) return [`${name}: none`];
  const lines = items
    .slice(0, MAX_ENTRIES)
    .map((item) => `- ${isMembers(item) ? onOneLine(item) : plainText(item)}`);
  const left = items.length - lines.length;
  return [`${name}:`, ...lines, ...(left > 0 ? [`- and ${left} more in the structured content`] : [])];
};

const factLines = ([name, value]: readonly [string, unknown]): readonly string[] => {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return listLines(name, value);
  if (!isMembers(value)) return [`${name}: ${plainText(value)}`];
  const line = onOneLine(value);
  return line === '' ? [] : [`${name}: ${line}`];
};

const textAt = (body: Members, ...path: readonly string[]): string => {
  const value = path.reduce<unknown>((held, name) => (isMembers(held) ? held[name] : undefined), body);
  return isEmpty(value) ? 'unknown' : plainText(value);
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const lengthAt = (body: Members, name: string): number => (Array.isArray(body[name]) ? body[name].length : 0);

/** Sentences, each with a field that identifies its kind of response. The first match is used. */
const sentences: readonly (readonly [string, (body: Members) => string])[] = [
  [
    'errorCode',
    (body) => [body.message, body.suggestedAction].filter((text) => typeof text === 'string').join(' '),
  ],
  [
    'refusal',
    (body) => (isMembers(body.refusal) ? textAt(body, 'refusal', 'message') : 'This change is possible.'),
  ],
  ['message', (body) => textAt(body, 'message')],
  ['instruction', (body) => textAt(body, 'instruction')],
  ['recommendation', (body) => textAt(body, 'recommendation')],
  [
    'recommendedAction',
    (body) =>
      `${textAt(body, 'totalStakedSol')} SOL is staked and ${textAt(body, 'walletBalanceSol')} SOL is in the wallet.`,
  ],
  [
    'readyToStake',
    (body) =>
      `The wallet holds ${textAt(body, 'sol')} SOL; ${textAt(body, 'availableToStake')} SOL can be staked.`,
  ],
  [
    'readyCount',
    (body) =>
      `${textAt(body, 'readyCount')} of ${textAt(body, 'totalAccounts')} stake accounts have SOL to withdraw now.`,
  ],
  ['rescuable', (body) => `${counted(lengthAt(body, 'alerts'), 'control change')} on this page.`],
  [
    'totalStakedSol',
    (body) =>
      `${textAt(body, 'totalStakedSol')} SOL is staked in ${counted(lengthAt(body, 'accounts'), 'account')}.`,
  ],
  [
    'performance',
    (body) =>
      `${textAt(body, 'name')} pays about ${textAt(body, 'apy', 'totalApy')}% per year after ${textAt(body, 'commission')}% commission.`,
  ],
  ['totalApy', (body) => `Stake earns about ${textAt(body, 'totalApy')}% per year.`],
  [
    'delinquent',
    ({ delinquent }) =>
      delinquent === null
        ? 'The validator’s votes could not be read.'
        : `The validator ${delinquent === true ? 'does not vote' : 'votes'}.`,
  ],
  ['cpu', (body) => `The validator runs ${textAt(body, 'software')}.`],
  [
    'estimatedEpochEnd',
    (body) => `Epoch ${textAt(body, 'currentEpoch')} ends about ${textAt(body, 'estimatedEpochEnd')}.`,
  ],
  [
    'verified',
    (body) =>
      body.verified === true
        ? 'The transaction succeeded and contains this service’s memo.'
        : 'Not verified: the transaction failed or does not contain this service’s memo.',
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

/** Fields that the sentence already contains in full. */
const saidIn = (body: Members): readonly string[] =>
  Object.hasOwn(body, 'errorCode')
    ? ['error', 'message', 'suggestedAction']
    : ['message', 'instruction', 'recommendation'];

/**
 * Formats a result for models whose client does not pass on structured content. `body` is a tool's response
 * with cleaned texts. Lists are cut to 10 entries.
 */
export const resultText = (body: Members): string => {
  const sentence = sentences.find(([member]) => Object.hasOwn(body, member))?.[1](body);
  const said =
    sentence === undefined
      ? []
      : saidIn(body).filter((name) => sentence.includes(String(body[name])) || name === 'error');
  const facts = Object.entries(body)
    .filter(([name]) => !isOmitted(name, body) && !said.includes(name))
    .flatMap(factLines);
  return [...(sentence === undefined ? [] : [sentence]), ...facts].join('\n');
};

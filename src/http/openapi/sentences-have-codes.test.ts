// Tests that every human-readable sentence in a recorded response has a stable code and parameters next to it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import recorded from './recorded-examples.json' with { type: 'json' };

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a text of several words that ends like a sentence. */
const isSentence = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z].* .*[.!?]$/.test(value);

/**
 * Paths of texts written by the operator and of fixed texts. They need no code, because they contain no
 * parameters.
 */
const FIXED = [
  'validatorProfile.description',
  'validatorInfrastructure.redundancy.description',
  'codeIntegrity.',
  'generateWallet.',
  '.security.',
];

/** Maps sentences to the fields of the same object that serve as their code and parameters. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'addressType.description': 'type',
  'walletAlerts.alerts.*.explanation': 'data.patterns, in the same order',
  'intervalMissing.text': 'code and params',
  'apy.method.description': 'staking, jitoMev and secondsPerEpoch',
  'validatorApy.method.description': 'staking, jitoMev and secondsPerEpoch',
};

const isNamed = (path: string): boolean =>
  FIXED.some((one) => path.includes(one)) || Object.keys(NAMED_BY).some((one) => path.endsWith(one));

const codedTexts = (members: Members, name: string): readonly string[] =>
  [members[name === 'warnings' ? 'notices' : `${name}Sentences`]]
    .flat()
    .filter(isMembers)
    .flatMap(({ code, text, params }) =>
      typeof code === 'string' && /^[A-Z][A-Z_\d]*$/.test(code) && isMembers(params) ? [String(text)] : [],
    );

/** Finds the paths of sentences without a code. A list index is `*`. */
const uncoded = (value: unknown, path: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => uncoded(one, `${path}.*`));
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    if (name === '_meta' || name === 'notices' || name.endsWith('Sentences')) return [];
    const texts = [held].flat().filter(isSentence);
    const coded = codedTexts(value, name);
    const isCoded = coded.join(' ') === texts.join(' ') || isNamed(`${path}.${name}`);
    return [
      ...(texts.length === 0 || isCoded ? [] : [`${path}.${name}`]),
      ...uncoded(held, `${path}.${name}`),
    ];
  });
};

test('every sentence of an example has a code', () => {
  assert.deepEqual(
    [...new Set(Object.entries(recorded.responses).flatMap(([name, response]) => uncoded(response, name)))],
    [],
  );
});

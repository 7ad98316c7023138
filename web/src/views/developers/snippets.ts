// Code to copy: the same few calls in every language, filled in with this server's address and a wallet.

import { VERSION } from '../../../../client/version.ts';
import { defineWords } from '../../words/define-words.ts';
import { developersEnglish } from '../../words/en/developers/developers.ts';

const { say } = defineWords('developers', developersEnglish);

/** Languages in the order of the tabs. */
const LANGUAGES = ['curl', 'javascript', 'python', 'client', 'cli'] as const;

/** A language. */
export type Language = (typeof LANGUAGES)[number];

/** Returns the tabs of the languages. */
export const languageTabs = (): readonly { readonly value: Language; readonly label: string }[] => {
  const labels = {
    curl: 'curl',
    javascript: 'JavaScript',
    python: 'Python',
    client: say('typedClient'),
    cli: 'CLI',
  };
  return LANGUAGES.map((value) => ({ value, label: labels[value] }));
};

/** Values to fill into the snippets. `walletAddress` is null if no wallet is connected. */
export interface SnippetValues {
  /** Origin of the service, without trailing slash. */
  readonly origin: string;
  readonly walletAddress: string | null;
}

/** One example. */
interface Snippet {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly code: Readonly<Record<Language, string>>;
}

/** Placeholder for an unknown wallet. */
export const NO_WALLET = 'YOUR_WALLET_ADDRESS';

/** Setup before the first example. */
interface Preparation {
  readonly note: string;
  readonly code?: string;
}

interface Call {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Readonly<Record<string, string | number>>;
  /** Field of the response that the scripts print. */
  readonly shown: string;
  /** Method of the typed client and its input. */
  readonly operation: string;
  readonly input: Readonly<Record<string, string | number>>;
  /** Arguments for the command line. */
  readonly command: string;
}

const callsOf = (wallet: string): readonly Call[] => [
  {
    key: 'epoch',
    title: say('whatEpoch'),
    note: say('whatEpochNote'),
    method: 'GET',
    path: '/api/v1/epoch',
    shown: 'estimatedEpochEnd',
    operation: 'epoch',
    input: {},
    command: 'epoch',
  },
  {
    key: 'summary',
    title: say('summarize'),
    note: say('summarizeNote'),
    method: 'GET',
    path: `/api/v1/stake/summary/${wallet}`,
    shown: 'recommendedAction',
    operation: 'stakingSummary',
    input: { walletAddress: wallet },
    command: `summary ${wallet}`,
  },
  {
    key: 'simulate',
    title: say('project'),
    note: say('projectNote'),
    method: 'POST',
    path: '/api/v1/stake/simulate',
    body: { amountSol: 10, durationDays: 365 },
    shown: 'projections',
    operation: 'simulateStake',
    input: { amountSol: 10, durationDays: 365 },
    command: 'simulate 10',
  },
  {
    key: 'build',
    title: say('build'),
    note: say('buildNote'),
    method: 'POST',
    path: '/api/v1/stake/transaction',
    body: { walletAddress: wallet, amountSol: 2 },
    shown: 'transaction',
    operation: 'createStakeTransaction',
    input: { walletAddress: wallet, amountSol: 2 },
    command: `call createStakeTransaction walletAddress=${wallet} amountSol=2`,
  },
];

const jsObject = (value: object): string =>
  `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${typeof one === 'string' ? `'${one}'` : one}`)
    .join(', ')} }`;

const curl = (origin: string, { method, path, body }: Call): string =>
  method === 'GET'
    ? `curl -sS '${origin}${path}'`
    : `curl -sS -X POST '${origin}${path}' \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`;

const javascript = (origin: string, { method, path, body, shown }: Call): string =>
  [
    method === 'GET'
      ? `const response = await fetch('${origin}${path}');`
      : `const response = await fetch('${origin}${path}', {\n  method: 'POST',\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify(${jsObject(body ?? {})}),\n});`,
    'const answer = await response.json();',
    'if (!response.ok) throw new Error(answer.errorCode + ": " + answer.message);',
    `console.log(answer.${shown});`,
  ].join('\n');

const python = (origin: string, { method, path, body, shown }: Call): string =>
  [
    'import json, urllib.request',
    '',
    ...(method === 'GET'
      ? [`request = urllib.request.Request("${origin}${path}")`]
      : [
          'request = urllib.request.Request(',
          `    "${origin}${path}",`,
          `    data=json.dumps(${JSON.stringify(body)}).encode(),`,
          '    headers={"content-type": "application/json"},',
          ')',
        ]),
    'with urllib.request.urlopen(request) as response:',
    '    answer = json.load(response)',
    `print(answer["${shown}"])`,
  ].join('\n');

const typedClient = (origin: string, { operation, input, shown }: Call): string =>
  [
    "import { createHoldfastClient } from '@holdfast-sol/client';",
    '',
    `const client = createHoldfastClient({ baseUrl: '${origin}' });`,
    `const answer = await client.${operation}(${Object.keys(input).length === 0 ? '' : jsObject(input)});`,
    `console.log(answer.${shown});`,
  ].join('\n');

/** `--no` prevents npx from running a package of that name from a registry. */
const cliLine = (origin: string, command: string): string => `npx --no holdfast ${command} --url ${origin}`;

/** One-time setup by language; languages without setup are absent. */
export const preparations = ({
  origin,
}: SnippetValues): Readonly<Partial<Record<Language, Preparation>>> => ({
  javascript: { note: say('saveAndRun') },
  client: {
    note: say('installClient'),
    code: `npm install ${origin}/client-${VERSION}.tgz`,
  },
  cli: {
    note: say('installCli'),
    code: `npm install ${origin}/holdfast-${VERSION}.tgz`,
  },
});

/** The calls in every language. */
export const makeSnippets = ({ origin, walletAddress }: SnippetValues): readonly Snippet[] =>
  callsOf(walletAddress ?? NO_WALLET).map((call) => ({
    key: call.key,
    title: call.title,
    note: call.note,
    code: {
      curl: curl(origin, call),
      javascript: javascript(origin, call),
      python: python(origin, call),
      client: typedClient(origin, call),
      cli: cliLine(origin, call.command),
    },
  }));

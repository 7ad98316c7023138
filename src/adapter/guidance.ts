// Rewrites the guidance of an answer for the caller's interface: tools, commands, buttons, filled-in paths.
import type { CallSource } from '../domain/call-source.ts';
import { memberWords, NO_BUTTON, phrases } from './guidance-phrases.ts';

/** A route as guidance needs it. */
interface GuidedRoute {
  readonly method: string;
  /** Path template. */
  readonly path: string;
  readonly operation: { readonly name: string };
}

/** What the service has. */
interface GuideParts {
  /** Every route that is served. */
  readonly routes: readonly GuidedRoute[];
  /** Routes that exist but are not served: nothing names them. */
  readonly absent: readonly GuidedRoute[];
  /** The tools that are shown. */
  readonly tools: readonly {
    readonly name: string;
    readonly operation: { readonly name: string };
    readonly instead?: { readonly operation: { readonly name: string } };
  }[];
  /** No trailing slash. */
  readonly publicUrl: () => string;
}

/** Rewrites guidance. */
export interface Guide {
  /** A body with its `_meta`, as `source` reads it. `known` are validated members of the request that fill paths. */
  readonly rewrite: (body: Members, source: CallSource, known: Members) => Members;
}

type Members = Readonly<Record<string, unknown>>;
type Way = 'rest' | 'mcp' | 'cli' | 'page';

const WAY: Readonly<Record<CallSource, Way>> = {
  rest: 'rest',
  client: 'rest',
  actions: 'rest',
  page: 'page',
  cli: 'cli',
  'mcp-stdio': 'mcp',
  mcp: 'mcp',
};

/** A route in a sentence, or a link that is nothing but one. */
const REFERENCE = /(?:(GET|POST|DELETE) )?(\/api\/v1\/[A-Za-z0-9_/{}-]+)/g;
const PLACEHOLDER = /\{(\w+)\}/g;
const PLAIN = /^[\w-]{1,100}$/;

interface Known {
  readonly route: GuidedRoute;
  readonly pattern: RegExp;
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(PLACEHOLDER, (_all, name: string) => `(?<${name}>[^/]+)`)}$`);

/** Builds it once for a service. */
export const createGuide = ({ routes, absent, tools, publicUrl }: GuideParts): Guide => {
  // Templates without placeholders first: a word is no parameter of another route.
  const known: readonly Known[] = [...routes, ...absent]
    .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
    .map((route) => ({ route, pattern: patternOf(route.path) }));
  const absentPaths = new Set(absent.map(({ path }) => path));
  const toolNames = new Map(
    tools.flatMap(({ name, operation, instead }) => [
      [operation.name, name],
      ...(instead ? [[instead.operation.name, name] as const] : []),
    ]),
  );

  const find = (method: string | undefined, path: string) => {
    const candidates = known.filter(({ pattern }) => pattern.test(path));
    return candidates.find(({ route }) => method === undefined || route.method === method);
  };

  const fill = (path: string, values: Members): string =>
    path.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
      const value = values[name];
      return typeof value === 'string' && PLAIN.test(value) ? value : placeholder;
    });

  const toolCall = (name: string, found: Known, path: string): string => {
    const given = Object.entries(found.pattern.exec(path)?.groups ?? {}).filter(([, value]) =>
      PLAIN.test(value),
    );
    return given.length === 0
      ? name
      : `${name}(${given.map(([member, value]) => `${member}: ${value}`).join(', ')})`;
  };

  /** One reference as this way in calls it. */
  const phrase = (way: Exclude<Way, 'rest'>, method: string | undefined, path: string): string => {
    const found = find(method, path);
    if (found === undefined) return `${publicUrl()}${path}`;
    const { name } = found.route.operation;
    const own = phrases[name] ?? {};
    if (way === 'page') return own.page ?? NO_BUTTON;
    if (way === 'cli') return own.command ?? `holdfast call ${name}`;
    const tool = own.tool ?? toolNames.get(name);
    if (tool !== undefined) return toolCall(tool, found, path);
    return `${found.route.method} ${publicUrl()}${path}`;
  };

  const sentence = (text: string, way: Way, values: Members): string => {
    if (way === 'rest' && !text.includes('{')) return text;
    const filled = text.replaceAll(REFERENCE, (_all, method: string | undefined, path: string) => {
      const whole = fill(path, values);
      return way === 'rest'
        ? `${method === undefined ? '' : `${method} `}${whole}`
        : phrase(way, method, whole);
    });
    if (way === 'rest' || way === 'mcp') return filled;
    return memberWords.reduce((words, [member, plain]) => words.replaceAll(member, plain), filled);
  };

  const links = (given: unknown, way: Way, values: Members): Members =>
    Object.fromEntries(
      Object.entries(given as Readonly<Record<string, string>>).flatMap(([name, text]) =>
        absentPaths.has(text) ? [] : [[name, sentence(text, way, values)]],
      ),
    );

  /** An object with `method` and `endpoint`. */
  const step = (given: Members, way: Way, values: Members): Members => {
    const { method, endpoint, reason } = given as Readonly<Record<string, string>>;
    if (typeof method !== 'string' || typeof endpoint !== 'string') return given;
    const reasoned = typeof reason === 'string' ? { reason: sentence(reason, way, values) } : {};
    if (way === 'rest') return { ...given, ...reasoned, endpoint: fill(endpoint, values) };
    const named = phrase(way, method, fill(endpoint, values));
    const kind = { mcp: 'tool', cli: 'command', page: 'button' }[way];
    return { ...given, ...reasoned, method: kind, endpoint: named };
  };

  const REWRITES: Readonly<Record<string, (given: unknown, way: Way, values: Members) => unknown>> = {
    suggestedAction: (given, way, values) =>
      typeof given === 'string' ? sentence(given, way, values) : given,
    message: (given, way, values) => (typeof given === 'string' ? sentence(given, way, values) : given),
    nextSteps: links,
    relatedEndpoints: links,
    support: links,
    recommendedAction: (given, way, values) => step(given as Members, way, values),
    suggestedActions: (given, way, values) => (given as Members[]).map((one) => step(one, way, values)),
    verificationSteps: (given, way, values) => (given as string[]).map((one) => sentence(one, way, values)),
    // The reason why a plan does not exist, inside an answer.
    refusal: (given, way, values) => rewriteMembers(given as Members, way, values),
  };

  const rewriteMembers = (members: Members, way: Way, values: Members): Members => {
    const rewritten: Record<string, unknown> = { ...members };
    for (const [name, rewriteOne] of Object.entries(REWRITES))
      if (rewritten[name] !== undefined && rewritten[name] !== null)
        rewritten[name] = rewriteOne(rewritten[name], way, values);
    return rewritten;
  };

  return {
    rewrite: (body, source, values) => {
      const way = WAY[source];
      const rewritten: Record<string, unknown> = { ...rewriteMembers(body, way, values) };
      if (Array.isArray(body.accounts) && way !== 'rest')
        rewritten.accounts = body.accounts.map((one: Members) => rewriteMembers(one, way, values));
      const meta = rewriteMembers(body._meta as Members, way, values);
      if (way === 'mcp') {
        const { relatedEndpoints, ...others } = meta;
        rewritten._meta = { ...others, relatedTools: relatedEndpoints };
      } else rewritten._meta = meta;
      return rewritten;
    },
  };
};

// Prints the guidance of a response in the terms of the caller's interface: REST paths, tools, commands, or
// places on the page.
import type { CallSource } from '../domain/call-source.ts';
import {
  type Guidance,
  type GuidancePart,
  guidanceParts,
  isStep,
  type OperationName,
  type Step,
} from '../kernel/guidance.ts';
import type { Sentence } from '../kernel/sentence.ts';
import { operationPlaces } from './operation-places.ts';

/** A served route. */
interface ServedRoute {
  readonly method: string;
  /** Path template. */
  readonly path: string;
  readonly operation: { readonly name: OperationName };
}

interface Interfaces {
  readonly routes: readonly ServedRoute[];
  readonly tools: readonly {
    readonly name: string;
    readonly operation: { readonly name: OperationName };
    readonly instead?: { readonly operation: { readonly name: OperationName } };
  }[];
  /** No trailing slash. */
  readonly publicUrl: () => string;
}

type Members = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, string>>;

/**
 * Prints the guidance of a response and its `_meta` for `source`. `known` contains validated request fields,
 * which fill the path parameters that a step leaves open.
 */
export type PrintGuidance = (body: Members, source: CallSource, known: Members) => Members;

/** Fallback for operations that the interface does not offer. */
const NO_PLACE = 'the documentation';

/** The place to call an operation, in the fields of an action. */
interface Place {
  /** The HTTP method, or `tool`, `command`, `button`. */
  readonly method: string;
  readonly endpoint: string;
}

const DOCUMENTATION: Place = { method: 'GET', endpoint: '/docs' };

/** The terms in which one interface prints guidance. */
interface Terms {
  readonly place: (route: ServedRoute, params: Params) => Place;
  /** True if sentences include the HTTP method. */
  readonly showsMethod: boolean;
  /** True if callers of this interface see neither requests nor responses. */
  readonly isForPeople: boolean;
  /** The field of `_meta` that lists related operations. */
  readonly related: 'relatedEndpoints' | 'relatedTools';
}

const memberOf = (segment: string): string | null => (segment.startsWith('{') ? segment.slice(1, -1) : null);

const filledPath = ({ path }: ServedRoute, params: Params): string =>
  path
    .split('/')
    .map((segment) => params[memberOf(segment) ?? ''] ?? segment)
    .join('/');

/** Formats `name(field: value)` with the known path parameters. */
const toolCall = (name: string, { path }: ServedRoute, params: Params): string => {
  const given = path
    .split('/')
    .map(memberOf)
    .filter((member) => member !== null)
    .filter((member) => params[member] !== undefined)
    .map((member) => `${member}: ${params[member]}`);
  return given.length === 0 ? name : `${name}(${given.join(', ')})`;
};

const createTerms = ({ tools, publicUrl }: Interfaces): Readonly<Record<CallSource, Terms>> => {
  const toolNames = new Map(
    tools.flatMap(({ name, operation, instead }) => [
      [operation.name, name],
      ...(instead ? [[instead.operation.name, name] as const] : []),
    ]),
  );
  const rest: Terms = {
    place: (route, params) => ({ method: route.method, endpoint: filledPath(route, params) }),
    showsMethod: true,
    isForPeople: false,
    related: 'relatedEndpoints',
  };
  const mcp: Terms = {
    place: (route, params) => {
      const { name } = route.operation;
      const tool = operationPlaces[name]?.tool ?? toolNames.get(name);
      const endpoint =
        tool === undefined
          ? `${route.method} ${publicUrl()}${filledPath(route, params)}`
          : toolCall(tool, route, params);
      return { method: 'tool', endpoint };
    },
    showsMethod: false,
    isForPeople: false,
    related: 'relatedTools',
  };
  // For this interface, only tools that sign on the user's machine call REST, and they build and submit in
  // one call.
  const local: Terms = {
    ...mcp,
    place: (route, params) => {
      const tool = operationPlaces[route.operation.name]?.localTool;
      return tool === undefined ? mcp.place(route, params) : { method: 'tool', endpoint: tool };
    },
  };
  const cli: Terms = {
    place: ({ operation: { name } }) => ({
      method: 'command',
      endpoint: operationPlaces[name]?.command ?? `holdfast call ${name}`,
    }),
    showsMethod: false,
    isForPeople: true,
    related: 'relatedEndpoints',
  };
  const page: Terms = {
    place: ({ operation: { name } }) => ({
      method: 'button',
      endpoint: operationPlaces[name]?.page ?? NO_PLACE,
    }),
    showsMethod: false,
    isForPeople: true,
    related: 'relatedEndpoints',
  };
  return { rest, client: rest, actions: rest, page, cli, mcp, 'mcp-stdio': local };
};

// Matches identifiers, because guidance repeats no other input of the caller.
const PLAIN = /^[\w-]{1,100}$/;

const plainParams = (members: Members): Params =>
  Object.fromEntries(
    Object.entries(members).filter(
      (member): member is [string, string] => typeof member[1] === 'string' && PLAIN.test(member[1]),
    ),
  );

/** Creates the functions that print the guidance of one response. */
const createPrinting = (
  placeOf: (step: Step) => Place | null,
  { showsMethod, isForPeople, related }: Terms,
) => {
  const call = ({ method, endpoint }: Place): string => (showsMethod ? `${method} ${endpoint}` : endpoint);

  const part = (given: GuidancePart): string => {
    if (typeof given === 'string') return given;
    if (!isStep(given))
      return isForPeople ? given.forPeople : guidanceParts(given.forPrograms).map(part).join('');
    const place = placeOf(given);
    return place === null ? NO_PLACE : call(place);
  };
  const sentence = (given: Guidance): string =>
    typeof given === 'string' ? given : guidanceParts(given).map(part).join('').replace(/^the /, 'The ');

  /** Prints links by name. Drops links to operations that are not served. */
  const linksBy =
    (print: (place: Place) => string) =>
    (given: Readonly<Record<string, Guidance>>): Params =>
      Object.fromEntries(
        Object.entries(given).flatMap(([name, link]) => {
          if (!isStep(link)) return [[name, sentence(link)]];
          const place = placeOf(link);
          return place === null ? [] : [[name, print(place)]];
        }),
      );
  const links = linksBy((place) => (place.method === 'GET' ? place.endpoint : call(place)));
  const relatedLinks = linksBy(({ endpoint }) => endpoint);

  const action = ({ operation, params, ...shown }: Step & Members): Members => ({
    ...shown,
    ...(placeOf({ operation, ...(params && { params }) }) ?? DOCUMENTATION),
  });

  return { sentence, links, relatedLinks, action, related };
};

type Printing = ReturnType<typeof createPrinting>;

/** Fields that contain guidance: in a body, in `_meta`, in an account or in a plan's refusal. */
const PRINTED: Readonly<Record<string, (given: never, printing: Printing) => unknown>> = {
  message: (given: Guidance, { sentence }) => sentence(given),
  suggestedAction: (given: Guidance, { sentence }) => sentence(given),
  verificationSteps: (given: readonly Guidance[], { sentence }) => given.map(sentence),
  nextSteps: (given: Readonly<Record<string, Guidance>>, { links }) => links(given),
  support: (given: Readonly<Record<string, Guidance>>, { links }) => links(given),
  recommendedAction: (given: Step & Members, { action }) => action(given),
  suggestedActions: (given: readonly (Step & Members)[], { action }) => given.map(action),
  refusal: (given: Members, printing) => printMembers(given, printing),
  // In some responses, `accounts` is a number.
  accounts: (given: readonly Members[] | number, printing) =>
    typeof given === 'number' ? given : given.map((one) => printMembers(one, printing)),
  relatedEndpoints: (given: Readonly<Record<string, Guidance>>, { relatedLinks }) => relatedLinks(given),
  _meta: (given: Members, printing) => {
    const printed = printMembers(given, printing);
    if (printing.related === 'relatedEndpoints') return printed;
    const { relatedEndpoints, ...others } = printed;
    return { ...others, [printing.related]: relatedEndpoints };
  },
};

/** Prints a field that contains sentences as data. */
const printSentences = (given: readonly Sentence<Guidance>[], { sentence }: Printing): Sentence[] =>
  given.map(({ code, text, params }) => ({ code, text: sentence(text), params }));

const printers = new Map(Object.entries(PRINTED));

const printMembers = (members: Members, printing: Printing): Members => {
  const printed: Record<string, unknown> = { ...members };
  for (const name of Object.keys(members)) {
    const print = printers.get(name) ?? (name.endsWith('Sentences') ? printSentences : undefined);
    if (print !== undefined && members[name] != null) printed[name] = print(members[name] as never, printing);
  }
  return printed;
};

export const createGuidancePrinter = (interfaces: Interfaces): PrintGuidance => {
  const routes = new Map(interfaces.routes.map((route) => [route.operation.name, route]));
  const termsOf = createTerms(interfaces);
  return (body, source, known) => {
    const terms = termsOf[source];
    const requested = plainParams(known);
    const find = ({ operation, params }: Step): Place | null => {
      const route = routes.get(operation);
      return route === undefined ? null : terms.place(route, { ...requested, ...plainParams(params ?? {}) });
    };
    // Caches printed places, because a list of accounts repeats the same few operations.
    const found = new Map<OperationName, Place | null>();
    const placeOf = (given: Step): Place | null => {
      if (given.params !== undefined) return find(given);
      if (!found.has(given.operation)) found.set(given.operation, find(given));
      return found.get(given.operation)!;
    };
    return printMembers(body, createPrinting(placeOf, terms));
  };
};

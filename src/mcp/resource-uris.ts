// URIs of the resources, shared by the service and the MCP server of the command line.

export const CURRENT_EPOCH_URI = 'holdfast://epoch/current';
export const WALLET_TEMPLATE = 'holdfast://wallet/{walletAddress}';
export const ACCOUNT_TEMPLATE = 'holdfast://wallet/{walletAddress}/stake/{stakeAccountAddress}';

/** Maximum number of resources that one session or stream may watch. */
export const MAX_WATCHED = 20;

export const walletUri = (walletAddress: string): string =>
  WALLET_TEMPLATE.replace('{walletAddress}', walletAddress);

export const accountUri = (walletAddress: string, stakeAccountAddress: string): string =>
  `${walletUri(walletAddress)}/stake/${stakeAccountAddress}`;

/** Returns the names of a template's variables. */
export const variablesOf = (uriTemplate: string): readonly string[] =>
  [...uriTemplate.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const patternOf = (uriTemplate: string): RegExp =>
  new RegExp(`^${uriTemplate.replaceAll(/\{(\w+)\}/g, '(?<$1>[1-9A-HJ-NP-Za-km-z]{32,44})')}$`);

const patterns = new Map(
  [WALLET_TEMPLATE, ACCOUNT_TEMPLATE].map((uriTemplate) => [uriTemplate, patternOf(uriTemplate)]),
);

/**
 * Finds the template of `uri` and the values of its variables, which look like addresses but may be invalid.
 */
export const matchTemplate = <Template extends { readonly uriTemplate: string }>(
  uri: string,
  templates: readonly Template[],
): { readonly template: Template; readonly given: Readonly<Record<string, string>> } | undefined => {
  for (const template of templates) {
    const match = patterns.get(template.uriTemplate)?.exec(uri);
    if (match) return { template, given: { ...match.groups } };
  }
  return undefined;
};

/** True for a resource whose subscribers are notified of changes. */
export const isWatchable = (uri: string, isAddress: (text: string) => boolean): boolean =>
  uri === CURRENT_EPOCH_URI ||
  [...patterns.values()].some((pattern) => {
    const match = pattern.exec(uri);
    return match !== null && Object.values(match.groups ?? {}).every(isAddress);
  });

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;

/** Method of protocol 2026-07-28 that opens a stream of change notifications. */
export const LISTEN = 'subscriptions/listen';

/**
 * Returns the resources that a `subscriptions/listen` message asks to watch, and the message reduced to these,
 * so its acknowledgment names no others.
 */
export const watchedIn = <Message>(
  message: Message,
  isWatched: (uri: string) => boolean,
): { readonly message: Message; readonly uris: readonly string[] } => {
  const params = membersOf(membersOf(message)?.params);
  const notifications = membersOf(params?.notifications);
  const named = notifications?.resourceSubscriptions;
  if (!Array.isArray(named)) return { message, uris: [] };
  const uris = [...new Set(named)].filter((uri) => typeof uri === 'string' && isWatched(uri)) as string[];
  const kept = { ...notifications, resourceSubscriptions: uris };
  return { message: { ...message, params: { ...params, notifications: kept } }, uris };
};

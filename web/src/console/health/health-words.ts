// Describes the health of the service's parts in words.
import { duration } from '../../../../src/domain/duration.ts';
import { count, timeText } from '../../text/format-figures.ts';
import { countWithNoun } from '../count-with-noun.ts';
import type { ServiceHealth } from '../operator-api.ts';

type Dependency = ServiceHealth['dependencies'][number];

/** One line of the list. */
export interface HealthLine {
  readonly name: string;
  /**
   * `degraded` means that the service works without this part but with fewer features, or that something
   * failed permanently. `busy` means that blocks are full. `off` means that the part is not configured.
   */
  readonly state: 'ok' | 'degraded' | 'down' | 'busy' | 'unknown' | 'off';
  readonly text: string;
}

/** Name of the part that sends the operator's alerts. */
const ALERTS_PART = 'alerts';

const DELIVERIES_PART = 'webhooks';
const VALIDATOR_PART = 'validator';

const NAMES: Readonly<Record<string, string>> = {
  [VALIDATOR_PART]: 'Validator',
  rpc: 'Solana RPC',
  rpcMethods: 'RPC methods',
  store: 'Store',
  index: 'Stake index',
  [DELIVERIES_PART]: 'Deliveries',
  [ALERTS_PART]: 'Alerts to you',
  redis: 'Redis',
  profile: 'Profile file',
  page: 'Web page',
};

interface NodeFacts {
  readonly index: number;
  readonly origin: string;
  readonly role: 'read' | 'send';
  readonly ok: boolean;
  readonly lastOkAtMs: number | null;
  readonly lastError: string | null;
  readonly latencyMs: number | null;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ago = (seconds: number): string => (seconds < 1 ? 'just now' : `${duration(seconds)} ago`);

const number = (details: Dependency['details'], name: string): number | null =>
  typeof details[name] === 'number' ? details[name] : null;

const deliveriesText = (details: Dependency['details']): string => {
  const pending = number(details, 'pending') ?? 0;
  const overdue = number(details, 'oldestDueSeconds') ?? 0;
  const dead = number(details, 'dead') ?? 0;
  return [
    pending === 0 ? 'Nothing is waiting' : `${pending} waiting`,
    ...(overdue >= 1 ? [`the oldest is ${duration(overdue)} late`] : []),
    ...(dead > 0 ? [countWithNoun(dead, 'dead letter')] : []),
  ].join(', ');
};

/**
 * Returns the voting state and the commission of the validator; null if unknown. While the chain cannot be
 * read, `votedLast` and the commission are those at the time `asOf`.
 */
export const validatorFacts = (health: Pick<ServiceHealth, 'dependencies'> | undefined) => {
  const details = health?.dependencies.find(({ name }) => name === VALIDATOR_PART)?.details ?? {};
  return {
    voting: typeof details.voting === 'boolean' ? details.voting : null,
    votedLast: details.votedLast === true,
    slotsSinceVote: number(details, 'slotsSinceVote'),
    commissionPct: number(details, 'commissionPct'),
    asOf: typeof details.asOf === 'string' ? details.asOf : null,
  };
};

/** Describes the voting state at the time when the chain was last read. */
export const lastSeenText = ({ votedLast, asOf }: { votedLast: boolean; asOf: string }): string =>
  `last seen ${votedLast ? 'voting' : 'not voting'} at ${timeText(asOf)}`;

/** Says that the validator was delinquent when the chain could last be read; null if it was not, or can be read. */
export const wasDelinquentText = (health: Pick<ServiceHealth, 'dependencies'> | undefined): string | null => {
  const { votedLast, asOf } = validatorFacts(health);
  return asOf === null || votedLast
    ? null
    : `The validator was delinquent at ${timeText(asOf)} (last known).`;
};

/** Describes the voting state and the commission. */
const validatorText = (dependency: Dependency): string => {
  const { voting, votedLast, commissionPct, asOf } = validatorFacts({ dependencies: [dependency] });
  const commission = commissionPct === null ? 'commission unknown' : `commission ${commissionPct}%`;
  if (voting === null)
    return asOf === null
      ? 'Currently unknown'
      : `Currently unknown, ${lastSeenText({ votedLast, asOf })} with ${commission}`;
  const slot = number(dependency.details, 'lastVoteSlot');
  const slotsAgo = number(dependency.details, 'slotsSinceVote');
  return [
    voting ? 'Voting' : 'Not voting',
    ...(slot === null
      ? []
      : [`last vote for slot ${count(slot)}, ${countWithNoun(slotsAgo ?? 0, 'slot')} ago`]),
    commission,
  ].join(', ');
};

export const DESTINATIONS = { webhook: 'Signed webhook', notify: 'Text notification' } as const;

/** Explains how to switch alerts on. */
export const ALERTS_OFF =
  'Set HOLDFAST_OPERATOR_NOTIFY_URL (text, for example ntfy) or HOLDFAST_OPERATOR_WEBHOOK_URL (signed), and restart the service.';

const destinationsOf = (details: Dependency['details']): readonly (keyof typeof DESTINATIONS)[] =>
  Array.isArray(details.destinations) ? details.destinations : [];

const alertsText = (details: Dependency['details']): string => {
  const destinations = destinationsOf(details);
  if (destinations.length === 0) return ALERTS_OFF;
  const names = sentence(destinations.map((name) => DESTINATIONS[name].toLowerCase()).join(' and '));
  return details.isKnown === false
    ? `${names}. It is currently unknown whether alerts are accepted`
    : `${names}, ${destinations.length === 1 ? 'accepts alerts' : 'both accept alerts'}`;
};

const okText = (dependency: Dependency): string => {
  const { name, ageSeconds, details } = dependency;
  const age = ageSeconds ?? 0;
  if (name === 'rpc') return `Last response ${ago(age)}`;
  if (name === 'index') {
    const slot = number(details, 'slot');
    return slot === null ? `Last update ${ago(age)}` : `Slot ${count(slot)}, last update ${ago(age)}`;
  }
  if (name === VALIDATOR_PART) return validatorText(dependency);
  if (name === DELIVERIES_PART) return deliveriesText(details);
  if (name === ALERTS_PART) return alertsText(details);
  if (name === 'store') return 'Responds';
  if (name === 'redis') {
    const processes = number(details, 'processes');
    return processes === null || processes === 1 ? 'Connected' : `Connected, ${processes} processes`;
  }
  return 'In use, no errors found';
};

const nodeLine = ({ origin, role, ok, lastError, latencyMs }: NodeFacts): HealthLine => ({
  name: role === 'send' ? `${origin} (sending only)` : origin,
  state: ok ? 'ok' : 'down',
  text: ok
    ? latencyMs === null
      ? 'Not asked yet'
      : `Responds in ${Math.max(1, Math.round(latencyMs))} ms`
    : (NODE_FAULTS[lastError ?? ''] ?? sentence(lastError ?? 'unavailable')),
});

const stateOf = ({ name, ok, optional, details }: Dependency): HealthLine['state'] => {
  if (!ok) return optional ? 'degraded' : 'down';
  if (name === VALIDATOR_PART && typeof details.voting !== 'boolean') return 'unknown';
  if (name === ALERTS_PART && destinationsOf(details).length === 0) return 'off';
  if (name === ALERTS_PART && details.isKnown === false) return 'unknown';
  return name === DELIVERIES_PART && (number(details, 'dead') ?? 0) > 0 ? 'degraded' : 'ok';
};

const NODE_FAULTS: Readonly<Record<string, string>> = {
  timeout: 'Does not respond in time',
  reset: 'Closes the connection',
  unreachable: 'Cannot be reached',
  'rate-limited': 'Refuses further requests: check the limits of your plan',
  'http-error': 'Responds with an HTTP error: check the URL and the key',
  garbage: 'Does not respond like an RPC node: check the URL',
  behind: 'Lags behind the other nodes',
  restarted: 'Its slot went backwards: it may have restarted from genesis',
  'rpc-error': 'Responds with RPC errors',
  'other-cluster': 'Serves another cluster',
  unverified: 'Its cluster has not been checked yet',
};

const faultText = (dependency: Dependency): string => {
  const { name, error, ageSeconds } = dependency;
  if (name === VALIDATOR_PART) return `${validatorText(dependency)}. ${error ?? ''}`;
  if (name === 'rpc' && error !== null && error in NODE_FAULTS)
    return `No node responds${ageSeconds === null ? '' : `, last response ${ago(ageSeconds)}`}`;
  const text = sentence(error ?? 'not working');
  return name === 'store' && ageSeconds !== null ? `${text}, last write ${ago(ageSeconds)}` : text;
};

/** Describes the health of one part, and of the nodes behind it. */
export const healthLines = (
  dependency: Dependency,
): { readonly line: HealthLine; readonly nodes: readonly HealthLine[] } => {
  const { name, ok, details } = dependency;
  const nodes = Array.isArray(details.nodes) ? (details.nodes as readonly NodeFacts[]) : [];
  return {
    line: {
      name: NAMES[name] ?? name,
      state: stateOf(dependency),
      text: ok ? okText(dependency) : faultText(dependency),
    },
    nodes: nodes.map(nodeLine),
  };
};

const pricesText = ({
  low,
  medium,
  high,
}: NonNullable<ServiceHealth['network']['priorityPrices']>): string =>
  medium === 0
    ? 'Blocks have room: no priority fee is needed'
    : `Priority fees that land now: ${count(low)}, ${count(medium)} or ${count(high)} micro-lamports per compute unit (low, medium, high)`;

/**
 * Describes how busy the network is: the priority fees that currently land, and the number of recently expired
 * transactions.
 */
export const networkLine = ({
  network: { isBusy, priorityPrices, recentTransactions, recentlyExpired },
  dependencies,
}: Pick<ServiceHealth, 'network' | 'dependencies'>): HealthLine => {
  const isReachable = dependencies.some(({ name, ok }) => name === 'rpc' && ok);
  const share = recentTransactions === 0 ? 0 : Math.round((100 * recentlyExpired) / recentTransactions);
  const texts = [
    !isReachable
      ? 'No RPC node responds'
      : priorityPrices === null
        ? 'No node estimates priority fees'
        : pricesText(priorityPrices),
    recentTransactions === 0
      ? 'No transaction was sent through this service in the last hour'
      : `${count(recentlyExpired)} of the last ${count(recentTransactions)} transactions sent here in the last hour expired (${share}%)`,
  ];
  return {
    name: 'Solana network',
    state: isBusy ? 'busy' : isReachable && priorityPrices !== null ? 'ok' : 'unknown',
    text: `${texts.join('. ')}.`,
  };
};

/** Returns the counts for the menu: the parts that need attention, and the dead letters. */
export const menuCounts = (health: ServiceHealth): Readonly<Record<string, number>> => {
  const faults = health.dependencies.filter(
    (dependency) => !['ok', 'unknown', 'off'].includes(healthLines(dependency).line.state),
  );
  const deliveries = health.dependencies.find(({ name }) => name === DELIVERIES_PART);
  return {
    '/alerts': health.alarms.length + (faults.some(({ name }) => name === ALERTS_PART) ? 1 : 0),
    '/deliveries': (deliveries && number(deliveries.details, 'dead')) ?? 0,
    '/health': faults.length,
  };
};

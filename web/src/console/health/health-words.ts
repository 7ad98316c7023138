// Describes the health of the service's parts in words.
import { duration } from '../../../../src/domain/duration.ts';
import { count } from '../../text/format-figures.ts';
import type { ServiceHealth } from '../operator-api.ts';

type Dependency = ServiceHealth['dependencies'][number];

/** One line of the list. */
export interface HealthLine {
  readonly name: string;
  /**
   * `degraded` means that the service works without this part, with fewer features. `busy` means that blocks
   * are full.
   */
  readonly state: 'ok' | 'degraded' | 'down' | 'busy';
  readonly text: string;
}

/** Name of the part that sends the operator's alerts. */
export const ALERTS_PART = 'alerts';

const NAMES: Readonly<Record<string, string>> = {
  rpc: 'Solana RPC',
  rpcMethods: 'RPC methods',
  store: 'Store',
  index: 'Stake index',
  webhooks: 'Deliveries',
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
    ...(dead > 0 ? [`${dead} failed for good`] : []),
  ].join(', ');
};

const okText = ({ name, ageSeconds, details }: Dependency): string => {
  const age = ageSeconds ?? 0;
  if (name === 'rpc') return `Last answer ${ago(age)}`;
  if (name === 'index') {
    const slot = number(details, 'slot');
    return slot === null ? `Last update ${ago(age)}` : `Slot ${slot}, last update ${ago(age)}`;
  }
  if (name === 'webhooks') return deliveriesText(details);
  if (name === ALERTS_PART) return 'Every destination accepts them';
  if (name === 'store') return 'Answers';
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
      : `Answers in ${Math.max(1, Math.round(latencyMs))} ms`
    : sentence(lastError ?? 'unavailable'),
});

/** Describes the health of one part, and of the nodes behind it. */
export const healthLines = (
  dependency: Dependency,
): { readonly line: HealthLine; readonly nodes: readonly HealthLine[] } => {
  const { name, ok, optional, error, details } = dependency;
  const nodes = Array.isArray(details.nodes) ? (details.nodes as readonly NodeFacts[]) : [];
  return {
    line: {
      name: NAMES[name] ?? name,
      state: ok ? 'ok' : optional ? 'degraded' : 'down',
      text: ok ? okText(dependency) : sentence(error ?? 'not working'),
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

/** Describes whether the network is busy: the price of a place in a block, and the transactions that got none. */
export const networkLine = ({
  priorityPrices,
  recentTransactions,
  recentlyExpired,
}: ServiceHealth['network']): HealthLine => {
  const share = recentTransactions === 0 ? 0 : Math.round((100 * recentlyExpired) / recentTransactions);
  const texts = [
    priorityPrices === null ? 'No node estimates priority fees' : pricesText(priorityPrices),
    recentTransactions === 0
      ? 'No transaction was sent through this service yet'
      : `${count(recentlyExpired)} of the last ${count(recentTransactions)} transactions sent here expired (${share}%)`,
  ];
  const isBusy =
    (priorityPrices !== null && priorityPrices.medium > 0) || recentlyExpired * 10 > recentTransactions;
  return { name: 'Solana network', state: isBusy ? 'busy' : 'ok', text: `${texts.join('. ')}.` };
};

// The command that manages webhooks: registrations, delivery log and replay.
import { readFileSync } from 'node:fs';
import type {
  ListDeliveriesInput,
  RegisterWebhookInput,
  WebhookDelivery,
  WebhookRegistration,
} from '../../client/generated/webhooks-operations.ts';
import { eventTypes } from '../../src/domain/notification-types.ts';
import { readWholeNumber } from '../amount-argument.ts';
import { type Command, type CommandCall, type CommandOutcome, printResponse } from '../command.ts';
import { fileProblem } from '../local/text-file.ts';
import { formatPairs, formatTable } from '../show/align-columns.ts';
import { instant, timeZone, timeZoneLine } from '../show/format-cells.ts';
import { plain } from '../show/plain-text.ts';
import { tableColumns } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

const STATES = ['pending', 'delivered', 'dead'] as const;

const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/**
 * Reads the registration's secret from a file or the environment, but never from the command line, which
 * every process can read.
 */
const secretOf = ({ values, terminal }: CommandCall): string | undefined => {
  const file = text(values['secret-file']);
  if (file === undefined) return terminal.environment.HOLDFAST_WEBHOOK_SECRET || undefined;
  let secret: string;
  try {
    secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--secret-file ${fileProblem(file, error)}`);
  }
  if (secret === '') throw new UsageError('--secret-file is empty');
  return secret;
};

const requiredSecret = (call: CommandCall): string => {
  const secret = secretOf(call);
  if (secret) return secret;
  throw new UsageError(
    "this requires the webhook's secret: use --secret-file FILE or HOLDFAST_WEBHOOK_SECRET",
  );
};

const idOf = ({ args: [, id] }: CommandCall): string => {
  if (id === undefined) throw new UsageError("specify the webhook's id (see holdfast webhooks list)");
  return id;
};

const among = <Name extends string>(given: string, allowed: readonly Name[], what: string): Name[] =>
  given.split(',').map((each) => {
    const found = allowed.find((name) => name === each.trim());
    if (found === undefined) throw new UsageError(`${what}: ${allowed.join(', ')}`);
    return found;
  });

const moreLines = (nextCursor: string | null): string[] =>
  nextCursor === null ? [] : [`For more, add --cursor ${plain(nextCursor)}`];

const eventsText = (events: readonly string[]): string =>
  eventTypes.every((name) => events.includes(name))
    ? `all ${eventTypes.length} events`
    : events.map(plain).join(', ');

const webhookLines = (webhooks: readonly WebhookRegistration[], columns: number): string[] =>
  webhooks.flatMap((webhook, index) => [
    ...(index === 0 ? [] : ['']),
    ...formatPairs(
      [
        ['id', plain(webhook.id)],
        [
          'status',
          webhook.disabledReason === null ? webhook.status : `${webhook.status} (${webhook.disabledReason})`,
        ],
        ['events', eventsText(webhook.events)],
        ['callback', plain(webhook.callbackUrl)],
        ['last delivery', instant(webhook.lastDeliveryAt)],
      ],
      columns,
    ),
  ]);

const list = async (call: CommandCall): Promise<void> => {
  const input = {
    walletAddress: call.walletAddress(call.args[1]),
    limit: readWholeNumber(call.values.limit, '--limit', [1, 100]),
    cursor: text(call.values.cursor),
  };
  const options = { signal: call.signal, bearer: secretOf(call) };
  const sent = await call.client.send('listWebhooks', input, options);
  printResponse(call, sent, ({ webhooks, nextCursor }) => [
    ...(webhooks.length === 0
      ? ['No webhooks.']
      : [...webhookLines(webhooks, tableColumns(call.terminal)), timeZoneLine()]),
    ...moreLines(nextCursor),
  ]);
};

const register = async (call: CommandCall): Promise<void> => {
  const [, callbackUrl] = call.args;
  if (callbackUrl === undefined) throw new UsageError('specify the callback URL');
  const input: RegisterWebhookInput = {
    walletAddress: call.walletAddress(text(call.values.wallet)),
    callbackUrl,
    events: among(text(call.values.events) ?? eventTypes.join(','), eventTypes, '--events must be a list of'),
  };
  const sent = await call.client.send('registerWebhook', input, { signal: call.signal });
  printResponse(call, sent, (webhook) => [
    ...formatPairs([
      ['id', plain(webhook.id)],
      ['callback', plain(webhook.callbackUrl)],
      ['events', eventsText(webhook.events)],
      ['secret', plain(webhook.secret)],
    ]),
    'Save the secret now. It will not be shown again.',
  ]);
};

const deliveryLines = (deliveries: readonly WebhookDelivery[]): string[] =>
  formatTable(
    [
      { title: 'EVENT ID' },
      { title: 'WHEN' },
      { title: 'TYPE' },
      { title: 'STATE' },
      { title: 'ATTEMPTS', align: 'right' },
      { title: 'LAST OUTCOME' },
      { title: 'NEXT' },
    ],
    deliveries.map((delivery) => {
      const last = delivery.attemptLog.at(-1);
      return [
        plain(delivery.id),
        instant(delivery.timestamp),
        plain(delivery.type),
        delivery.state,
        String(delivery.attempts),
        last ? plain(`${last.status ?? ''} ${last.outcome}`.trim()) : '-',
        instant(delivery.nextAttemptAt),
      ];
    }),
  );

const deliveries = async (call: CommandCall): Promise<void> => {
  const limit = readWholeNumber(call.values.limit, '--limit', [1, 100]);
  const state = text(call.values.state) as ListDeliveriesInput['state'];
  const cursor = text(call.values.cursor);
  const input = { id: idOf(call), state, limit, cursor };
  const options = { signal: call.signal, bearer: requiredSecret(call) };
  const sent = await call.client.send('listDeliveries', input, options);
  printResponse(call, sent, (body) => [
    ...(body.deliveries.length === 0
      ? ['No deliveries.']
      : [...deliveryLines(body.deliveries), timeZoneLine()]),
    ...moreLines(body.nextCursor),
  ]);
};

const replay = async (call: CommandCall): Promise<void> => {
  const [eventId, from, to] = [text(call.values.event), text(call.values.from), text(call.values.to)];
  const which = eventId !== undefined ? { eventId } : from !== undefined ? { from } : undefined;
  if (which === undefined || (eventId !== undefined && from !== undefined))
    throw new UsageError('choose what to redeliver: --event ID, or --from TIME with --to TIME');
  const states = text(call.values.states);
  const input = {
    id: idOf(call),
    ...which,
    to,
    states:
      states === undefined
        ? undefined
        : among(states, ['delivered', 'dead'] as const, '--states must be a list of'),
  };
  const options = { signal: call.signal, bearer: requiredSecret(call) };
  const sent = await call.client.send('replayDeliveries', input, options);
  printResponse(call, sent, ({ message }) => [plain(message)]);
};

const remove = async (call: CommandCall): Promise<void> => {
  const input = { id: idOf(call), walletAddress: call.walletAddress(text(call.values.wallet)) };
  const options = { signal: call.signal, bearer: secretOf(call) };
  const sent = await call.client.send('deleteWebhook', input, options);
  printResponse(call, sent, ({ id }) => [
    `Deleted. You can restore it within 30 days: holdfast webhooks restore ${plain(id)} --secret-file FILE`,
  ]);
};

const managed =
  (operation: 'pingWebhook' | 'restoreWebhook') =>
  async (call: CommandCall): Promise<void> => {
    const options = { signal: call.signal, bearer: requiredSecret(call) };
    const sent = await call.client.send(operation, { id: idOf(call) }, options);
    printResponse(call, sent, ({ message }) => [plain(message)]);
  };

const rotate = async (call: CommandCall): Promise<void> => {
  const options = { signal: call.signal, bearer: requiredSecret(call) };
  const sent = await call.client.send('rotateWebhookSecret', { id: idOf(call) }, options);
  printResponse(call, sent, (body) => [
    ...formatPairs([
      ['secret', plain(body.secret)],
      ['old secret valid until', `${instant(body.previousSecretUntil)} ${timeZone()}`],
    ]),
    'Save the secret now. It will not be shown again.',
  ]);
};

const actions = {
  list,
  register,
  delete: remove,
  deliveries,
  replay,
  ping: managed('pingWebhook'),
  rotate,
  restore: managed('restoreWebhook'),
} satisfies Readonly<Record<string, (call: CommandCall) => Promise<void>>>;

const isAction = (name: string): name is keyof typeof actions => Object.hasOwn(actions, name);

export const webhooks: Command = {
  name: 'webhooks',
  summary: 'Get notified about a stake',
  usage: `<${Object.keys(actions).join('|')}> [id|wallet|callbackUrl]`,
  takes: [1, 2],
  firstWords: Object.keys(actions),
  details: [
    'list [wallet] · register <callbackUrl> · delete <id> · deliveries <id> · replay <id> · ping <id> · rotate <id> · restore <id>',
    'register prints the secret that you need to manage the webhook. Pass it in a file or in HOLDFAST_WEBHOOK_SECRET.',
  ],
  options: {
    events: {
      value: 'NAMES',
      description: `register: comma-separated list of ${eventTypes.join(', ')} (default: all)`,
    },
    wallet: {
      value: 'ADDRESS',
      description: "register, delete: the wallet (default: the keypair file's wallet)",
    },
    'secret-file': {
      value: 'FILE',
      description: "file that contains the webhook's secret (default: HOLDFAST_WEBHOOK_SECRET)",
    },
    state: { value: 'STATE', description: 'deliveries: only those in this state', choices: STATES },
    limit: { value: 'COUNT', description: 'list, deliveries: how many, 1 to 100 (default: 100, 20)' },
    cursor: { value: 'CURSOR', description: 'list, deliveries: continue after the end of an earlier list' },
    event: { value: 'ID', description: 'replay: this event' },
    from: { value: 'TIME', description: 'replay: start of the period, ISO 8601' },
    to: { value: 'TIME', description: 'replay: end of the period, excluded (default: now)' },
    states: {
      value: 'NAMES',
      description: 'replay: delivered, dead or both, separated by a comma (default: dead)',
      suggestions: ['dead', 'delivered', 'dead,delivered'],
    },
  },
  examples: [
    'webhooks register https://example.org/hooks --events withdraw_ready,stake_activated',
    'webhooks list',
    'webhooks deliveries 0123456789abcdef0123456789abcdef --state dead --secret-file hook.secret',
  ],
  async run(call): Promise<CommandOutcome> {
    const name = call.args[0]!;
    if (!isAction(name)) throw new UsageError(`one of ${Object.keys(actions).join(', ')}`);
    await actions[name](call);
    return 'ok';
  },
};

// The command that accepts the cluster, validator, donation address and memo of a service, and shows any
// changes.
import { type Command, printDocument } from '../command.ts';
import {
  changesOf,
  readService,
  rememberedService,
  rememberService,
  SERVICE_FACTS,
  serviceLines,
} from '../local/known-services.ts';
import { formatPairs } from '../show/align-columns.ts';
import { plain } from '../show/plain-text.ts';
import { confirmsWithYes } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

export const trust: Command = {
  name: 'trust',
  summary: "Save a service's validator, cluster, donation address and memo as trusted",
  usage: '',
  takes: [0, 0],
  details: [
    'Later transactions must match the saved values; a service that reports anything else is refused. Before you accept, compare them with what the operator publishes elsewhere.',
    'On a terminal, stake, unstake and withdraw save a new service automatically. With --yes, --json or mcp, run this command first or pass --vote.',
  ],
  examples: ['trust', 'trust --url https://stake.example.org --yes'],
  async run(call) {
    const { client, terminal, signal, json, yes } = call;
    const remembered = rememberedService(terminal, client.baseUrl);
    const now = await readService(client, signal);
    const changes = changesOf(remembered ?? now, now);
    const lines = [
      `${client.baseUrl} reports`,
      ...formatPairs(serviceLines(now)),
      ...(remembered === undefined
        ? ['This service is new.']
        : changes.length === 0
          ? ['These match the saved values.']
          : changes.map(
              ({ name, remembered: before }) =>
                `${terminal.paintOut('yellow', '!')} ${SERVICE_FACTS[name]} differs from the saved value: ${plain(before ?? 'not given')}`,
            )),
    ];
    let isShown = false;
    const isNew = remembered === undefined || changes.length > 0;
    if (isNew && !yes && !(json && !terminal.canAsk)) {
      if (!terminal.canAsk)
        throw new UsageError('cannot prompt for confirmation here; add --yes to trust it');
      terminal.err(`${lines.join('\n')}\n`);
      isShown = true;
      if (!(await confirmsWithYes(terminal, 'Trust this service?', signal))) {
        terminal.err('Not saved.\n');
        return 'refused';
      }
    }
    const file = isNew ? rememberService(terminal, client.baseUrl, now) : undefined;
    printDocument(call, { service: client.baseUrl, ...now, remembered: remembered ?? null, changes }, () => [
      ...(isShown ? [] : lines),
      ...(file === undefined ? [] : [`Saved in ${file}`]),
    ]);
    return 'ok';
  },
};

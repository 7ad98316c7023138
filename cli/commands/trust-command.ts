// The command that accepts the cluster, validator, donation address and memo of a service, and shows what
// changed.
import { type Command, printDocument } from '../command.ts';
import {
  changesOf,
  readService,
  rememberedService,
  rememberService,
  SERVICE_FACTS,
  serviceLines,
} from '../local/known-services.ts';
import { plain } from '../show/plain-text.ts';
import { pairs } from '../show/table.ts';
import { UsageError } from '../usage-error.ts';

/** `holdfast trust` */
export const trust: Command = {
  name: 'trust',
  summary: 'Remember the validator, cluster, donation address and memo of a service',
  usage: '',
  takes: [0, 0],
  details: [
    'Later transactions must match what is remembered here; a service that reports anything else is refused. Compare it with what the operator publishes elsewhere before you accept.',
    'stake, unstake and withdraw ask before they trust a new service, and then remember it; with --yes, --json or mcp, run this command first or pass --vote.',
  ],
  examples: ['trust', 'trust --url https://stake.example.org --yes'],
  async run(call) {
    const { client, terminal, signal, json, yes } = call;
    const remembered = rememberedService(terminal, client.baseUrl);
    const now = await readService(client, signal);
    const changes = changesOf(remembered ?? now, now);
    const lines = [
      `${client.baseUrl} reports`,
      ...pairs(serviceLines(now)),
      ...(remembered === undefined
        ? ['This service is new.']
        : changes.length === 0
          ? ['This matches what is remembered.']
          : changes.map(
              ({ name, remembered: before }) =>
                `${terminal.paintOut('yellow', '!')} another ${SERVICE_FACTS[name]} than remembered: ${plain(before ?? 'not given')}`,
            )),
    ];
    const isNew = remembered === undefined || changes.length > 0;
    if (isNew && !yes && !(json && !terminal.canAsk)) {
      if (!terminal.canAsk)
        throw new UsageError('cannot ask for confirmation here: add --yes to remember it');
      terminal.err(`${lines.join('\n')}\n`);
      if (!/^y(es)?$/i.test((await terminal.ask('Remember this? [y/N] ', signal)).trim())) return 'refused';
    }
    const file = isNew ? rememberService(terminal, client.baseUrl, now) : undefined;
    printDocument(call, { service: client.baseUrl, ...now, remembered: remembered ?? null, changes }, () => [
      ...lines,
      ...(file === undefined ? [] : [`Remembered in ${file}`]),
    ]);
    return 'ok';
  },
};

// The command that shows and stores defaults for options.
import { resolve } from 'node:path';
import { type Command, printDocument } from '../command.ts';
import {
  expandTilde,
  SETTINGS,
  type SettingName,
  settingInForce,
  writeSetting,
} from '../local/settings-in-force.ts';
import { table } from '../show/table.ts';
import { UsageError } from '../usage-error.ts';

const names = Object.keys(SETTINGS) as readonly SettingName[];

const nameOf = (text: string | undefined): SettingName => {
  const name = names.find((each) => each === text);
  if (name === undefined) throw new UsageError(`name one of: ${names.join(', ')}`, 'config');
  return name;
};

/** `holdfast config` */
export const config: Command = {
  name: 'config',
  summary: 'Show or set default option values',
  usage: '[set <name> <value> | unset <name>]',
  takes: [0, 3],
  firstWords: ['set', 'unset'],
  details: [
    `Names: ${names.map((name) => `${name} (${SETTINGS[name]})`).join(', ')}.`,
    "Precedence: options, environment variables, values stored here, the Solana CLI's configuration. Only the path of the keypair file is stored, never the key.",
  ],
  examples: ['config', 'config set url https://stake.example.org', 'config unset url'],
  async run({ args, terminal, json }) {
    const { environment } = terminal;
    const checked = (name: SettingName, value: string): string => {
      if (name === 'keypair') return resolve(expandTilde(value, environment));
      if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
        throw new UsageError(`${name} must be a URL that begins with http:// or https://`, 'config');
      return value;
    };
    const [verb, name, value] = args;
    if (verb === 'set' && args.length === 3)
      writeSetting(environment, nameOf(name), checked(nameOf(name), value!));
    else if (verb === 'unset' && args.length === 2) writeSetting(environment, nameOf(name), undefined);
    else if (verb !== undefined)
      throw new UsageError('use config, config set <name> <value>, or config unset <name>', 'config');
    const found = names.map((each) => {
      const setting = settingInForce(each, environment);
      // A node's URL may contain an API key in its path.
      const isShown = each !== 'rpc' || setting.value === undefined || !URL.canParse(setting.value);
      return [each, isShown ? setting : { ...setting, value: new URL(setting.value!).origin }] as const;
    });
    const document = Object.fromEntries(
      found.map(([each, setting]) => [each, { value: setting.value ?? null, from: setting.from }]),
    );
    printDocument({ json, terminal }, document, () =>
      table(
        [{ title: 'NAME' }, { title: 'VALUE' }, { title: 'FROM' }],
        found.map(([each, setting]) => [each, setting.value ?? '-', setting.from]),
      ),
    );
    return 'ok';
  },
};

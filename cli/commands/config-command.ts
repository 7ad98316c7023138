// The command that shows and stores defaults for options.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, type CommandCall, printDocument } from '../command.ts';
import {
  expandTilde,
  SETTINGS,
  type Setting,
  type SettingName,
  settingInForce,
  writeSetting,
} from '../local/option-defaults.ts';
import { formatTable } from '../show/align-columns.ts';
import { UsageError } from '../usage-error.ts';

const names = Object.keys(SETTINGS) as readonly SettingName[];

const nameOf = (text: string | undefined): SettingName => {
  const name = names.find((each) => each === text);
  if (name === undefined) throw new UsageError(`name one of: ${names.join(', ')}`, 'config');
  return name;
};

/** Returns the effective value of a setting in a form that is safe to print. */
const shownSetting = (name: SettingName, { terminal, values }: CommandCall): Setting => {
  const given = values[name];
  const setting = settingInForce(name, terminal.environment, typeof given === 'string' ? given : undefined);
  const { value } = setting;
  // A node's URL may contain an API key in its path.
  return name !== 'rpc' || value === undefined || !URL.canParse(value)
    ? setting
    : { ...setting, value: new URL(value).origin };
};

/** Describes the saved change, and any setting that takes precedence over it. */
const savedLines = ({ from }: Setting): string[] => [
  from === 'holdfast config' ? 'Saved.' : `Saved. ${from} overrides it here.`,
];

export const config: Command = {
  name: 'config',
  summary: 'Show or set default option values',
  usage: '[get <name> | set <name> <value> | unset <name>]',
  takes: [0, 3],
  firstWords: ['get', 'set', 'unset'],
  secondWords: names,
  details: [
    `Names: ${names.map((name) => `${name} (${SETTINGS[name]})`).join(', ')}.`,
    "Precedence: options, environment variables, values stored here, the Solana CLI's configuration. Only the path of the keypair file is stored, never the key.",
  ],
  examples: ['config', 'config get url', 'config set url https://stake.example.org', 'config unset url'],
  async run(call) {
    const { args, terminal, json } = call;
    const { environment } = terminal;
    const checked = (name: SettingName, value: string): string => {
      if (name === 'keypair') return resolve(expandTilde(value, environment));
      if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
        throw new UsageError(`${name} must be a URL that begins with http:// or https://`, 'config');
      return value;
    };
    const [verb, name, value] = args;
    if (verb === 'get' && args.length === 2) {
      const setting = shownSetting(nameOf(name), call);
      if (setting.value === undefined && !json) terminal.err(`${name} is not set\n`);
      printDocument(call, { value: setting.value ?? null, from: setting.from }, () =>
        setting.value === undefined ? [] : [setting.value],
      );
      return setting.value === undefined ? 'refused' : 'ok';
    }
    if (verb === 'set' && args.length === 3) {
      const stored = checked(nameOf(name), value!);
      writeSetting(environment, nameOf(name), stored);
      if (name === 'keypair' && !existsSync(stored) && !json)
        terminal.err(`! ${stored} does not exist; create it with holdfast keygen ${stored}\n`);
    } else if (verb === 'unset' && args.length === 2) writeSetting(environment, nameOf(name), undefined);
    else if (verb !== undefined)
      throw new UsageError(
        'use config, config get <name>, config set <name> <value>, or config unset <name>',
        'config',
      );
    const found = names.map((each) => [each, shownSetting(each, call)] as const);
    const document = Object.fromEntries(
      found.map(([each, setting]) => [each, { value: setting.value ?? null, from: setting.from }]),
    );
    printDocument(call, document, () => [
      ...(verb === 'set' ? savedLines(shownSetting(nameOf(name), call)) : []),
      ...formatTable(
        [{ title: 'NAME' }, { title: 'VALUE' }, { title: 'FROM' }],
        found.map(([each, setting]) => [each, setting.value ?? '-', setting.from]),
      ),
    ]);
    return 'ok';
  },
};

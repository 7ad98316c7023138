// Defaults of the command line: settings of `holdfast config`, and those of Solana's own command line.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { localPath, readLocalJson, replaceLocalJson } from './state-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Values that can be set by option, environment variable or `holdfast config`. */
export const SETTINGS = {
  url: 'URL of the service',
  keypair: 'keypair file of the wallet',
  rpc: 'your RPC node',
} as const;

export type SettingName = keyof typeof SETTINGS;

type Settings = Readonly<Partial<Record<SettingName, string>>>;

const DEFAULT_URL = 'http://127.0.0.1:3000';

const settingsPath = (environment: Environment): string => localPath(environment, 'config.json');

const readSettings = (environment: Environment): Settings => {
  const path = settingsPath(environment);
  const stored = readLocalJson(path) ?? {};
  if (
    typeof stored !== 'object' ||
    stored === null ||
    Object.values(stored).some((one) => typeof one !== 'string')
  )
    throw new UsageError(`${path} is damaged. Repair it or move it elsewhere`);
  return stored as Settings;
};

/** Stores a setting; undefined removes it. Throws `UsageError` if the file cannot be read. */
export const writeSetting = (
  environment: Environment,
  name: SettingName,
  value: string | undefined,
): void => {
  const { [name]: _, ...others } = readSettings(environment);
  replaceLocalJson(settingsPath(environment), value === undefined ? others : { ...others, [name]: value });
};

const homeOf = ({ HOME }: Environment): string => HOME || homedir();

/** Expands `~` like a shell. */
export const expandTilde = (path: string, environment: Environment): string =>
  path.startsWith('~/') ? join(homeOf(environment), path.slice(2)) : path;

/** Reads the two relevant lines of Solana's own configuration; empty if there is no such file. */
const readSolanaConfig = (environment: Environment): { keypair?: string; rpcUrl?: string } => {
  let text: string;
  try {
    text = readFileSync(join(homeOf(environment), '.config', 'solana', 'cli', 'config.yml'), 'utf8');
  } catch {
    return {};
  }
  const lineOf = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(["']?)(.+?)\\1[ \\t]*$`, 'm').exec(text)?.[2];
  const [keypair, rpcUrl] = [lineOf('keypair_path'), lineOf('json_rpc_url')];
  return {
    ...(keypair === undefined ? {} : { keypair: expandTilde(keypair, environment) }),
    ...(rpcUrl === undefined ? {} : { rpcUrl }),
  };
};

/** Returns the path of Solana's own key, if it exists. */
const solanaKeypair = (environment: Environment): string | undefined => {
  const path = join(homeOf(environment), '.config', 'solana', 'id.json');
  return existsSync(path) ? path : undefined;
};

/** The effective value of a setting, and its source. */
export interface Setting {
  readonly value: string | undefined;
  readonly from: string;
}

/**
 * Returns the effective value of `name`: the first of the option `given`, the environment variable, the value
 * stored by `holdfast config`, Solana's own configuration, and the default. Throws `UsageError` if the stored
 * settings cannot be read.
 */
export const settingInForce = (
  name: SettingName,
  environment: Environment,
  given?: string | undefined,
): Setting => {
  const stored = () => readSettings(environment)[name];
  const places: Readonly<Record<SettingName, readonly (readonly [string, () => string | undefined])[]>> = {
    url: [
      ['HOLDFAST_URL', () => environment.HOLDFAST_URL],
      ['holdfast config', stored],
      ['default', () => DEFAULT_URL],
    ],
    keypair: [
      ['HOLDFAST_KEYPAIR', () => environment.HOLDFAST_KEYPAIR],
      ['holdfast config', stored],
      ['solana config', () => readSolanaConfig(environment).keypair],
      ["Solana's default", () => solanaKeypair(environment)],
    ],
    rpc: [
      ['holdfast config', stored],
      ['solana config', () => readSolanaConfig(environment).rpcUrl],
    ],
  };
  if (given !== undefined) return { value: given, from: `--${name}` };
  for (const [from, read] of places[name]) {
    const value = read();
    if (value) return { value, from };
  }
  return { value: undefined, from: 'not set' };
};

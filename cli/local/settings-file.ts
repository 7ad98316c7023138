// What the command line uses where nothing is given: settings of `holdfast config`, and those of Solana's own command line.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { localPath, readLocalJson, replaceLocalJson } from './state-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What may be given by option, environment variable or `holdfast config`, and what each is. */
export const SETTINGS = {
  url: 'where the service is',
  keypair: 'keypair file of the wallet',
  rpc: 'your RPC node',
} as const;

/** The name of one. */
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
    throw new UsageError(`${path} is damaged: repair it or move it away`);
  return stored as Settings;
};

/** Stores one; undefined takes it away. Throws `UsageError` for a file that cannot be read. */
export const writeSetting = (
  environment: Environment,
  name: SettingName,
  value: string | undefined,
): void => {
  const { [name]: _, ...others } = readSettings(environment);
  replaceLocalJson(settingsPath(environment), value === undefined ? others : { ...others, [name]: value });
};

const homeOf = ({ HOME }: Environment): string => HOME || homedir();

/** A path as a shell would read it. */
export const withoutTilde = (path: string, environment: Environment): string =>
  path.startsWith('~/') ? join(homeOf(environment), path.slice(2)) : path;

/** The two lines of Solana's own configuration that are of use here; empty where there is no such file. */
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
    ...(keypair === undefined ? {} : { keypair: withoutTilde(keypair, environment) }),
    ...(rpcUrl === undefined ? {} : { rpcUrl }),
  };
};

/** Solana's own key, where it is. */
const solanaKeypair = (environment: Environment): string | undefined => {
  const path = join(homeOf(environment), '.config', 'solana', 'id.json');
  return existsSync(path) ? path : undefined;
};

/** A setting as it is in force. */
export interface Setting {
  readonly value: string | undefined;
  readonly from: string;
}

/**
 * What is in force of `name`: what was `given` as an option, else the environment's, else what `holdfast config` stored, else Solana's own
 * configuration, else the default. Throws `UsageError` where the stored ones cannot be read.
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

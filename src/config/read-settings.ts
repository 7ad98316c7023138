// Parses all settings from the process environment and collects all problems. No other code reads the
// environment.
import { nearestName } from './nearest-name.ts';
import { Problem } from './parsers.ts';
import {
  commandLineNames,
  type SettingKey,
  type SettingValues,
  settingRows,
  testRunnerNames,
} from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parsed settings. `values` omits the settings that have a problem; `given` lists the names of all variables
 * that are set.
 */
export interface ReadSettings {
  readonly values: Partial<SettingValues>;
  readonly given: ReadonlySet<SettingKey>;
  readonly problems: readonly string[];
}

const PREFIX = 'HOLDFAST_';
const knownNames = [...settingRows.map(([, { name }]) => name), ...commandLineNames];

const unknownNameProblem = (name: string): string => {
  const bare = name.slice(PREFIX.length);
  const meant = knownNames.includes(bare)
    ? bare
    : (nearestName(
        bare,
        knownNames.map((known) => known.replace(PREFIX, '')),
      ) ?? knownNames.find((known) => known.startsWith(`${name}_`))?.slice(PREFIX.length));
  const suggestion = meant && (knownNames.includes(PREFIX + meant) ? PREFIX + meant : meant);
  return `${name} is not a setting${suggestion ? `; did you mean ${suggestion}?` : ' (npm start -- --help lists them)'}`;
};

/** Reads all settings. An empty variable counts as absent. Problems name the variable, never its value. */
export const readSettings = (environment: Environment = process.env): ReadSettings => {
  const values: Partial<Record<SettingKey, unknown>> = {};
  const given = new Set<SettingKey>();
  const problems: string[] = [];
  for (const [key, setting] of settingRows) {
    const text = environment[setting.name]?.trim() || undefined;
    if (text !== undefined) given.add(key);
    const source = text ?? setting.defaultText;
    const value = source === undefined ? undefined : setting.parser.parse(source);
    if (value instanceof Problem) problems.push(`${setting.name} ${value.text}`);
    else values[key] = value;
  }
  for (const name of Object.keys(environment).sort()) {
    const known = !name.startsWith(PREFIX) || knownNames.includes(name) || testRunnerNames.includes(name);
    if (!known && environment[name] !== undefined) problems.push(unknownNameProblem(name));
  }
  return { values: values as Partial<SettingValues>, given, problems };
};

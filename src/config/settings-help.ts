// Prints the settings for `npm start -- --help` and for the table in docs/settings.md.
import { settingRows } from './settings.ts';

const HELP_WIDTH = 100;
const INDENT = 4;

/** Wraps text at spaces to the width of the help. A longer word gets its own line. */
const wrap = (text: string): string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= HELP_WIDTH - INDENT)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => ' '.repeat(INDENT) + line);
};

/** Builds the output of `npm start -- --help`. */
export const helpText = (): string =>
  [
    'Usage: npm start [-- --help]',
    '',
    'Starts Holdfast. Without settings, it runs offline on its own sandbox cluster. Settings are environment',
    'variables; lists are separated by commas; an empty variable counts as absent.',
    '',
    ...settingRows.flatMap(([, setting]) => [
      `  ${setting.name}`,
      ...wrap(setting.description),
      ...wrap(`${setting.parser.accepts}${setting.shownDefault && `; default: ${setting.shownDefault}`}`),
    ]),
    '',
  ].join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Builds the table of settings in docs/settings.md: Markdown, one line per setting. */
export const settingsMarkdown = (): string =>
  [
    '| Setting | Default | Values | Meaning |',
    '|---|---|---|---|',
    ...settingRows.map(([, setting]) => {
      const { name, shownDefault, defaultText, description, parser } = setting;
      const shown = defaultText === undefined ? shownDefault : `\`${defaultText}\``;
      return `| \`${name}\` | ${cell(shown)} | ${cell(parser.accepts)} | ${cell(description)} |`;
    }),
  ].join('\n');

const START = '<!-- settings:start -->';
const END = '<!-- settings:end -->';

/** Returns `page` with an up-to-date table between its two markers, or undefined if a marker is missing. */
export const withSettingsTable = (page: string): string | undefined => {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) return undefined;
  return `${page.slice(0, start + START.length)}\n${settingsMarkdown()}\n${page.slice(end)}`;
};

// Writes a log line of JSON as a line for people: time, what happened, and the figures beside it.
import { styleText } from 'node:util';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: styleText('yellow', 'warning'),
  50: styleText('red', 'error'),
  60: styleText('red', 'fatal'),
};

/** Control characters, those that steer a terminal among them. */
const CONTROL = /\p{Cc}+/gu;

interface LoggedError {
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const isError = (value: unknown): value is LoggedError =>
  typeof value === 'object' && value !== null && 'message' in value;

/** An error with what it was caused by; its stack stays in the JSON form. */
const errorText = ({ message = '', cause }: LoggedError): string =>
  cause === undefined ? message : `${message} (${errorText(cause)})`;

const memberText = (value: unknown): string => {
  if (isError(value)) return errorText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The line as a terminal shows it, with its line feed; text that is no log line stays as it is. */
export const formatLogLine = (line: string): string => {
  let logged: Record<string, unknown>;
  try {
    logged = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, msg, ...members } = logged;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  // What comes from outside must not steer the terminal.
  const plain = (text: string): string => text.replaceAll(CONTROL, ' ');
  const beside = Object.entries(members).map(([name, value]) => plain(`${name}: ${memberText(value)}`));
  const parts = [
    styleText('dim', clock),
    LEVELS[Number(level)],
    plain(String(msg ?? '')),
    beside.length === 0 ? '' : styleText('dim', beside.join(', ')),
  ];
  return `${parts.filter(Boolean).join('  ')}\n`;
};

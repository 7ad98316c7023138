// Formats a JSON log line for a terminal: time, message and fields.
import { styleText } from 'node:util';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: styleText('yellow', 'warning'),
  50: styleText('red', 'error'),
  60: styleText('red', 'fatal'),
};

/** Control characters, including terminal escape sequences. */
const CONTROL = /\p{Cc}+/gu;

interface LoggedError {
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const isError = (value: unknown): value is LoggedError =>
  typeof value === 'object' && value !== null && 'message' in value;

/** Formats an error with its causes. Only the JSON form includes the stack. */
const errorText = ({ message = '', cause }: LoggedError): string =>
  cause === undefined ? message : `${message} (${errorText(cause)})`;

const memberText = (value: unknown): string => {
  if (isError(value)) return errorText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Formats the line for a terminal, including a line feed. Text that is not a log line stays unchanged. */
export const formatLogLine = (line: string): string => {
  let logged: Record<string, unknown>;
  try {
    logged = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, msg, ...members } = logged;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  // External text must not control the terminal.
  const plain = (text: string): string => text.replaceAll(CONTROL, ' ');
  const details = Object.entries(members).map(([name, value]) => plain(`${name}: ${memberText(value)}`));
  const parts = [
    styleText('dim', clock),
    LEVELS[Number(level)],
    plain(String(msg ?? '')),
    details.length === 0 ? '' : styleText('dim', details.join(', ')),
  ];
  return `${parts.filter(Boolean).join('  ')}\n`;
};

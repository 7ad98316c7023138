// Input and output of a command, replaceable in tests.
import { createInterface } from 'node:readline/promises';
import { type ClientClock, machineClock } from '../../client/client-clock.ts';
import { createPaint, type Paint, wantsColor } from './terminal-colors.ts';

export interface Terminal {
  /** Writes to standard output. The text includes its line break. */
  readonly out: (text: string) => void;
  /** Writes to standard error. */
  readonly err: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if standard output is a terminal. Lines may then be redrawn, and JSON is indented. */
  readonly isScreen: boolean;
  /** Width of standard output in characters; 80 if unknown. */
  readonly columns: number;
  /** True if the user can answer questions: standard input and standard error are terminals. */
  readonly canAsk: boolean;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  /**
   * Asks on standard error, so standard output stays clean. Returns an empty text if the user does not answer.
   * Rejects when the signal is aborted.
   */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string>;
  readonly clock: ClientClock;
}

const DEFAULT_COLUMNS = 80;
/** Maximum width of a table, also in a file. */
const MAX_TABLE_COLUMNS = 100;

export const tableColumns = ({ isScreen, columns }: Pick<Terminal, 'isScreen' | 'columns'>): number =>
  isScreen ? Math.min(columns, MAX_TABLE_COLUMNS) : MAX_TABLE_COLUMNS;

/** Asks the question and returns true if the answer is yes. */
export const confirmsWithYes = async (
  { ask }: Pick<Terminal, 'ask'>,
  question: string,
  signal: AbortSignal,
): Promise<boolean> => /^y(es)?$/i.test((await ask(`${question} [y/N] `, signal)).trim());

/** Creates the terminal of this process. `noColor` is set by `--no-color`. */
export const processTerminal = (noColor: boolean): Terminal => {
  const { stdin, stdout, stderr, env } = process;
  const paint = (isTty: boolean | undefined): Paint => createPaint(wantsColor(isTty === true, env, noColor));
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    environment: env,
    isScreen: stdout.isTTY === true && env.TERM !== 'dumb',
    columns: stdout.columns || DEFAULT_COLUMNS,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    paintOut: paint(stdout.isTTY),
    paintErr: paint(stderr.isTTY),
    ask: async (question, signal) => {
      const lines = createInterface({ input: stdin, output: stderr });
      // While a question is open, Ctrl-C and Ctrl-D (which means no) reach only `readline`, not the process.
      const left = new Promise<null>((leave) => lines.once('close', () => leave(null)));
      lines.once('SIGINT', () => process.emit('SIGINT'));
      const answered = lines.question(question, { signal });
      // If `lines` closes first, nothing awaits this promise, so its rejection is handled here.
      answered.catch(() => undefined);
      try {
        const answer = await Promise.race([answered, left]);
        // Ends the line of the open question.
        if (answer === null) stderr.write('\n');
        return answer ?? '';
      } finally {
        lines.close();
      }
    },
    clock: machineClock,
  };
};

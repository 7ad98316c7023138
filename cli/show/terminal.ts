// Input and output of a command; replaced in tests.
import { createInterface } from 'node:readline/promises';
import { type ClientClock, machineClock } from '../../client/client-clock.ts';
import { createPaint, type Paint, wantsColour } from './style.ts';

/** The terminal and environment of one program run. */
export interface Terminal {
  /** Writes to standard output. The text includes its line break. */
  readonly out: (text: string) => void;
  /** Writes to standard error. */
  readonly err: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if a person reads standard output on a screen. Lines may then be redrawn, and JSON is indented. */
  readonly isScreen: boolean;
  /** True if a person can answer questions. */
  readonly canAsk: boolean;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  /**
   * Asks on standard error, so that standard output stays clean. Returns an empty text if the person leaves
   * without an answer. Rejects when the signal is aborted.
   */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string>;
  readonly clock: ClientClock;
}

/** True if the person answers the question with yes. */
export const saysYes = async (
  { ask }: Pick<Terminal, 'ask'>,
  question: string,
  signal: AbortSignal,
): Promise<boolean> => /^y(es)?$/i.test((await ask(`${question} [y/N] `, signal)).trim());

/** Creates the terminal of this process. `noColour` is set by `--no-color`. */
export const processTerminal = (noColour: boolean): Terminal => {
  const { stdin, stdout, stderr, env } = process;
  const paint = (isTty: boolean | undefined): Paint =>
    createPaint(wantsColour(isTty === true, env, noColour));
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    environment: env,
    isScreen: stdout.isTTY === true && env.TERM !== 'dumb',
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    paintOut: paint(stdout.isTTY),
    paintErr: paint(stderr.isTTY),
    ask: async (question, signal) => {
      const lines = createInterface({ input: stdin, output: stderr });
      // An open question hides Ctrl-D and Ctrl-C from the process. Both mean no.
      const left = new Promise<null>((leave) => lines.once('close', () => leave(null)));
      lines.once('SIGINT', () => lines.close());
      const answered = lines.question(question, { signal });
      // If `lines` closes first, nothing awaits this promise, and its rejection must not be unhandled.
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

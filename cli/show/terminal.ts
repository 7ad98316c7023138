// What a command may do with the outside: write, ask, and know who reads. Tests give their own.
import { createInterface } from 'node:readline/promises';
import { createPaint, type Paint, wantsColour } from './style.ts';

/** One program run's surroundings. */
export interface Terminal {
  /** Standard output; the text ends with its own line break. */
  readonly out: (text: string) => void;
  /** Standard error. */
  readonly err: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard output is a screen that a person looks at: lines may be drawn over, and JSON is indented. */
  readonly isScreen: boolean;
  /** A person can answer. */
  readonly canAsk: boolean;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  /** Asks on standard error, so that standard output stays clean; empty where the person leaves without an answer. Rejects when the signal aborts. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string>;
  readonly now: () => number;
}

/** This process's own. `noColour` is what `--no-color` says. */
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
      // Ctrl-D, and Ctrl-C, which an open line keeps from the process: both are a no.
      const left = new Promise<null>((leave) => lines.once('close', () => leave(null)));
      lines.once('SIGINT', () => lines.close());
      const answered = lines.question(question, { signal });
      // Where the line closes first, nobody waits for it any more.
      answered.catch(() => undefined);
      try {
        const answer = await Promise.race([answered, left]);
        // The question's own line is still open.
        if (answer === null) stderr.write('\n');
        return answer ?? '';
      } finally {
        lines.close();
      }
    },
    now: Date.now,
  };
};

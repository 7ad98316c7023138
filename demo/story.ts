// Prints a sequence of steps: one line per step with its result and link, or its error.

/** Result of a step: a value for later steps, and a text and a link to print. */
interface StepResult<Value> {
  readonly value: Value;
  readonly result: string;
  readonly link?: string;
}

/** Prints steps while they run. */
export interface Story {
  readonly tell: (line: string) => void;
  readonly step: <Value>(title: string, play: () => Promise<StepResult<Value>>) => Promise<Value>;
  readonly stepCount: () => number;
}

const paint = (code: number, text: string, color: boolean): string =>
  color ? `\u001b[${code}m${text}\u001b[0m` : text;

/** Creates a `Story` that prints to `out`, in color only on a terminal. */
export const createStory = (out: NodeJS.WritableStream & { isTTY?: boolean }): Story => {
  const color = out.isTTY === true;
  let count = 0;
  const tell = (line: string): void => void out.write(`${line}\n`);
  return {
    tell,
    stepCount: () => count,
    step: async (title, play) => {
      count += 1;
      const number = String(count).padStart(2);
      try {
        const { value, result, link } = await play();
        tell(
          `${paint(32, '✓', color)} ${number}  ${title}\n       ${result}${link ? `\n       ${paint(36, link, color)}` : ''}`,
        );
        return value;
      } catch (error) {
        tell(`${paint(31, '✗', color)} ${number}  ${title}`);
        throw error;
      }
    },
  };
};

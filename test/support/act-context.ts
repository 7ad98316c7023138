// Runs operations on a real intent log and a scripted chain that ends each submission as the test specifies and
// records its calls.
import type { Signature } from '@solana/kit';
import { pino } from 'pino';
import { z } from 'zod';
import type { Submission, SubmissionOutcome, Submitter } from '../../src/chain/ports.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { IntentsInFlight } from '../../src/operations/act/intents/intents-in-flight.ts';
import type { IntentWork } from '../../src/operations/act/intents/perform-intent-once.ts';
import type { Context } from '../../src/operations/context.ts';
import type { IntentLog } from '../../src/store/intent-log.ts';
import { type ContextParts, withParts } from './context-parts.ts';

/** The outcome of a submission, or a promise if the test decides when it ends. */
export type ScriptedEnd = SubmissionOutcome | Error | Promise<SubmissionOutcome>;

/** A submitter that ends each submission with the next outcome in `ends`. */
interface ScriptedSubmitter extends Submitter {
  readonly submitted: Submission[];
  readonly ends: ScriptedEnd[];
}

/** Creates a submitter that throws if there are more submissions than the test expects. */
export const createScriptedSubmitter = (...ends: ScriptedEnd[]): ScriptedSubmitter => {
  const submitted: Submission[] = [];
  return {
    submitted,
    ends,
    inFlight: 0,
    settle: async () => null,
    submit: async (submission, signal) => {
      signal.throwIfAborted();
      submitted.push(submission);
      const end = ends.shift();
      if (end === undefined) throw new Error('the test did not expect this submission');
      if (end instanceof Error) throw end;
      return await new Promise<SubmissionOutcome>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        Promise.resolve(end).then(resolve, reject);
      });
    },
  };
};

/** Creates a context with the parts that an operation needs. Using any other part throws. */
export const actContext = (intents: IntentLog, submitter: Submitter, overrides: ContextParts = {}): Context =>
  withParts(
    {
      store: { intents, flights: new IntentsInFlight() },
      chain: { submitter },
      service: { lifetime: new AbortController().signal },
      clock: systemClock,
      logger: pino({ level: 'silent' }),
    },
    overrides,
  );

/** Returns a signed submission with this signature. */
export const submissionNamed = (signature: string): Submission => ({
  signature: signature as Signature,
  wireBytes: new TextEncoder().encode(`bytes of ${signature}`),
  lastValidBlockHeight: 1_000n,
});

const exampleResponseSchema = z.object({ signature: z.string(), slot: z.string().nullable() });

interface ExampleResponse {
  readonly signature: string;
  readonly slot: string | null;
}

/** Returns work that stakes for `wallet` with `key`. The signatures are `sig-1`, `sig-2` and so on. */
export const exampleWork = (
  overrides: Partial<IntentWork<ExampleResponse>> = {},
): IntentWork<ExampleResponse> & { readonly signings: () => number } => {
  let signings = 0;
  return {
    id: { operation: 'stake', wallet: 'wallet', key: 'key' },
    parameters: '{"amountLamports":"2000000000"}',
    source: 'rest',
    sign: async () => {
      signings += 1;
      return { submission: submissionNamed(`sig-${signings}`) };
    },
    respond: ({ signature, slot }) => ({ signature, slot: slot?.toString() ?? null }),
    responseSchema: exampleResponseSchema,
    refusal: (error) => Object.assign(new Error('refused'), { chainError: error }) as never,
    signings: () => signings,
    ...overrides,
  };
};

// Complete, plausible intents and submissions. A test sets only the fields under test.
import type { IntentLog, IntentRecord, SubmissionRecord } from '../../src/store/intent-log.ts';

type NewSubmission = Omit<SubmissionRecord, 'state' | 'slot' | 'error'>;
type NewIntent = Parameters<IntentLog['recordSigned']>[0];

/** Returns a signed submission with this signature, whose bytes contain the signature's text. */
export const exampleSubmission = (
  signature: string,
  overrides: Partial<NewSubmission> = {},
): NewSubmission => ({
  signature,
  wireBytes: new TextEncoder().encode(`bytes of ${signature}`),
  lastValidBlockHeight: 1_000n,
  nonce: null,
  ...overrides,
});

/** Returns an intent whose transaction has just been signed. `signature` is its signature. */
export const exampleIntent = (
  signature: string,
  overrides: Partial<Omit<IntentRecord, 'submission' | 'response'>> & { submission?: NewSubmission } = {},
): NewIntent => ({
  operation: 'stake',
  wallet: 'wallet',
  key: 'key',
  parameters: '{"amountLamports":"2000000000"}',
  source: 'rest',
  createdAtMs: 1_800_000_000_000,
  submission: exampleSubmission(signature),
  ...overrides,
});

// What is kept so that no intent is carried out twice: each intent's parameters, and each signed submission with how it ended.
import type { CallSource } from '../domain/call-source.ts';
import type { RecognisedKind } from '../domain/transaction/transaction-kinds.ts';

/**
 * Whose names the keys are: one name space for each one-shot operation, and `submit` for whatever is submitted. Up to 0.1.0 submit wrote
 * its rows under the kind of the transaction, `donate` and `other` among them.
 */
export type IntentOperation = RecognisedKind | 'submit';

/** One intent: the caller's wish under its idempotency key. */
export interface IntentId {
  readonly operation: IntentOperation;
  readonly wallet: string;
  /** The caller's idempotency key, the service's own, or the signature for keyless submits. */
  readonly key: string;
}

/** How a signed submission stands. `signed` means: it may be under way, only the chain knows. */
export type SubmissionState = 'signed' | 'confirmed' | 'failed' | 'expired' | 'refused';

/** A signed transaction, on disk before its first broadcast. */
export interface SubmissionRecord {
  readonly signature: string;
  readonly wireBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly nonce: { readonly account: string; readonly value: string } | null;
  readonly state: SubmissionState;
  readonly slot: bigint | null;
  /** The chain's error as JSON text, null when none. */
  readonly error: string | null;
}

/** An intent with its latest submission. */
export interface IntentRecord extends IntentId {
  /** Canonical JSON of what was asked; another text under the same key is another wish. */
  readonly parameters: string;
  readonly source: CallSource;
  readonly createdAtMs: number;
  readonly submission: SubmissionRecord;
  /** The confirmed answer as JSON text, null until then. */
  readonly answer: string | null;
}

/** Durable memory of intents. Every write is on disk when its promise resolves; a lost store rejects with `STORE_UNAVAILABLE`. */
export interface IntentLog {
  readonly find: (id: IntentId) => Promise<IntentRecord | null>;
  readonly findSubmission: (signature: string) => Promise<SubmissionRecord | null>;
  /**
   * Records a newly signed submission for an intent. `replaces` names the submission it takes the place of (proven expired, refused
   * or failed), null for the first. Returns false, and changes nothing, when another process recorded one meanwhile or another intent
   * has these very bytes: a submission belongs to one intent.
   */
  readonly recordSigned: (
    intent: Omit<IntentRecord, 'submission' | 'answer'> & {
      readonly submission: Omit<SubmissionRecord, 'state' | 'slot' | 'error'>;
    },
    replaces: string | null,
  ) => Promise<boolean>;
  /** Notes that recorded bytes which were refused or expired are being sent again; those in any other state stay as they are. */
  readonly resendSubmission: (signature: string) => Promise<void>;
  /**
   * Settles a submission; `answer` is kept with its intent when confirmed, null leaves what is kept. One that landed is never unlanded
   * again by a process that did not see it.
   */
  readonly settle: (
    signature: string,
    outcome: {
      readonly state: SubmissionState;
      readonly slot: bigint | null;
      readonly error: string | null;
      readonly answer: string | null;
    },
  ) => Promise<void>;
  /** Intents whose submission is still `signed`: what a restart has to settle. */
  readonly unsettled: () => Promise<readonly IntentRecord[]>;
  /**
   * Forgets settled intents, but for stakes that were made and signed here, that are older than `olderThanMs` (wall clock), and the submissions
   * that no intent names any more, a few hundred rows at a time. Returns how many intents went.
   */
  readonly forgetBefore: (olderThanMs: number) => Promise<number>;
}

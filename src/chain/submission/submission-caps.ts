// Limits concurrent submissions per fee payer and per client.
import { AppError } from '../../kernel/app-error.ts';
import type { SentenceFigures } from '../../kernel/sentence.ts';

/** Lanes are counted separately, so that relayed transactions never block our own. */
type SubmissionLane = 'own' | 'other';

/**
 * Maximum number of concurrent submissions for one fee payer, per lane. Wallets need no more, and four
 * submissions reserve at most four times the fee.
 */
const MAX_PER_FEE_PAYER = 4;
/** Maximum number of concurrent submissions for one client, per lane. */
const MAX_PER_CLIENT: Readonly<Record<SubmissionLane, number>> = { own: 32, other: 8 };
/** Seconds after which a running submission has very likely ended. */
const RETRY_AFTER_SECONDS = 5;

/** Payer and client of a submission. `client` is the rate-limit key of the caller's network. */
export interface SubmissionPayer {
  readonly lane: SubmissionLane;
  readonly client: string;
  readonly feePayer: string;
  readonly signature: string;
}

/**
 * Counts the running submissions of this process. A repeated transaction joins its first submission and
 * counts once.
 */
export class SubmissionCaps {
  readonly #underWay = new Map<string, { readonly submitted: SubmissionPayer; holders: number }>();

  /**
   * Counts a submission until the returned handle is disposed. Throws `AppError('RATE_LIMITED')` if the payer
   * or the network already has too many submissions in progress.
   */
  admit(submitted: SubmissionPayer): Disposable {
    const { signature } = submitted;
    const joined = this.#underWay.get(signature);
    if (joined === undefined) this.#refuseTooMany(submitted);
    const held = joined ?? { submitted, holders: 0 };
    held.holders += 1;
    this.#underWay.set(signature, held);
    return {
      [Symbol.dispose]: () => {
        held.holders -= 1;
        if (held.holders === 0) this.#underWay.delete(signature);
      },
    };
  }

  #refuseTooMany({ lane, client, feePayer }: SubmissionPayer): void {
    let [ofPayer, ofClient] = [0, 0];
    for (const { submitted } of this.#underWay.values()) {
      if (submitted.lane !== lane) continue;
      if (submitted.feePayer === feePayer) ofPayer += 1;
      if (submitted.client === client) ofClient += 1;
    }
    if (ofPayer >= MAX_PER_FEE_PAYER)
      throw tooMany('PAYER', '{limit} transactions paid for by {feePayer}', {
        limit: MAX_PER_FEE_PAYER,
        feePayer,
      });
    if (ofClient >= MAX_PER_CLIENT[lane])
      throw tooMany('NETWORK', '{limit} transactions from your network', { limit: MAX_PER_CLIENT[lane] });
  }
}

const tooMany = (of: 'PAYER' | 'NETWORK', what: string, params: SentenceFigures): AppError =>
  new AppError('RATE_LIMITED', `${what} are already in progress; this one was not sent.`, {
    reason: `SUBMISSIONS_OF_${of}`,
    params,
    suggestedAction: 'Wait until one of them is done, then submit the same transaction again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

// Limits concurrent submissions per fee payer and per client.
import { AppError } from '../../kernel/app-error.ts';

/** Transactions of ours never wait behind anything else that is relayed. */
type SubmissionLane = 'own' | 'other';

/** Under way at once for one fee payer, in each lane: a wallet has no use for more, and four bind at most four times the fee. */
const MOST_PER_FEE_PAYER = 4;
/** Under way at once for one client, by lane. */
const MOST_PER_CLIENT: Readonly<Record<SubmissionLane, number>> = { own: 32, other: 8 };
/** By then one of those under way has very likely ended, seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Whose submission it is. `client` is the caller's network as the rate limit counts it. */
export interface Submitted {
  readonly lane: SubmissionLane;
  readonly client: string;
  readonly feePayer: string;
  readonly signature: string;
}

/** Counts those under way in this process. The same bytes again join the first and count once. */
export class SubmissionCaps {
  readonly #underWay = new Map<string, { readonly submitted: Submitted; holders: number }>();

  /** Counts one until it is disposed. Throws `RATE_LIMITED`. */
  admit(submitted: Submitted): Disposable {
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

  #refuseTooMany({ lane, client, feePayer }: Submitted): void {
    let [ofPayer, ofClient] = [0, 0];
    for (const { submitted } of this.#underWay.values()) {
      if (submitted.lane !== lane) continue;
      if (submitted.feePayer === feePayer) ofPayer += 1;
      if (submitted.client === client) ofClient += 1;
    }
    if (ofPayer >= MOST_PER_FEE_PAYER)
      throw tooMany(`${MOST_PER_FEE_PAYER} transactions that ${feePayer} pays for`);
    if (ofClient >= MOST_PER_CLIENT[lane])
      throw tooMany(`${MOST_PER_CLIENT[lane]} transactions of your network`);
  }
}

const tooMany = (what: string): AppError =>
  new AppError('RATE_LIMITED', `${what} are already in progress; this one was not sent.`, {
    suggestedAction: 'Wait until one of them has ended, then submit the same transaction again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

// Ensures that one idempotency key makes at most one stake, in one call or by a builder and a submission. The two
// have records of their own, because for other changes their keys are independent.
import { idempotencyKeyReused } from '../act/intents/intents-in-flight.ts';
import { recognizeWire } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';

interface StakeOfKey {
  readonly wallet: string;
  readonly key: string;
  readonly operation: 'stake' | 'submit';
  /** Canonical JSON of the request's parameters. */
  readonly parameters: string;
}

/** Runs `make`. Throws `IDEMPOTENCY_KEY_REUSED` if a stake was, or is being, made with this key in the other way. */
export const oneStakePerKey = <Body>(
  ctx: Context,
  { wallet, key, operation, parameters }: StakeOfKey,
  make: () => Promise<Body>,
): Promise<Body> =>
  ctx.store.flights.run(['stake', 'once', wallet, key], `${operation} ${parameters}`, async () => {
    const other = operation === 'stake' ? 'submit' : 'stake';
    const known = await ctx.store.intents.find({ operation: other, wallet, key });
    if (known && ['signed', 'confirmed'].includes(known.submission.state)) {
      const isStake =
        other === 'stake' || recognizeWire(ctx, known.submission.wireBytes).seen.kind === 'stake';
      if (isStake) throw idempotencyKeyReused();
    }
    return make();
  });

// Ensures that one idempotency key makes at most one stake, in one call or by a builder and a submission. The two
// have records of their own, because for other changes their keys are independent.
import { recognizeWire } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';
import { keyDone, keyInFlight } from '../plan/refuse-used-key.ts';
import { alreadyStaked } from './already-staked-error.ts';

interface StakeOfKey {
  readonly wallet: string;
  readonly key: string;
  readonly operation: 'stake' | 'submit';
  /** Canonical JSON of the request's parameters. */
  readonly parameters: string;
  readonly lamports: bigint;
}

/**
 * Runs `make`. Throws `STAKE_ADDRESS_OCCUPIED` if a stake was made with this key in the other way, and
 * `IDEMPOTENCY_KEY_REUSED` while it is being made.
 */
export const oneStakePerKey = <Body>(
  ctx: Context,
  { wallet, key, operation, parameters, lamports }: StakeOfKey,
  make: () => Promise<Body>,
): Promise<Body> =>
  ctx.store.flights.run(['stake', 'once', wallet, key], `${operation} ${parameters}`, async () => {
    const other = operation === 'stake' ? 'submit' : 'stake';
    const known = await ctx.store.intents.find({ operation: other, wallet, key });
    if (known && ['signed', 'confirmed'].includes(known.submission.state)) {
      const { signature, state, wireBytes } = known.submission;
      const { kind, stakeAccount, lamports: stakedLamports } = recognizeWire(ctx, wireBytes).seen;
      if (other === 'stake' || kind === 'stake') {
        if (state === 'signed') throw keyInFlight(signature);
        if (stakeAccount === undefined || stakedLamports === undefined) throw keyDone(signature);
        throw alreadyStaked({ key, lamports }, { signature, lamports: stakedLamports, stakeAccount });
      }
    }
    return make();
  });

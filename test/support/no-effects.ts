// A result of the effects check for tests of other subjects: no problem, and nothing left unverified.
import type { Address } from '@solana/kit';
import { checkEffects, type EffectsCheck } from '../../src/domain/transaction/effects/check-effects.ts';
import { VOTE_ACCOUNT } from './honest-responses.ts';

/** The result for an empty list of transactions. */
export const NO_EFFECTS: EffectsCheck = {
  ...checkEffects(
    { kind: 'rearrange', wallet: VOTE_ACCOUNT as Address, voteAccount: VOTE_ACCOUNT as Address },
    [],
    null,
  ),
  problems: [],
  unknowns: [],
};

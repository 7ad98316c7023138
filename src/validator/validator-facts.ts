// All validator facts behind one port, shared by endpoints, estimates and warnings.
import { type ApyFacts, readApyFacts } from './apy-facts.ts';
import { createChainCache } from './chain-cache.ts';
import { createRealisedInflation, type ReadRealised } from './realised-inflation.ts';
import { type ChainFacts, createChainFacts } from './validator-chain-facts.ts';
import type { ValidatorSources } from './validator-sources.ts';

/** What validator operations ask. */
export interface ValidatorFacts {
  readonly sources: ValidatorSources;
  readonly chain: ChainFacts;
  readonly realised: ReadRealised;
  /** Rejects with `AppError('UPSTREAM_UNAVAILABLE')` when neither the chain nor a provider says anything. */
  readonly apy: (signal: AbortSignal) => Promise<ApyFacts>;
}

const APY_FRESH_MS = 30_000;

/** Nothing is read before the first call. */
export const createValidatorFacts = (sources: ValidatorSources): ValidatorFacts => {
  const chain = createChainFacts(sources);
  const realised = createRealisedInflation(sources, chain);
  const apy = createChainCache({
    freshMs: APY_FRESH_MS,
    clock: sources.clock,
    lifetime: sources.lifetime,
    load: (signal) => readApyFacts(sources, chain, realised, signal),
  });
  return { sources, chain, realised, apy: (signal) => apy.read(signal) };
};

// All data about the validator behind one interface, shared by endpoints, estimates and warnings.
import { rewardsPhase } from '../domain/epoch-clock.ts';
import { criticalNotice, type Notice, notice } from '../domain/notice.ts';
import { utcTime } from '../domain/utc-time.ts';
import type { InflationSchedule } from '../domain/validator/inflation-schedule.ts';
import type { Apy } from '../domain/validator/realized-apy.ts';
import type { YieldInterval } from '../domain/validator/yield-interval.ts';
import { isAppError } from '../kernel/app-error.ts';
import { type ApyFacts, readApyFacts, readEarningState } from './apy-facts.ts';
import { createChainCache } from './chain-cache.ts';
import { createMeasuredInflation, type ReadRealised } from './measured-inflation.ts';
import { nullIfUnavailable } from './null-if-unavailable.ts';
import { createBlockRewardsCheck, type ReadBlockRewardsServed } from './read-block-rewards.ts';
import { type ChainFacts, createChainFacts } from './validator-chain-facts.ts';
import type { ValidatorSources } from './validator-sources.ts';

/** Yield of stake at this validator. Unknown parts are null, with a notice. */
export interface ValidatorYield {
  readonly apy: Apy;
  /** Shares of the effective stake per epoch. */
  readonly inflationPerEpoch: number | null;
  readonly tipsPerEpoch: number | null;
  readonly schedule: InflationSchedule | null;
  readonly interval: YieldInterval | null;
  /** Notices. If one of them is critical, no projection is possible. */
  readonly notices: readonly Notice[];
}

/** Data shared by the validator operations. */
export interface ValidatorFacts {
  readonly sources: ValidatorSources;
  readonly chain: ChainFacts;
  readonly realised: ReadRealised;
  readonly blockRewardsServed: ReadBlockRewardsServed;
  /**
   * Computes the yield, or returns `lastApy()` if it cannot be read. Rejects with
   * `AppError('UPSTREAM_UNAVAILABLE')` if neither the chain nor a provider has data and none was read before.
   */
  readonly apy: (signal: AbortSignal) => Promise<ApyFacts>;
  /**
   * Returns the yield as last read, with a notice that says when. It allows no projections. Null if none was
   * read since the start, or if stake earned nothing then.
   */
  readonly lastApy: () => ApyFacts | null;
}

const APY_FRESH_MS = 30_000;

/** Creates the interface. Reads nothing before the first call. */
export const createValidatorFacts = (sources: ValidatorSources): ValidatorFacts => {
  const chain = createChainFacts(sources);
  const realised = createMeasuredInflation(sources, chain);
  /** Reads the inputs whose change makes a yield outdated at once; null if unknown. */
  const basisNow = async (signal: AbortSignal) => {
    const [position, state] = await Promise.all([
      nullIfUnavailable(sources.cluster.recentEpochPosition(signal)),
      readEarningState(chain, signal),
    ]);
    return { phase: position && rewardsPhase(position), state: state && JSON.stringify(state) };
  };
  let last: { readonly facts: ApyFacts; readonly atMs: number } | null = null;
  const lastApy = (): ApyFacts | null => {
    if (last === null) return null;
    const { facts, atMs } = last;
    const at = { shown: utcTime(atMs), value: new Date(atMs).toISOString() };
    const text = 'The yield cannot be read right now. It was last read at {at}.';
    const warnings = [notice('YIELD_AS_OF', text, { at }), ...facts.warnings];
    return { ...facts, inflationPerEpoch: null, tipsPerEpoch: null, warnings };
  };
  const readFacts = async (isStateKnown: boolean, signal: AbortSignal): Promise<ApyFacts> => {
    const atMs = sources.clock.now();
    const known = lastApy();
    const facts = await readApyFacts(sources, chain, realised, signal).catch((error: unknown) => {
      if (known === null || !isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
      return known;
    });
    if (criticalNotice(facts.notices) !== undefined) last = null;
    else if (facts.apy.stakingApy === null) return known ?? facts;
    else if (isStateKnown && facts !== known) last = { facts, atMs };
    return facts;
  };
  const apy = createChainCache({
    freshMs: APY_FRESH_MS,
    clock: sources.clock,
    lifetime: sources.lifetime,
    load: async (signal) => {
      const basis = await basisNow(signal);
      return { ...basis, facts: await readFacts(basis.state !== null, signal) };
    },
  });
  return {
    sources,
    chain,
    realised,
    lastApy,
    blockRewardsServed: createBlockRewardsCheck(sources),
    apy: async (signal) => {
      const { phase, state } = await basisNow(signal);
      const found = await apy.read(signal);
      if ((phase === null || found.phase === phase) && (state === null || found.state === state))
        return found.facts;
      // Only the first of the waiting callers clears the cache.
      if (apy.peek()?.value === found) apy.clear();
      return (await apy.read(signal)).facts;
    },
  };
};

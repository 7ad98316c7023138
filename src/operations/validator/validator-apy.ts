// Reports the annual yield of staking with this validator and how it was calculated.
import { z } from 'zod';
import { notice } from '../../domain/notice.ts';
import { atLeastApy } from '../../domain/validator/realized-apy.ts';
import { CONFIDENCE_PCT, HORIZON_EPOCHS } from '../../domain/validator/yield-interval.ts';
import type { ApyFacts, RateOrigin } from '../../validator/apy-facts.ts';
import { type KnownMevCommission, mevCommission } from '../../validator/mev-commission.ts';
import { type Part, part, warningsOf } from '../../validator/response-part.ts';
import { commissionPct, type OwnVoteAccount } from '../../validator/validator-chain-facts.ts';
import { boundedChainRead } from '../bounded-chain-read.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody } from '../response-notices.ts';
import { apySchema } from './validator-response-schemas.ts';

const originView = (origin: RateOrigin | null) =>
  origin && {
    source: origin.source,
    fromEpoch: origin.window && Number(origin.window.fromEpoch),
    toEpoch: origin.window && Number(origin.window.toEpoch),
    epochCount: origin.window?.epochCount ?? 0,
    sampleCount: origin.window?.sampleCount ?? 0,
  };

const describeMethod = ({ staking, mev }: ApyFacts): string => {
  const stakingText =
    staking?.source === 'realised'
      ? 'The staking part is the median inflation reward per epoch paid to accounts delegated here, before commission, less the current commission, compounded.'
      : staking?.source === 'expected'
        ? 'The staking part is the expected yield from the cluster’s issuance at this commission and these vote credits.'
        : staking?.source === 'provider'
          ? "The staking part is a statistics provider's figure, not measured here."
          : 'The staking part is currently unavailable.';
  const mevText =
    mev?.source === 'realised'
      ? 'The tip part is the tips paid to stakers divided by the stake that earned them, not compounded.'
      : mev?.source === 'none'
        ? 'The validator does not share tips.'
        : mev?.source === 'provider'
          ? "The tip part is a statistics provider's figure, used until the tips of an ended epoch and the stake that earned them are known."
          : 'Tips are currently unavailable.';
  return `${stakingText} ${mevText} Assumes a year of 365 days and epochs of recent length.`;
};

const percentOf = (share: number): number => Math.round(share * 1_000_000) / 10_000;

const COMMISSION_UNAVAILABLE = notice(
  'COMMISSION_UNAVAILABLE',
  'No RPC node is responding, so the commission is unavailable.',
);

const viewApy = (
  facts: ApyFacts,
  own: Part<OwnVoteAccount>,
  jito: Part<KnownMevCommission>,
): z.input<typeof apySchema> => {
  const { secondsPerEpoch, schedule } = facts;
  const { interval, missing, past } = facts.spread;
  return {
    ...facts.apy,
    atLeastApy: atLeastApy(facts.apy),
    interval: interval && { ...interval, confidencePct: CONFIDENCE_PCT, horizonEpochs: HORIZON_EPOCHS },
    intervalMissing: missing && { ...missing, params: { ...missing.params } },
    pastIntervals: past,
    commission: own.value && commissionPct(own.value),
    jitoCommissionBps: jito.value?.commissionBps ?? null,
    method: {
      staking: originView(facts.staking),
      jitoMev: originView(facts.mev),
      secondsPerEpoch: secondsPerEpoch === null ? null : Math.round(secondsPerEpoch),
      inflationSchedule: schedule && {
        ratePct: percentOf(schedule.rate),
        terminalPct: percentOf(schedule.terminalRate),
        yearlyFallPct: percentOf(schedule.taper),
      },
      description: describeMethod(facts),
    },
    ...noticesBody([...facts.notices, ...warningsOf({ value: null, warnings: facts.warnings }, own, jito)]),
  };
};

/** Returns the current APY object. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no source responds. */
export const apyBody = async (ctx: Context, signal: AbortSignal): Promise<z.input<typeof apySchema>> => {
  const { apy, chain, sources } = ctx.validator.facts;
  const facts = await apy(signal);
  const [own, jito] = await Promise.all([
    part(chain.own(signal), COMMISSION_UNAVAILABLE),
    mevCommission(sources, signal),
  ]);
  return viewApy(facts, own, jito);
};

/** Returns the APY object as last read, without waiting for the chain; null if none was read. */
export const lastApyBody = (ctx: Context): z.input<typeof apySchema> | null => {
  const facts = ctx.validator.facts.lastApy();
  return (
    facts &&
    viewApy(facts, { value: null, warnings: [COMMISSION_UNAVAILABLE] }, { value: null, warnings: [] })
  );
};

/** Maximum wait of a public response for the chain while its nodes respond, in ms: a first measurement takes several calls. */
const WAIT_MS = 15_000;

/** `GET /api/v1/validator/apy` */
export const validatorApy = defineOperation({
  name: 'validatorApy',
  summary: 'Yearly staking yield',
  description:
    'Yearly yields in percent: `stakingApy` from inflation rewards, `jitoMevApy` from MEV tips, `totalApy` their sum, null if either is unknown, `atLeastApy` the known part of it: without tips while they are unknown. Measured from rewards actually paid in the last ended epochs, if any were paid; method describes the calculation of each part, its epochs and its number of samples. `interval` is the range in which the mean yield of the next 30 epochs lies with 80 % confidence, computed from up to 60 recorded epochs; `pastIntervals` shows how often earlier intervals held. It is not a promise.',
  effect: 'read',
  input: z.object({}),
  output: apySchema,
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const read = (within: AbortSignal) => apyBody(ctx, within);
    const body = (await boundedChainRead(ctx, read, signal, WAIT_MS)) ?? lastApyBody(ctx);
    return { body: body ?? (await read(signal)) };
  },
});

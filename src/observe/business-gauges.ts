// Gauges for the validator's operator: stake, delegators, flows, votes, delinquency, commissions, the vote
// account's balance, and its BLS key.

import { admissionEpochsLeft } from '../events/operator/operator-alerts.ts';
import type { Context } from '../operations/context.ts';
import type { DelegatorEpoch } from '../store/delegators.ts';
import { mevCommission } from '../validator/mev-commission.ts';
import type { OwnVoteAccount } from '../validator/validator-chain-facts.ts';
import type { Gauge } from './metrics.ts';

type Ports = Pick<Context, 'clock'> & {
  readonly store: Pick<Context['store'], 'delegators' | 'outbox'>;
  readonly validator: Pick<Context['validator'], 'facts'>;
};

/** Values as last read; null before the first read. */
interface Seen {
  readonly now: DelegatorEpoch | null;
  readonly before: DelegatorEpoch | null;
  readonly vote: OwnVoteAccount | null;
  /** Steady time at which `vote` was read, in ms. */
  readonly voteAtMs: number | null;
  readonly jitoBps: number | null;
  readonly admissionEpochs: number | null;
}

/** Time between polls. Each one takes two RPC calls, unless the sampler has just made them. */
const FRESH_MS = 60_000;
/** Time after which values that could not be read are read again. */
const FRESH_IN_PART_MS = 5_000;
/**
 * Time that a scrape waits for a poll, short enough for the other metrics to arrive within Prometheus's
 * timeout (10 s).
 */
const WAIT_MS = 3_000;
const WITHIN_MS = 10_000;

/** Reads all values. One that cannot be read stays as in `last`. */
const look = async (ctx: Ports, last: Seen): Promise<Seen> => {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const { facts } = ctx.validator;
  const [epochs, vote, jitoBps, admissionEpochs] = await Promise.all([
    ctx.store.delegators.epochs(2).catch(() => null),
    facts.chain.own(signal).catch(() => null),
    mevCommission(facts.sources, signal).then(
      ({ value }) => value?.commissionBps ?? last.jitoBps,
      () => last.jitoBps,
    ),
    admissionEpochsLeft(ctx.store.outbox).catch(() => last.admissionEpochs),
  ]);
  const [now = null, before = null] = epochs ?? [last.now, last.before];
  const { voteAtMs } = vote === null ? last : { voteAtMs: ctx.clock.steadyNow() };
  return { now, before, vote: vote ?? last.vote, voteAtMs, jitoBps, admissionEpochs };
};

const NOTHING: Seen = {
  now: null,
  before: null,
  vote: null,
  voteAtMs: null,
  jitoBps: null,
  admissionEpochs: null,
};

/**
 * Returns gauges that are at most a minute old, or as last read if the store or the chain does not respond in
 * time, so an alert about the validator does not end while nothing is known. One gauge is the age of the validator's.
 */
export const createBusinessGauges = (ctx: Ports): (() => Promise<readonly Gauge[]>) => {
  let seen = NOTHING;
  let isComplete = false;
  let polledAtMs = -Infinity;
  let looking: Promise<void> | null = null;
  const refresh = (): void => {
    const pauseMs = isComplete ? FRESH_MS : FRESH_IN_PART_MS;
    if (looking !== null || ctx.clock.steadyNow() - polledAtMs < pauseMs) return;
    looking = look(ctx, seen)
      .then((found) => {
        isComplete = found.now !== null && found.voteAtMs !== seen.voteAtMs;
        seen = found;
        polledAtMs = ctx.clock.steadyNow();
      })
      .finally(() => {
        looking = null;
      });
  };
  // The first scrape should already contain the validator.
  refresh();
  return async () => {
    refresh();
    if (looking !== null) {
      const ended = new AbortController();
      await Promise.race([looking, ctx.clock.sleep(WAIT_MS, ended.signal).catch(() => undefined)]);
      ended.abort();
    }
    return gaugesOf(seen, ctx.clock.steadyNow());
  };
};

const number = (value: bigint | null | undefined): number | null => (value == null ? null : Number(value));

const gaugesOf = (
  { now, before, vote, voteAtMs, jitoBps, admissionEpochs }: Seen,
  nowMs: number,
): readonly Gauge[] => {
  const stake = (state: string, value: bigint | null | undefined): Gauge => ({
    name: 'holdfast_stake_lamports',
    help: 'Validator stake by state in this epoch.',
    value: number(value),
    labels: { state },
  });
  const flow = (direction: string, value: bigint | null | undefined): Gauge => ({
    name: 'holdfast_stake_flow_lamports',
    help: 'Stake activated and deactivated at the end of the last epoch.',
    value: number(value),
    labels: { direction },
  });
  const commission = (kind: string, value: number | null | undefined): Gauge => ({
    name: 'holdfast_commission_bps',
    help: 'Commission by kind, in basis points.',
    value: value ?? null,
    labels: { kind },
  });
  const layout4 = vote?.state?.layout4;
  const credits = vote?.listed.epochCredits.at(-1);
  return [
    stake('active', now?.activeLamports),
    stake('activating', now?.activatingLamports),
    stake('deactivating', now?.deactivatingLamports),
    flow('in', before?.activatingLamports),
    flow('out', before?.deactivatingLamports),
    {
      name: 'holdfast_delegators',
      help: 'Wallets with effective or activating stake.',
      value: now?.delegators ?? null,
    },
    commission('inflation', vote?.commissionBps),
    commission('block_revenue', layout4?.blockRevenueCommissionBps),
    commission('jito', jitoBps),
    {
      name: 'holdfast_validator_age_seconds',
      help: 'Time since the validator was last read. Until the next read its values stay as last known.',
      value: voteAtMs === null ? null : (nowMs - voteAtMs) / 1000,
    },
    {
      name: 'holdfast_validator_delinquent',
      help: '1 if the cluster lists the validator as delinquent.',
      value: vote === null ? null : Number(vote.listed.delinquent),
    },
    {
      name: 'holdfast_validator_last_vote_slot',
      help: 'The newest slot that the validator voted for.',
      value: number(vote?.listed.lastVoteSlot),
    },
    {
      name: 'holdfast_validator_epoch_credits',
      help: 'Vote credits earned so far in this epoch.',
      value: credits === undefined ? null : Number(credits.credits - credits.previousCredits),
    },
    {
      name: 'holdfast_vote_account_lamports',
      help: 'Balance of the vote account, which pays the admission fees.',
      value: number(vote?.state?.balanceLamports),
    },
    {
      name: 'holdfast_vat_epochs_left',
      help: 'Epochs of admission that the vote account can still pay for, if operator alerts watch it.',
      value: admissionEpochs,
    },
    {
      name: 'holdfast_vote_account_bls_key',
      help: '1 if the vote account has a BLS key. Without one it is not admitted if admission fees are charged.',
      value: layout4 === undefined || layout4 === null ? null : Number(layout4.hasBlsKey),
    },
  ];
};

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

/** Values of the last poll; null if a value could not be read. */
interface Seen {
  readonly now: DelegatorEpoch | null;
  readonly before: DelegatorEpoch | null;
  readonly vote: OwnVoteAccount | null;
  readonly jitoBps: number | null;
  readonly admissionEpochs: number | null;
}

/** Maximum age of the values. Each poll takes two RPC calls, unless the sampler has just made them. */
const FRESH_MS = 60_000;
/** Age after which incomplete values are read again. */
const FRESH_IN_PART_MS = 5_000;
/**
 * Time that a scrape waits for a poll, short enough for the other metrics to arrive within Prometheus's
 * timeout (10 s).
 */
const WAIT_MS = 3_000;
const WITHIN_MS = 10_000;

const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

const look = async (ctx: Ports): Promise<Seen> => {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const [epochs, vote, jito, admissionEpochs] = await Promise.all([
    orNull(ctx.store.delegators.epochs(2)),
    orNull(ctx.validator.facts.chain.own(signal)),
    orNull(mevCommission(ctx.validator.facts.sources, signal)),
    orNull(admissionEpochsLeft(ctx.store.outbox)),
  ]);
  const [now = null, before = null] = epochs ?? [];
  return { now, before, vote, jitoBps: jito?.value?.commissionBps ?? null, admissionEpochs };
};

const NOTHING: Seen = { now: null, before: null, vote: null, jitoBps: null, admissionEpochs: null };

/**
 * Returns gauges that are at most a minute old. If a poll is due, waits for it, and omits outdated values if
 * it does not end in time.
 */
export const createBusinessGauges = (ctx: Ports): (() => Promise<readonly Gauge[]>) => {
  let seen = NOTHING;
  let seenAtMs = -Infinity;
  let looking: Promise<void> | null = null;
  const ageMs = (): number => ctx.clock.steadyNow() - seenAtMs;
  const refresh = (): void => {
    const freshMs = seen.now === null || seen.vote === null ? FRESH_IN_PART_MS : FRESH_MS;
    if (looking !== null || ageMs() < freshMs) return;
    looking = look(ctx)
      .then((found) => {
        seen = found;
        seenAtMs = ctx.clock.steadyNow();
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
    return gaugesOf(ageMs() < FRESH_MS ? seen : NOTHING);
  };
};

const number = (value: bigint | undefined): number | null => (value === undefined ? null : Number(value));

const gaugesOf = ({ now, before, vote, jitoBps, admissionEpochs }: Seen): readonly Gauge[] => {
  const stake = (state: string, value: bigint | undefined): Gauge => ({
    name: 'holdfast_stake_lamports',
    help: 'Validator stake by state in this epoch.',
    value: number(value),
    labels: { state },
  });
  const flow = (direction: string, value: bigint | undefined): Gauge => ({
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

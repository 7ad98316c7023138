// The sandbox's statistics providers, under /providers/stakewiz and /providers/jito of its gateway.

import { SLOTS_PER_EPOCH } from '../epochs/apply-epoch-boundary.ts';
import type { EpochEngine } from '../epochs/epoch-engine.ts';
import type { ProviderCluster, ProviderValidator } from './provider-cluster.ts';
import { jitoRewards, jitoValidators } from './provider-jito.ts';
import type { ProviderLedger } from './provider-ledger.ts';
import { ownValidator, type VoteAccountResponse } from './provider-own-validator.ts';
import { type StakewizView, stakewizTotalStakes, stakewizValidators } from './provider-stakewiz.ts';

/** Handles a request under `/providers/`. Never runs during a block change or a boundary. */
export type ProviderHandler = (
  method: string,
  path: string,
  body: string,
) => Promise<{ readonly status: number; readonly body: unknown }>;

type ProviderContext = {
  readonly engine: Pick<EpochEngine, 'epoch' | 'slot' | 'slotIndex'>;
  readonly cluster: ProviderCluster;
  readonly ledger: ProviderLedger;
  /**
   * The own validator's entry in `getVoteAccounts`. Null while it has none, for example without stake in this
   * epoch.
   */
  readonly voteAccount: () => Promise<VoteAccountResponse | null>;
  /** Reward of a two-day epoch, in billionths of the stake. */
  readonly twoDayRewardPpb: number;
  readonly twoDayTipPpb: number;
};

/** Number of finished epochs reported for peers. */
const HISTORY_EPOCHS = 30;
/** Yields assume two-day epochs, whatever the sandbox's epoch length. */
const EPOCHS_PER_YEAR = 365.25 / 2;

type PeerEpoch = ProviderValidator & { readonly epoch: number };

/** Returns the sandbox's own validator if it has an entry. */
async function ownOf({ voteAccount, ledger }: ProviderContext): Promise<ProviderValidator[]> {
  const own = await voteAccount();
  return own === null ? [] : [ownValidator(own, ledger)];
}

function peersAtEndOf(context: ProviderContext, epoch: number): ProviderValidator[] {
  return context.cluster.at({ epoch, slot: (epoch + 1) * SLOTS_PER_EPOCH - 1, progress: 1 });
}

function peersNow({ cluster, engine }: ProviderContext): ProviderValidator[] {
  const { epoch, slot, slotIndex } = engine;
  return cluster.at({ epoch, slot, progress: slotIndex / SLOTS_PER_EPOCH });
}

function peerHistory(context: ProviderContext, voteAccount: string): PeerEpoch[] {
  const { epoch } = context.engine;
  return Array.from({ length: HISTORY_EPOCHS }, (_, index) => epoch - 1 - index).flatMap((finished) =>
    peersAtEndOf(context, finished)
      .filter((peer) => peer.voteAccount === voteAccount)
      .map((peer) => ({ ...peer, epoch: finished })),
  );
}

async function stakewizView(context: ProviderContext): Promise<StakewizView> {
  const { epoch, slotIndex } = context.engine;
  return {
    epoch,
    slotIndex,
    nowMs: Date.now(),
    validators: [...(await ownOf(context)), ...peersNow(context)],
    stakingApyPct: ((1 + context.twoDayRewardPpb / 1e9) ** EPOCHS_PER_YEAR - 1) * 100,
    jitoApyPct: (context.twoDayTipPpb / 1e9) * EPOCHS_PER_YEAR * 100,
  };
}

async function stakeHistory(context: ProviderContext, voteAccount: string): Promise<unknown> {
  const own = await context.voteAccount();
  if (own?.votePubkey !== voteAccount) return stakewizTotalStakes(peerHistory(context, voteAccount));
  const now = { epoch: context.engine.epoch, stakeLamports: own.activatedStake };
  return stakewizTotalStakes([now, ...context.ledger.history(voteAccount)]);
}

async function jitoList(context: ProviderContext, epoch: number): Promise<unknown> {
  const { engine, ledger } = context;
  const own = await ownOf(context);
  if (epoch === engine.epoch) return jitoValidators([...own, ...peersNow(context)], false);
  if (epoch > engine.epoch || epoch < engine.epoch - HISTORY_EPOCHS) return jitoValidators([], true);
  const then = own.flatMap((one) =>
    ledger
      .history(one.voteAccount)
      .filter((entry) => entry.epoch === epoch)
      .map((entry) => ({ ...one, ...entry })),
  );
  return jitoValidators([...then, ...peersAtEndOf(context, epoch)], true);
}

async function jitoHistory(context: ProviderContext, voteAccount: string): Promise<unknown> {
  const own = await context.voteAccount();
  if (own?.votePubkey === voteAccount)
    return jitoRewards(context.ledger.history(voteAccount).map((entry) => ({ ...entry, commissionBps: 0 })));
  const epochs = peerHistory(context, voteAccount).filter(({ runsJito }) => runsJito);
  return jitoRewards(epochs.map((peer) => ({ ...peer, commissionBps: peer.jitoCommissionBps })));
}

/**
 * Returns the epoch in a POST body. Like the real API, returns the latest epoch for a GET request or an invalid
 * body.
 */
function askedEpoch(method: string, body: string, latest: number): number {
  if (method !== 'POST') return latest;
  try {
    const { epoch } = JSON.parse(body) as { epoch?: unknown };
    return typeof epoch === 'number' ? epoch : latest;
  } catch {
    return latest;
  }
}

async function response(
  context: ProviderContext,
  method: string,
  path: string,
  body: string,
): Promise<unknown> {
  const [, , provider, ...rest] = path.split('/');
  const [first, second] = provider === 'jito' ? rest.slice(2) : rest;
  if (provider === 'jito' && rest.slice(0, 2).join('/') === 'api/v1' && first === 'validators') {
    if (second !== undefined) return jitoHistory(context, second);
    return jitoList(context, askedEpoch(method, body, context.engine.epoch));
  }
  if (provider !== 'stakewiz') return undefined;
  if (first === 'validators' && second === undefined) return stakewizValidators(await stakewizView(context));
  if (first === 'validator') {
    const entries = stakewizValidators(await stakewizView(context));
    return entries.find((entry) => entry.vote_identity === second);
  }
  return first === 'validator_total_stakes' && second !== undefined
    ? stakeHistory(context, second)
    : undefined;
}

/** Creates the handler of one sandbox. */
export function providerHandler(context: ProviderContext): ProviderHandler {
  return async (method, path, body) => {
    const found = await response(context, method, path, body);
    return found === undefined ? { status: 404, body: { error: 'Not found' } } : { status: 200, body: found };
  };
}

// Polls the validator's status for the warnings shown before signing. Runs in every process.
import type { EpochPosition } from '../chain/ports.ts';
import type { Notice } from '../domain/notice.ts';
import { nullIfUnavailable } from './null-if-unavailable.ts';
import { earningStateOf, isNotListed } from './validator-chain-facts.ts';
import type { ValidatorFacts } from './validator-facts.ts';
import type { ValidatorStatusBoard } from './validator-status.ts';

interface StatusPollOptions {
  readonly facts: Pick<ValidatorFacts, 'chain' | 'sources' | 'apy'>;
  readonly board: ValidatorStatusBoard;
  /** Returns warnings about reported validator changes that still apply in an epoch. */
  readonly warningsIn: (epoch: bigint) => Promise<readonly Notice[]>;
}

/** Number of epochs whose commissions are compared with the current one. */
const COMPARED_EPOCHS = 5n;

/**
 * Creates the poll. The poll rejects if the chain cannot be read; the last status on the board then expires.
 */
export const createStatusPoll = ({
  facts,
  board,
  warningsIn,
}: StatusPollOptions): ((signal: AbortSignal) => Promise<void>) => {
  const { chain, sources } = facts;
  const { samples, cluster } = sources;
  let firstIdentity: string | null = null;

  const recordedCommission = async (epoch: bigint): Promise<number | null> => {
    const recorded = (await nullIfUnavailable(samples.epochs(Number(COMPARED_EPOCHS) + 1))) ?? [];
    const known = recorded.flatMap((sample) =>
      sample.epoch < epoch && sample.epoch >= epoch - COMPARED_EPOCHS ? (sample.commission ?? []) : [],
    );
    return known.length === 0 ? null : Math.min(...known);
  };

  const postStatus = async (
    { epoch, absoluteSlot }: Pick<EpochPosition, 'epoch' | 'absoluteSlot'>,
    signal: AbortSignal,
  ): Promise<void> => {
    const [apy, recorded, warnings] = await Promise.all([
      nullIfUnavailable(facts.apy(signal)),
      recordedCommission(epoch),
      nullIfUnavailable(warningsIn(epoch)),
    ]);
    // Another caller may have read it again in the meantime.
    const own = await chain.own(signal);
    const { delinquent, inEpoch, commissionPct } = earningStateOf(own);
    const { identity, lastVoteSlot } = own.listed;
    const slotsAgo = absoluteSlot > lastVoteSlot ? absoluteSlot - lastVoteSlot : 0n;
    firstIdentity ??= identity;
    board.post({
      listed: true,
      moved: identity === firstIdentity ? null : { from: firstIdentity, to: identity },
      delinquent,
      lastVote: { slot: lastVoteSlot, slotsAgo },
      inEpoch,
      reported: warnings ?? [],
      commission: commissionPct,
      recordedCommission: recorded,
      apy,
    });
  };

  return async (signal) => {
    try {
      // An older read could be from before a change that is already reported.
      await chain.ownNow(signal);
      await postStatus(await cluster.epochPosition(signal), signal);
    } catch (error) {
      if (isNotListed(error))
        board.post({
          listed: false,
          moved: null,
          delinquent: true,
          lastVote: null,
          inEpoch: false,
          reported: [],
          commission: null,
          recordedCommission: null,
          apy: null,
        });
      throw error;
    }
  };
};

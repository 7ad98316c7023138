// Rebuilds an offered stake for each delivery attempt with a fresh blockhash and balance, at the same stake
// address, until the epoch or the policy ends.

import { decideAutopilotAmount } from '../../domain/autopilot/decide-autopilot-offer.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { solNumber } from '../../domain/lamports.ts';
import { offerFailedEvent, type SweepData, sweepFacts } from '../../events/autopilot.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { ClaimedDelivery } from '../../store/outbox/outbox.ts';
import type { Context } from '../context.ts';
import { createStakeTransaction } from '../stake/create-stake-transaction.ts';
import { skipReasonTexts } from './policy-response.ts';

/** The `data` to send, or the reason why the offer has ended. */
type ComposedSweep = { readonly data: string } | { readonly dead: string };

const MADE = 'the stake for this epoch was already made';
const UNUSABLE = "none of the addresses for this epoch's stake can be used";

/**
 * Number of addresses tried in order. An address that already holds lamports cannot be created. Only the
 * offer's own key could withdraw those lamports, so moving to the next address cannot lead to two stakes.
 */
const CANDIDATES = 3;

/** Returns the idempotency keys of this offer's stake, in the order in which they are tried. */
const offerKeys = (ctx: Context, { epoch }: SweepData, registrationId: string): readonly string[] =>
  Array.from({ length: CANDIDATES }, (_, candidate) =>
    ctx.events.webhookSecrets.offerKeyOf({ registrationId, epoch: BigInt(epoch), candidate }),
  );

/**
 * Builds the offer's data. Rejects if the offer may become possible later: the validator is failing, rewards
 * are being paid out, the wallet's balance is too low, or the chain is unreachable.
 */
export const rebuildAutopilotOffer = async (
  ctx: Context,
  claimed: Pick<ClaimedDelivery, 'id' | 'registrationId' | 'data'>,
  signal: AbortSignal,
): Promise<ComposedSweep> => {
  const sweep = JSON.parse(claimed.data) as SweepData;
  const { walletAddress } = sweep;
  const policy = await ctx.store.policies.find(walletAddress);
  if (policy === null || policy.deletedAtMs !== null || policy.paused)
    return { dead: 'the policy is paused or deleted' };
  const keys = offerKeys(ctx, sweep, claimed.registrationId);
  const addresses = keys.map((idempotencyKey) => {
    using stakeKey = ctx.chain.stakeKeys.derive({ use: 'builder', wallet: walletAddress, idempotencyKey });
    return stakeKey.address;
  });
  const snapshot = await ctx.chain.cluster.readChainSnapshot([walletAddress, ...addresses], { signal });
  const { position, accounts } = snapshot;
  if (position.epoch !== BigInt(sweep.epoch)) return { dead: 'the epoch is over' };
  const [walletAccount, ...stakeAccounts] = accounts;
  if (stakeAccounts.some((account) => account?.owner === STAKE_PROGRAM)) return { dead: MADE };
  const limits = await ctx.chain.cluster.limits(signal, snapshot);
  const notices = await ctx.validator.noticesNow(signal);
  const { feeReserveLamports } = ctx.service.settings;
  const facts = sweepFacts(walletAccount ?? null, limits, position, notices, feeReserveLamports);
  const decision = decideAutopilotAmount(policy, facts);
  if (decision.kind === 'skip')
    throw new AppError('INSUFFICIENT_BALANCE', skipReasonTexts[decision.reason], {
      reason: `AUTOPILOT_${decision.reason}`,
    });
  for (const idempotencyKey of keys) {
    const build = (amountSol: bigint) => {
      const { priorityFee: priority } = ctx.service.settings;
      const input = { walletAddress, amountSol, cosign: 'now', priority, idempotencyKey } as const;
      return createStakeTransaction
        .run({ ctx, input, signal, source: 'rest', client: '' })
        .catch((error: unknown) => {
          if (!isAppError(error, 'STAKE_ADDRESS_OCCUPIED')) throw error;
          // With a signature, the error refers to an earlier stake at the address. Without one, someone else sent
          // lamports to it.
          return error.body.signature === undefined ? ('occupied' as const) : ('made' as const);
        });
    };
    let { lamports } = decision;
    let built = await build(lamports);
    // The decision does not know the priority fee, which would be paid from what the policy keeps liquid.
    const priorityFeeLamports = typeof built === 'string' ? 0 : (built.body.priorityFee?.lamports ?? 0);
    if (priorityFeeLamports > 0) {
      lamports -= BigInt(priorityFeeLamports);
      built = await build(lamports);
    }
    if (built === 'made') return { dead: MADE };
    if (built === 'occupied') continue;
    const { stakeAccountAddress, transaction, blockhash, lastValidBlockHeight } = built.body;
    const { estimatedExpiresAt, instructions, warnings, priorityFee } = built.body;
    return {
      data: JSON.stringify({
        ...sweep,
        stakeAccountAddress,
        sol: solNumber(lamports),
        transaction,
        blockhash,
        lastValidBlockHeight,
        estimatedExpiresAt,
        priorityFeeLamports: priorityFee?.lamports ?? 0,
        instructions: instructions.map(({ program, name, summary }) => ({ program, name, summary })),
        warnings,
        rebuild: {
          method: 'POST',
          endpoint: `${ctx.service.publicUrl()}/api/v1/stake/transaction`,
          amountSol: solNumber(lamports),
          priority: ctx.service.settings.priorityFee,
          idempotencyKey,
        },
        submit: { method: 'POST', endpoint: `${ctx.service.publicUrl()}/api/v1/transaction/submit` },
      }),
    };
  }
  const offer = { ...claimed, eventId: claimed.id, walletAddress, epoch: position.epoch };
  await ctx.store.outbox.record([
    offerFailedEvent(ctx.chain.cluster.genesisHash, offer, 'ADDRESS_UNUSABLE', ctx.clock.now()),
  ]);
  ctx.events.wakeDelivery();
  return { dead: UNUSABLE };
};

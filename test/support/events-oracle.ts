// Which events a registration must have had, told from every block and every boundary of a chain; it knows nothing of how the watcher finds them.
import type { Address } from '@solana/kit';
import { decodeStakeAccount, EPOCH_ABSENT, lockupInForce } from '../../src/domain/stake/stake-account.ts';
import { stakeActivation } from '../../src/domain/stake/stake-activation.ts';
import type { StakeHistory } from '../../src/domain/stake/stake-history.ts';
import type { EventsChain } from './events-chain.ts';
import { SECONDS_PER_EPOCH } from './truth-world.ts';

/** What the oracle is asked about. */
interface OracleOptions {
  readonly chain: EventsChain;
  readonly wallet: Address;
  readonly voteAccount: Address;
  readonly history: StakeHistory;
  /** Epochs in which each account's own history holds a delegate, with the slot of the first. */
  readonly delegates: ReadonlyMap<Address, ReadonlyMap<bigint, bigint>>;
}

interface View {
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly seconds: bigint;
}

type Block = EventsChain['blocks'][number];

/** The facts that hold of the wallet's accounts in `block`, judged at `at`. */
const factsAt = (
  block: Block,
  at: View,
  { wallet, voteAccount, history, delegates }: OracleOptions,
): readonly string[] =>
  [...block.accounts.values()].flatMap((raw) => {
    const account = decodeStakeAccount(raw);
    const delegation = account?.delegation;
    if (!account || !delegation || delegation.voteAccount !== voteAccount) return [];
    if (account.withdrawAuthority !== wallet) return [];
    const { activationEpoch, deactivationEpoch, stakeLamports } = delegation;
    const { effectiveLamports } = stakeActivation(delegation, at.epoch, history);
    const own = delegates.get(account.address)?.get(activationEpoch);
    const isDelegated = own !== undefined && own <= at.slot;
    const isFull = activationEpoch < at.epoch && effectiveLamports === stakeLamports && stakeLamports > 0n;
    const isSet = deactivationEpoch !== EPOCH_ABSENT;
    const isLocked = lockupInForce(account.lockup, at.epoch, at.seconds);
    return [
      ...(isFull && isDelegated ? [`stake_activated ${account.address} ${activationEpoch}`] : []),
      ...(isSet ? [`stake_deactivated ${account.address} ${activationEpoch} ${deactivationEpoch}`] : []),
      ...(isSet && effectiveLamports === 0n && !isLocked
        ? [`withdraw_ready ${account.address} ${deactivationEpoch}`]
        : []),
    ];
  });

/** What a registration must have had. */
interface ExpectedFacts {
  /** Every fact that became true after it for the first time, sorted. */
  readonly news: readonly string[];
  /** Facts that were over before it and are true again after it: by name the same, so that both telling and silence are right. */
  readonly again: ReadonlySet<string>;
}

/** What a registration at `registeredAt` (an index of the chain's blocks) must have had. */
export const expectedFacts = (options: OracleOptions, registeredAt: number): ExpectedFacts => {
  const { blocks } = options.chain;
  const before = new Set<string>();
  const after = new Set<string>();
  let then: readonly string[] = [];
  const again = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    const facts: string[] = [];
    const previous = blocks[index - 1];
    // Epochs that passed without a transaction are judged by the accounts that they left behind.
    if (previous)
      for (let epoch = previous.epoch + 1n; epoch < block.epoch; epoch += 1n) {
        const seconds = block.seconds - (block.epoch - epoch) * SECONDS_PER_EPOCH;
        facts.push(...factsAt(block, { slot: block.slot, epoch, seconds }, options));
      }
    const now = factsAt(block, block, options);
    facts.push(...now);
    if (index === registeredAt) then = now;
    for (const fact of facts)
      if (index <= registeredAt) before.add(fact);
      else if (!before.has(fact)) after.add(fact);
      else if (!then.includes(fact)) again.add(fact);
  }
  return { news: [...after].toSorted(), again };
};

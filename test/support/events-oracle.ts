// Derives the events that a registration must have received from every block and every epoch boundary of a
// chain, independently of the watcher's methods.
import type { Address } from '@solana/kit';
import { decodeStakeAccount, EPOCH_ABSENT, lockupInForce } from '../../src/domain/stake/stake-account.ts';
import { stakeActivation } from '../../src/domain/stake/stake-activation.ts';
import type { StakeHistory } from '../../src/domain/stake/stake-history.ts';
import { touchedBy } from '../../src/domain/stake/stake-operation.ts';
import type { EventsChain } from './events-chain.ts';
import { SECONDS_PER_EPOCH } from './truth-world.ts';

interface OracleOptions {
  readonly chain: EventsChain;
  readonly wallet: Address;
  readonly voteAccount: Address;
  readonly history: StakeHistory;
  /** Epochs in which each account's own history contains a delegation, with the slot of the first. */
  readonly delegates: ReadonlyMap<Address, ReadonlyMap<bigint, bigint>>;
  /** Indexes of the newest and the finalized block of each poll. A process killed during a poll leaves none. */
  readonly polled: ReadonlySet<number>;
}

interface View {
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly seconds: bigint;
}

type Block = EventsChain['blocks'][number];

/** Returns the events that the state of the wallet's accounts in `block` implies at the time `at`. */
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

interface ExpectedFacts {
  /** Every event that occurred for the first time after the registration, sorted. */
  readonly news: readonly string[];
  /**
   * Events whose report is optional: those that occurred before the registration and again after it under the
   * same name, and those of an account that no source shows.
   */
  readonly either: ReadonlySet<string>;
}

/**
 * Returns true if the account belonged to the wallet only between two polls, and no transaction on it since the
 * registration names the wallet: another key gave it to the wallet and delegated it to another validator.
 * Neither a list of the wallet's accounts nor a transaction of the wallet leads to it.
 */
export const isHidden = (
  address: Address,
  registeredAt: number,
  { chain, wallet, voteAccount, polled }: OracleOptions,
): boolean => {
  const isOursIn = ({ accounts }: Block): boolean => {
    const raw = accounts.get(address);
    const account = raw ? decodeStakeAccount(raw) : null;
    return account?.withdrawAuthority === wallet && account.delegation?.voteAccount === voteAccount;
  };
  const registeredSlot = chain.blocks[registeredAt]!.slot;
  return (
    chain.blocks.every(
      (block, index) =>
        index < registeredAt || !((index === registeredAt || polled.has(index)) && isOursIn(block)),
    ) &&
    chain.transactions.every(
      ({ slot, operations, balances }) =>
        slot <= registeredSlot ||
        !balances.has(wallet) ||
        !operations.some((operation) => touchedBy(operation).includes(address)),
    )
  );
};

/**
 * Returns the events that a registration at `registeredAt` (an index into the chain's blocks) must have
 * received.
 */
export const expectedFacts = (options: OracleOptions, registeredAt: number): ExpectedFacts => {
  const { blocks } = options.chain;
  const before = new Set<string>();
  const after = new Set<string>();
  let then: readonly string[] = [];
  const either = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    const facts: string[] = [];
    const previous = blocks[index - 1];
    // An epoch without transactions is evaluated with the accounts that the previous epoch left behind.
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
      else if (!then.includes(fact)) either.add(fact);
  }
  for (const fact of after)
    if (isHidden(fact.split(' ')[1] as Address, registeredAt, options)) either.add(fact);
  return { news: [...after].toSorted(), either };
};

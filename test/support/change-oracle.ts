// Derives the changes to authorities, lockups and validators that a registration must be notified of, from
// every account before and after each transaction.
import type { Address } from '@solana/kit';
import {
  decodeStakeAccount,
  EPOCH_ABSENT,
  isSameLockup,
  type StakeAccount,
} from '../../src/domain/stake/stake-account.ts';
import { touchedBy } from '../../src/domain/stake/stake-operation.ts';
import type { EventsChain } from './events-chain.ts';

interface ChangeOracleOptions {
  readonly chain: EventsChain;
  readonly wallet: Address;
  readonly voteAccount: Address;
}

/** The changes that a registration must be notified of. */
interface ExpectedChanges {
  /** `<type> <account> <signature>` of every change, in the order of the chain. */
  readonly news: readonly string[];
  /**
   * `<account> <signature>` of changes whose report is optional: those of accounts that one transaction changed
   * and closed, or changed and split, and those of accounts whose stake, or whose parent's stake, was moved
   * away completely. For a closed account, no transaction shows whether all of its stake was moved.
   */
  readonly either: ReadonlySet<string>;
}

/** Returns the changes after block `registeredAt`. */
export const expectedChanges = (
  { chain, wallet, voteAccount }: ChangeOracleOptions,
  registeredAt: number,
): ExpectedChanges => {
  const either = new Set<string>();
  const accountIn = (index: number, address: Address): StakeAccount | null => {
    const raw = chain.blocks[index]?.accounts.get(address);
    return raw ? decodeStakeAccount(raw) : null;
  };
  const emptied = new Set<Address>();
  const news = chain.transactions.flatMap(({ signature, signers, slot, operations }) => {
    for (const one of operations)
      if (one.type === 'moveStake') emptied.add(one.account);
      else if (one.type === 'split' && emptied.has(one.account)) emptied.add(one.into);
    const index = chain.blocks.findIndex((block) => block.slot === slot);
    if (index <= registeredAt) return [];
    const addresses = new Set(
      operations.flatMap((one) => [one.account, ...('into' in one ? [one.into] : [])]),
    );
    return [...addresses].flatMap((address) => {
      const own = operations.filter((one) => one.account === address);
      if (own.some(({ type }) => type === 'initialize')) return [];
      const parent = operations.find((one) => one.type === 'split' && one.into === address)?.account;
      const there = accountIn(index - 1, address);
      const isChanged = (one: Address | undefined): boolean =>
        operations.some(
          ({ account, type }) => account === one && (type === 'authorize' || type === 'setLockup'),
        );
      // The account was split off after its parent was delegated to another validator, so it was never
      // delegated to this one.
      const isDelegated = operations.some(({ account, type }) => account === parent && type === 'delegate');
      const before = there ?? (parent ? accountIn(index - 1, parent) : null);
      if (before?.delegation === null && emptied.has(address)) either.add(`${address} ${signature}`);
      if (before?.delegation?.voteAccount !== voteAccount || before.withdrawAuthority !== wallet) return [];
      const after = accountIn(index, address);
      // A merge closes the account from which it takes the stake, even after a withdrawal to another address.
      const last = operations.findLast((one) => touchedBy(one).includes(address));
      if ((!there && (isChanged(parent) || isDelegated)) || (!after && isChanged(address)))
        either.add(`${address} ${signature}`);
      const isSet =
        own.some(({ type }) => type === 'deactivate') &&
        after?.delegation?.voteAccount === voteAccount &&
        after.delegation.deactivationEpoch !== EPOCH_ABSENT;
      const names = [
        ...(after &&
        (after.stakeAuthority !== before.stakeAuthority ||
          after.withdrawAuthority !== before.withdrawAuthority)
          ? ['stake_authority_changed']
          : []),
        ...(after && !isSameLockup(after.lockup, before.lockup) ? ['stake_lockup_changed'] : []),
        ...(isSet && !signers.includes(wallet) ? ['unexpected_deactivation'] : []),
        ...((after?.delegation && after.delegation.voteAccount !== voteAccount) ||
        (after === null && last?.type === 'withdraw' && last.recipient !== wallet)
          ? ['stake_moved_away']
          : []),
      ];
      return names.map((name) => `${name} ${address} ${signature}`);
    });
  });
  return { news, either };
};

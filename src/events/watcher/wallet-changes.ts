// Reads the changes to a wallet's stakes from the finalized transactions of its accounts, for one request.
// Stores nothing.
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/ports.ts';
import { type ChangeFact, factsOfChange } from '../../domain/alerts/detect-control-changes.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { type AssessOptions, deriveDelegationPeriods } from './derive-delegation-periods.ts';
import { searchWallet } from './search-wallet.ts';

/** Maximum number of accounts read per request. */
const MAX_ACCOUNTS = 50;
/** Maximum number of the wallet's own transactions that are searched for closed and stolen accounts. */
const MAX_TRANSACTIONS = 100;

/** Changes to a wallet's stakes, and whether they are complete. */
interface WalletChanges {
  /** Changes, newest first. */
  readonly changes: readonly ChangeFact[];
  /** Stakes of the wallet that are currently delegated to the validator. */
  readonly stakes: readonly StakeAccount[];
  /**
   * Accounts that may hold the wallet's own deposit, because the wallet signed a transaction for them or their
   * history is unknown.
   */
  readonly own: ReadonlySet<Address>;
  /**
   * False if there are more accounts or transactions than are read, no node has some of them, or the budget was
   * used up.
   */
  readonly isComplete: boolean;
}

interface WalletChangesOptions extends AssessOptions {
  readonly slot: bigint;
  /** Known current and former accounts of the wallet. */
  readonly listed: readonly Address[];
  readonly readAccounts: (addresses: readonly Address[]) => Promise<readonly (ChainAccount | null)[]>;
  /** Takes one account from the read budget. Returns false if the budget is used up. */
  readonly take: () => boolean;
}

const newestFirst = (a: ChangeFact, b: ChangeFact): number => {
  const [one, other] = [a.stamp.slots[0]!, b.stamp.slots[0]!];
  if (one !== other) return one > other ? -1 : 1;
  return a.signature === b.signature ? 0 : a.signature > b.signature ? -1 : 1;
};

/** Reads the changes. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable response. */
export const readWalletChanges = async (
  wallet: Address,
  { slot, listed, readAccounts, take, ...options }: WalletChangesOptions,
): Promise<WalletChanges> => {
  const { voteAccount, grid } = options;
  const range = { after: 0n, through: slot };
  const searched = await searchWallet(options, wallet, range, MAX_TRANSACTIONS);
  const open = [...new Set([...listed, ...searched.accounts])];
  const seen = new Set<Address>();
  const own = new Set<Address>();
  const changes: ChangeFact[] = [];
  const stakes: StakeAccount[] = [];
  let isComplete = searched.gap === null;
  while (open.length > 0) {
    const some = open.splice(0, MAX_ACCOUNTS - seen.size).filter((one) => !seen.has(one));
    if (some.length === 0) {
      isComplete &&= seen.size < MAX_ACCOUNTS;
      break;
    }
    const accounts = await readAccounts(some);
    for (const [i, address] of some.entries()) {
      seen.add(address);
      if (!take()) {
        isComplete = false;
        continue;
      }
      const { outcome, transactions, account } = await deriveDelegationPeriods(
        {
          address,
          wallet,
          slot,
          now: accounts[i] ?? null,
          known: null,
          isSuspect: true,
          fromSlot: 0n,
          isLastTry: true,
        },
        options,
      );
      // An existing account without transactions was assessed by its state alone, because no node has its
      // history.
      isComplete &&= outcome === 'assessed' && (transactions.length > 0 || account === null);
      if (account?.delegation?.voteAccount === voteAccount && account.withdrawAuthority === wallet)
        stakes.push(account);
      const isSigned = transactions.some(({ signers }) => signers.includes(wallet));
      if (isSigned || outcome !== 'assessed') own.add(address);
      for (const transaction of transactions) {
        changes.push(
          ...factsOfChange(address, transaction, { voteAccount, grid }).filter(
            (one) => one.wallet === wallet,
          ),
        );
        for (const { operation } of transaction.operations) {
          if (operation.type !== 'split' || operation.account !== address) continue;
          open.push(operation.into);
          if (own.has(address)) own.add(operation.into);
        }
      }
    }
  }
  return { changes: changes.toSorted(newestFirst), stakes, own, isComplete };
};

/** Counts the stakes that have not been deactivated. */
export const countStakedAccounts = (stakes: readonly StakeAccount[]): number =>
  stakes.filter(({ delegation }) => delegation?.deactivationEpoch === EPOCH_ABSENT).length;

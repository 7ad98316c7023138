// Derives the events for ended epochs: one per epoch that ended since the checkpoint, in order, whether or not
// the wallet has accounts.
import type { Address } from '@solana/kit';
import { solNumber } from '../../domain/lamports.ts';
import { stakeActivation } from '../../domain/stake/stake-activation.ts';
import type { EpochCompleteData } from '../event-data.ts';
import { epochEvent } from './event-of-fact.ts';
import { chainTimeOfEpochEnd, type UntimedEvent } from './event-times.ts';
import type { AccountReading } from './read-accounts.ts';
import type { ChainFacts } from './watcher-chain.ts';
import type { WatcherMemory } from './watcher-memory.ts';

type Portfolio = NonNullable<EpochCompleteData['portfolio']>;

/** Sums the stake of each wallet at `position` across the accounts that were just read. */
const portfolios = (
  readings: ReadonlyMap<Address, AccountReading>,
  { voteAccount, position, history }: ChainFacts,
): ReadonlyMap<Address, Portfolio> => {
  const sums = new Map<
    Address,
    { accounts: number; active: bigint; activating: bigint; deactivating: bigint }
  >();
  for (const { assessment } of readings.values()) {
    const { account } = assessment;
    if (account?.delegation?.voteAccount !== voteAccount) continue;
    const now = stakeActivation(account.delegation, position.epoch, history);
    const sum = sums.get(account.withdrawAuthority) ?? {
      accounts: 0,
      active: 0n,
      activating: 0n,
      deactivating: 0n,
    };
    sum.accounts += 1;
    sum.active += now.effectiveLamports;
    sum.activating += now.activatingLamports;
    sum.deactivating += now.deactivatingLamports;
    sums.set(account.withdrawAuthority, sum);
  }
  return new Map(
    [...sums].map(([wallet, { accounts, active, activating, deactivating }]) => [
      wallet,
      {
        accounts,
        activeSol: solNumber(active),
        activatingSol: solNumber(activating),
        deactivatingSol: solNumber(deactivating),
      },
    ]),
  );
};

const NOTHING: Portfolio = { accounts: 0, activeSol: 0, activatingSol: 0, deactivatingSol: 0 };

/** Builds the events of all epochs that ended since the checkpoint. */
export const epochEvents = (
  { checkpoint, wallets, isCatchingUp }: WatcherMemory,
  readings: ReadonlyMap<Address, AccountReading>,
  chain: ChainFacts,
): readonly UntimedEvent[] => {
  const { position } = chain;
  if (position.epoch <= checkpoint.epoch) return [];
  const present = portfolios(readings, chain);
  const events: UntimedEvent[] = [];
  for (let epoch = checkpoint.epoch; epoch < position.epoch; epoch += 1n) {
    const isNewest = epoch === position.epoch - 1n;
    for (const [wallet, registrations] of wallets.byWallet)
      for (const registration of registrations) {
        if (!registration.events.includes('epoch_complete') || registration.createdEpoch > epoch) continue;
        const data = {
          walletAddress: wallet,
          epoch: Number(epoch),
          late: isCatchingUp || !isNewest,
          portfolio: isNewest ? (present.get(wallet) ?? NOTHING) : null,
        };
        events.push(epochEvent(registration, data, chainTimeOfEpochEnd(epoch, position), chain));
      }
  }
  return events;
};

// Divides the SOL of a wallet and its stake accounts into parts that add up to the whole.
import type { StakeAccount, StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { lamportsOf } from '../../../text/format-figures.ts';
import { isDust } from '../accounts/idle-sol.ts';

/** Required account fields. */
type PlacedAccount = Pick<
  StakingSummaryAnswer['accounts'][number],
  | 'role'
  | 'lamports'
  | 'activeSol'
  | 'activatingSol'
  | 'deactivatingSol'
  | 'withdrawableSol'
  | 'withdrawReady'
>;

/** Lamports by place. Each lamport counts in exactly one. */
export interface SolPlaces {
  readonly wallet: bigint;
  /** Staked: without rent, like every other interface. */
  readonly active: bigint;
  readonly activating: bigint;
  readonly cooling: bigint;
  readonly withdrawable: bigint;
  /** Rent of staked accounts, and tips that are not worth a withdrawal. Returned with the stake. */
  readonly rent: bigint;
  /** In accounts that are not staked and cannot be withdrawn, for example because of a lockup. */
  readonly locked: bigint;
}

type Place = keyof SolPlaces;

const atLeastZero = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

/** Rent and tips of an account are never delegated. Those of stake that leaves arrive with it. */
const restOf = (stake: Pick<Record<Place, bigint>, 'active' | 'activating' | 'cooling'>): Place =>
  stake.active + stake.activating > 0n ? 'rent' : stake.cooling > 0n ? 'cooling' : 'locked';

/** Divides the wallet's balance and the balances of the accounts that it owns. */
export const whereSolIs = (liquidSol: number, accounts: readonly PlacedAccount[]): SolPlaces => {
  const places: Record<Place, bigint> = {
    wallet: lamportsOf(liquidSol),
    active: 0n,
    activating: 0n,
    cooling: 0n,
    withdrawable: 0n,
    rent: 0n,
    locked: 0n,
  };
  for (const account of accounts) {
    if (account.role !== 'owner') continue;
    const cooling = lamportsOf(account.deactivatingSol);
    const stake = {
      // Deactivating stake is still effective.
      active: atLeastZero(lamportsOf(account.activeSol) - cooling),
      activating: lamportsOf(account.activatingSol),
      cooling,
      withdrawable: isDust(account) ? 0n : lamportsOf(account.withdrawableSol),
    };
    for (const [place, lamports] of Object.entries(stake)) places[place as Place] += lamports;
    const placed = stake.active + stake.activating + stake.cooling + stake.withdrawable;
    places[restOf(stake)] += atLeastZero(BigInt(account.lamports) - placed);
  }
  return places;
};

/** The amount of an account in a list: the stake of a staked account, otherwise the balance, which is what the wallet receives. */
export const shownLamports = ({
  state,
  lamports,
  activeSol,
  activatingSol,
}: Pick<StakeAccount, 'state' | 'lamports' | 'activeSol' | 'activatingSol'>): bigint =>
  state === 'active' || state === 'activating'
    ? lamportsOf(activeSol) + lamportsOf(activatingSol)
    : BigInt(lamports);

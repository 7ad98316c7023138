// Divides the SOL of a wallet and its stake accounts into parts that add up to the whole.
import type { StakingSummaryAnswer } from '../../../../../client/generated/stake-operations.ts';
import { lamportsOf } from '../../../text/format-figures.ts';

type PlacedAccount = Pick<
  StakingSummaryAnswer['accounts'][number],
  'role' | 'lamports' | 'activeSol' | 'activatingSol' | 'deactivatingSol' | 'withdrawableSol'
>;

/** Lamports by place. Each lamport counts in exactly one. */
export interface SolPlaces {
  readonly wallet: bigint;
  /** Active stake without rent, as in every other interface. */
  readonly active: bigint;
  readonly activating: bigint;
  readonly cooling: bigint;
  /** Whole accounts, and SOL beyond stake and rent, such as tips. */
  readonly withdrawable: bigint;
  /** Rent of accounts with stake. It is returned with the stake. */
  readonly rent: bigint;
  /** In accounts that are not staked and cannot be withdrawn, for example because of a lockup. */
  readonly locked: bigint;
}

type Place = keyof SolPlaces;

const atLeastZero = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

/**
 * Splits the SOL in the wallet and in the accounts that it owns by place: liquid, active, activating and so
 * on.
 */
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
      // `activeSol` includes deactivating stake, which is still effective.
      active: atLeastZero(lamportsOf(account.activeSol) - cooling),
      activating: lamportsOf(account.activatingSol),
      cooling,
      withdrawable: lamportsOf(account.withdrawableSol),
    };
    for (const [place, lamports] of Object.entries(stake)) places[place as Place] += lamports;
    const held = stake.active + stake.activating + stake.cooling;
    places[held > 0n ? 'rent' : 'locked'] += atLeastZero(
      BigInt(account.lamports) - held - stake.withdrawable,
    );
  }
  return places;
};

/** Sums the balances of all stake accounts, in every state. */
export const inAccountsLamports = ({ wallet: _wallet, ...places }: SolPlaces): bigint =>
  Object.values(places).reduce((sum, lamports) => sum + lamports, 0n);

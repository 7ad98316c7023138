// What an act may leave to the command line: a stake account by the first letters of its address, and ALL for an amount.
import type { HoldfastClient } from '../../client/holdfast-client.ts';
import { solToLamports } from '../../client/sol-amount.ts';
import { readAmount } from '../amount-argument.ts';
import { UsageError } from '../usage-error.ts';

/** Looks up, where it is needed, what a request leaves open. Every member throws `UsageError` for what is not there. */
export interface LookUp {
  /** The whole address of a stake account: what is given, or the one of the wallet's accounts that begins with it. */
  readonly account: (given: string | undefined) => Promise<string | undefined>;
  /** Lamports of a wallet's SOL: as given, or for ALL what it can stake. */
  readonly fromWallet: (given: string) => Promise<bigint>;
  /** Lamports of stake: as given, or for ALL the most that `want` can have. */
  readonly fromStake: (given: string, name: string, want: 'unstake' | 'withdraw-amount') => Promise<bigint>;
}

/** `solana` writes it so too. */
export const ALL = 'ALL';

const SHORTEST_PREFIX = 4;
/** Addresses have 32 to 44 characters: what is as long stands for itself, and the service says if it is none. */
const SHORTEST_ADDRESS = 32;

const lamportsOf = (sol: number): bigint => BigInt(Math.round(sol * 1e9));

const nobody = (): never => {
  throw new UsageError('ALL needs a service: not with --direct');
};

/** For one wallet. `client` null: there is no service. `addresses` gives all its stake accounts. */
export const createLookUp = (
  client: HoldfastClient | null,
  walletAddress: string,
  addresses: () => Promise<readonly string[]>,
  signal: AbortSignal,
): LookUp => ({
  account: async (given) => {
    if (given === undefined || given.length >= SHORTEST_ADDRESS) return given;
    if (given.length < SHORTEST_PREFIX)
      throw new UsageError(`${given} is too short: at least ${SHORTEST_PREFIX} characters of an address`);
    const found = (await addresses()).filter((address) => address.startsWith(given));
    if (found.length === 1) return found[0];
    throw new UsageError(
      found.length === 0
        ? `none of your stake accounts begins with ${given}`
        : `${given} begins ${found.length} of your stake accounts: ${found.join(', ')}`,
    );
  },
  fromWallet: async (given) => {
    if (given !== ALL) return solToLamports(readAmount(given));
    const { availableToStake } = await (client ?? nobody()).balance({ walletAddress }, { signal });
    if (availableToStake > 0) return lamportsOf(availableToStake);
    throw new UsageError('the wallet holds nothing that could be staked beyond its fee reserve');
  },
  fromStake: async (given, name, want) => {
    if (given !== ALL) return solToLamports(readAmount(given, name));
    const { reachable } = await (client ?? nobody()).previewUnstake(
      { walletAddress, want: want === 'unstake' ? want : 'withdrawAmount' },
      { signal },
    );
    const most = reachable.at(-1)?.toSol;
    if (most !== undefined) return lamportsOf(most);
    throw new UsageError('nothing is staked that this wallet could unstake');
  },
});

// Reads stake accounts and the chain's state directly from an RPC node, and evaluates them by the service's
// rules.
import type { Address } from '@solana/kit';
import { HoldfastError } from '../../client/holdfast-error.ts';
import { fromBase64 } from '../../client/staking/base64.ts';
import { decodeSysvars, SYSVAR_ADDRESSES } from '../../src/chain/cluster/decode-sysvars.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import {
  decodeStakeAccount,
  STAKE_ACCOUNT_BYTES,
  type StakeAccount,
  stakeOffsets,
} from '../../src/domain/stake/stake-account.ts';
import { decodeStakeHistory, STAKE_HISTORY_ADDRESS } from '../../src/domain/stake/stake-history.ts';
import {
  assessStake,
  type StakeAssessment,
  type StakeChainFacts,
} from '../../src/domain/stake/stake-state.ts';
import type { NodeFacts } from '../../src/domain/transaction/effects/check-effects.ts';
import type { RpcNode } from './call-rpc-node.ts';

export interface ReadStake {
  readonly account: StakeAccount;
  readonly assessment: StakeAssessment;
}

interface RpcAccount {
  readonly lamports: number;
  readonly owner: string;
  readonly data: readonly [string, string];
}

const CONFIRMED = { commitment: 'confirmed', encoding: 'base64' } as const;
const CHAIN_ADDRESSES = [...SYSVAR_ADDRESSES, STAKE_HISTORY_ADDRESS];

const dataOf = (account: RpcAccount | null | undefined): Uint8Array | null =>
  account ? fromBase64(account.data[0]) : null;

const unreadable = (what: string): HoldfastError =>
  new HoldfastError({
    errorCode: 'BAD_ANSWER',
    operation: 'direct',
    message: `the RPC node returned unreadable ${what}`,
  });

const factsOf = (accounts: readonly (RpcAccount | null)[]): StakeChainFacts => {
  const sysvars = decodeSysvars(accounts.slice(0, SYSVAR_ADDRESSES.length).map(dataOf));
  const history = dataOf(accounts[SYSVAR_ADDRESSES.length]);
  if (sysvars === null || history === null) throw unreadable('sysvars');
  const { epoch, unixTimestamp, epochRewardsActive, rentLamports } = sysvars;
  return {
    epoch,
    unixTimestamp,
    epochRewardsActive,
    history: decodeStakeHistory(history),
    stakeRentLamports: rentLamports(STAKE_ACCOUNT_BYTES),
  };
};

const stakeOf = (address: string, account: RpcAccount): StakeAccount | null => {
  // JSON parsing may have rounded a larger number, so it must not be used as an amount.
  if (!Number.isSafeInteger(account.lamports)) throw unreadable('a balance');
  return decodeStakeAccount({
    address: address as Address,
    owner: account.owner as Address,
    lamports: BigInt(account.lamports),
    data: fromBase64(account.data[0]),
  });
};

const readAccounts = async (
  node: RpcNode,
  addresses: readonly string[],
): Promise<readonly (RpcAccount | null)[]> =>
  (await node.call<{ value: readonly (RpcAccount | null)[] }>('getMultipleAccounts', [addresses, CONFIRMED]))
    .value;

/** Maximum number of accounts in one call, including the sysvars and the wallet. */
const MAX_ACCOUNTS = 100;

/**
 * Reads the accounts, the wallet and the chain as input for the stake machine. Addresses that are not stake
 * accounts map to null.
 */
export const readNodeFacts = async (
  node: RpcNode,
  {
    wallet,
    voteAccount,
    accounts,
  }: { readonly wallet: Address; readonly voteAccount: Address; readonly accounts: readonly Address[] },
): Promise<NodeFacts> => {
  const { value: minimum } = await node.call<{ value: number }>('getStakeMinimumDelegation', [
    { commitment: 'confirmed' },
  ]);
  const common = [wallet, ...CHAIN_ADDRESSES];
  const width = MAX_ACCOUNTS - common.length;
  const stakes = new Map<Address, StakeAccount | null>();
  let facts: Pick<NodeFacts, 'chain' | 'walletLamports'> | undefined;
  for (let at = 0; at === 0 || at < accounts.length; at += width) {
    const some = accounts.slice(at, at + width);
    const found = await readAccounts(node, [...some, ...common]);
    const [payer, ...sysvars] = found.slice(some.length);
    for (const [index, address] of some.entries()) {
      const account = found[index];
      stakes.set(address, account ? stakeOf(address, account) : null);
    }
    const chain = factsOf(sysvars);
    if (facts !== undefined && facts.chain.epoch !== chain.epoch)
      throw unreadable('accounts (from two epochs)');
    facts = {
      chain: {
        ...chain,
        minimumDelegationLamports: BigInt(minimum),
        // The vote credits of a delegation do not affect amounts.
        voteCredits: new Map([[voteAccount, 0n]]),
      },
      walletLamports: BigInt(payer?.lamports ?? 0),
    };
  }
  return { ...facts!, accounts: stakes };
};

/** Returns every stake account in which the wallet holds an authority, largest first. */
export const readWalletStakes = async (
  node: RpcNode,
  walletAddress: string,
): Promise<readonly ReadStake[]> => {
  const chain = factsOf(await readAccounts(node, CHAIN_ADDRESSES));
  const byAuthority = (offset: number) =>
    node.call<readonly { pubkey: string; account: RpcAccount }[]>('getProgramAccounts', [
      STAKE_PROGRAM,
      {
        ...CONFIRMED,
        filters: [{ dataSize: STAKE_ACCOUNT_BYTES }, { memcmp: { offset, bytes: walletAddress } }],
      },
    ]);
  const found = new Map<string, StakeAccount>();
  // The scans run one after the other, because public nodes limit scans.
  for (const offset of [stakeOffsets.withdrawer, stakeOffsets.staker])
    for (const { pubkey, account } of await byAuthority(offset)) {
      const stake = stakeOf(pubkey, account);
      if (stake !== null) found.set(pubkey, stake);
    }
  return [...found.values()]
    .toSorted((a, b) => Number(b.lamports - a.lamports))
    .map((account) => ({ account, assessment: assessStake(account, chain) }));
};

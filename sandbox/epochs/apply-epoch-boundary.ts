// Performs the work of an epoch boundary in the real runtime's order: history, credits, rewards, EpochRewards.
// Then pays tips by transactions.

import { sendSigned, transferInstruction } from '../gateway/legacy-transaction.ts';
import { ProviderLedger } from '../providers/provider-ledger.ts';
import type { RuntimeAccount, RuntimeClient } from '../runtime-client.ts';
import { sandboxKey } from '../sandbox-keys.ts';
import { delegatedAccounts, historyEntry, type StakeReward, stakeRewards } from './compute-epoch-rewards.ts';
import { STAKE_PROGRAM, withReward } from './delegation-bytes.ts';
import {
  EPOCH_REWARDS_SYSVAR,
  encodeEpochRewards,
  encodeStakeHistory,
  STAKE_HISTORY_MAX_ENTRIES,
  STAKE_HISTORY_SYSVAR,
  type StakeHistoryEntry,
  SYSVAR_OWNER,
} from './encode-sysvars.ts';
import { activationAt } from './replay-activation.ts';
import { type InflationReward, RewardLedger } from './reward-ledger.ts';
import type { OwnValidator } from './sandbox-validator.ts';
import { readVoteState, VOTE_PROGRAM, withdrawInstruction, withEpochCredits } from './vote-account.ts';

/** Number of slots in each of Surfpool's epochs, which have no warm-up. */
export const SLOTS_PER_EPOCH = 432_000;

/** Credits that every validator earns in an epoch: 98.5 % of the maximum of 16 per slot. */
export const CREDITS_PER_EPOCH = 6_808_320n;

// Number of account writes per block. A write takes 0.2 ms (November 2026, 2 cores), so 500 take a quarter of a
// 400 ms block.
const PAYMENTS_PER_BLOCK = 500;
/** Maximum number of accounts in one `getMultipleAccounts` call. */
const READS_PER_CALL = 100;
/** Number of accounts in each transaction of tips. The runtime's time grows with the square of the instructions. */
const TIPS_PER_TRANSACTION = 4;
/**
 * Maximum number of accounts whose tips are paid by transaction. It takes 4 ms per account (November 2026, 2 cores),
 * so the tips of more accounts are written directly.
 */
const MAX_ACCOUNTS_TIPPED_BY_TRANSACTION = 64;

/** A stake account in its new state, and the lamports added to it. */
type Payment = { readonly account: RuntimeAccount; readonly addedLamports: bigint };

type Tip = { readonly address: string; readonly lamports: bigint };

/** Reward settings of an epoch boundary. */
type EpochBoundaryOptions = {
  /** The sandbox's own validator. All other validators always vote. */
  readonly own: OwnValidator;
  /** Constant effective stake of the rest of the cluster, in lamports. */
  readonly clusterRestLamports: bigint;
  /** Reward of one epoch, in billionths of the stake that earned it. */
  readonly rewardPpb: bigint;
  /** Tips of one epoch, in billionths of the effective stake, if the validator votes. */
  readonly tipPpb: bigint;
};

const hasVoted = ({ data }: RuntimeAccount, epoch: bigint): boolean =>
  readVoteState(data)?.epochCredits.some((earned) => earned.epoch === epoch) ?? false;

/**
 * Applies epoch boundaries. Keeps the state that is carried from one boundary to the next: StakeHistory, stake
 * per vote account, and paid rewards.
 */
export class EpochBoundary {
  readonly #client: RuntimeClient;
  readonly #options: EpochBoundaryOptions;
  readonly #history = new Map<bigint, StakeHistoryEntry>();
  readonly #ledger = new RewardLedger();
  /** Stake of each validator and tips of its stakers, by finished epoch. */
  readonly validators = new ProviderLedger();
  #activatedStake = new Map<string, bigint>();
  #voteAccounts: RuntimeAccount[] = [];
  #due: Payment[] = [];
  #dueTips: Tip[] = [];

  constructor(client: RuntimeClient, options: EpochBoundaryOptions) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * Writes a full StakeHistory for the epochs before `firstEpoch`, as if the cluster's stake had never changed.
   */
  async begin(firstEpoch: number): Promise<void> {
    const oldest = Math.max(0, firstEpoch - STAKE_HISTORY_MAX_ENTRIES);
    for (let epoch = oldest; epoch < firstEpoch; epoch += 1) {
      this.#remember({
        epoch: BigInt(epoch),
        effective: this.#options.clusterRestLamports,
        activating: 0n,
        deactivating: 0n,
      });
    }
    await this.#writeHistory();
  }

  /** Returns effective lamports per vote address at the start of the current epoch. */
  get activatedStake(): ReadonlyMap<string, bigint> {
    return this.#activatedStake;
  }

  /** Vote accounts, as of the last boundary. */
  get voteAccounts(): readonly RuntimeAccount[] {
    return this.#voteAccounts;
  }

  /** Effective stake of the whole cluster at the end of the last epoch, in lamports. */
  get clusterEffectiveLamports(): bigint {
    return [...this.#history.values()].at(-1)?.effective ?? this.#options.clusterRestLamports;
  }

  /** Returns the reward paid to `address` for `epoch`, or undefined. */
  reward(epoch: number, address: string): InflationReward | undefined {
    return this.#ledger.reward(epoch, address);
  }

  /** True if the rewards of `epoch` are no longer stored. */
  isRewardDropped(epoch: number): boolean {
    return this.#ledger.isDropped(epoch);
  }

  async refreshVoteAccounts(): Promise<void> {
    this.#voteAccounts = await this.#client.programAccounts(VOTE_PROGRAM);
  }

  /** The sandbox's own validator, which votes and can be reconfigured between boundaries. */
  get own(): OwnValidator {
    return this.#options.own;
  }

  /** True while some accounts have not been paid yet. EpochRewards remains active until then. */
  get isPaying(): boolean {
    return this.#due.length > 0 || this.#dueTips.length > 0;
  }

  /**
   * Pays as many accounts as one block allows. A real cluster also spreads payments across several blocks
   * while EpochRewards is active.
   */
  async payBlock(): Promise<void> {
    if (this.#due.length === 0) return this.#payTips(this.#dueTips.splice(0));
    const block = this.#due.splice(0, PAYMENTS_PER_BLOCK);
    for (let at = 0; at < block.length; at += READS_PER_CALL) {
      const some = block.slice(at, at + READS_PER_CALL);
      // The Stake program refuses instructions while rewards are being paid, but a transfer may still have
      // added lamports to an account.
      const balances = await this.#client.balances(some.map(({ account }) => account.address));
      await this.#writeStakes(
        some.map(({ account, addedLamports }, index) => ({
          ...account,
          lamports: balances[index]! + addedLamports,
        })),
      );
    }
  }

  /** Pays all remaining accounts. */
  async payAll(): Promise<void> {
    while (this.isPaying) await this.payBlock();
  }

  /**
   * Ends `epoch`: updates the accounts, activates EpochRewards and pays the first block of rewards. The
   * caller then opens the next epoch.
   */
  async end(input: { epoch: number; lastSlot: number; blockHeight: number }): Promise<void> {
    await this.payAll();
    const epoch = BigInt(input.epoch);
    const [stakes, votes] = await Promise.all([
      this.#client.programAccounts(STAKE_PROGRAM),
      this.#client.programAccounts(VOTE_PROGRAM),
    ]);
    const accounts = delegatedAccounts(stakes);
    const lookup = (at: bigint): StakeHistoryEntry | undefined => this.#history.get(at);
    this.#remember(historyEntry(accounts, epoch, lookup, this.#options.clusterRestLamports));
    await this.#writeHistory();
    this.#voteAccounts = [];
    for (const vote of votes) this.#voteAccounts.push(await this.#writeCredits(vote, epoch, input.lastSlot));
    const { rewards, totalPoints } = stakeRewards({
      accounts,
      voteAccounts: this.#voteAccounts,
      epoch,
      history: lookup,
      ratePpb: this.#options.rewardPpb,
      creditsPerEpoch: CREDITS_PER_EPOCH,
    });
    const beforeBoundary = new Map(stakes.map((account) => [account.address, account]));
    const balances = new Map(beforeBoundary);
    const changed = await this.#payRewards(rewards, input.epoch, balances);
    const tips = new Map<string, bigint>();
    const accountTips: Tip[] = [];
    // A validator that did not vote produced no blocks.
    const voting = new Set(
      this.#voteAccounts.filter((vote) => hasVoted(vote, epoch)).map(({ address }) => address),
    );
    for (const { address, delegation } of accounts) {
      if (!voting.has(delegation.voter)) continue;
      const { effective } = activationAt(delegation, epoch, lookup);
      const tip = (effective * this.#options.tipPpb) / 1_000_000_000n;
      if (tip > 0n) {
        accountTips.push({ address, lamports: tip });
        tips.set(delegation.voter, (tips.get(delegation.voter) ?? 0n) + tip);
      }
    }
    if (accountTips.length <= MAX_ACCOUNTS_TIPPED_BY_TRANSACTION && (await this.#canSendTips(votes)))
      this.#dueTips = accountTips;
    else
      for (const { address, lamports } of accountTips) {
        const account = balances.get(address)!;
        changed.set(address, { ...account, lamports: account.lamports + lamports });
      }
    this.#due = [...changed.values()].map((account) => {
      const before = beforeBoundary.get(account.address)!;
      return { account, addedLamports: account.lamports - before.lamports };
    });
    await this.#writeStakes(this.#due.splice(0, PAYMENTS_PER_BLOCK).map(({ account }) => account));
    this.validators.note(input.epoch, { stake: this.#activatedStake, tips });
    this.#countActivatedStake(delegatedAccounts([...balances.values()]), epoch + 1n, lookup);
    const paid = rewards.reduce((sum, reward) => sum + reward.rewardLamports, 0n);
    await this.#writeEpochRewards(true, BigInt(input.blockHeight) + 1n, totalPoints, paid);
  }

  /** False if the vote account is below its rent-exempt minimum, as after `setRent`, so it cannot send lamports. */
  async #canSendTips(votes: readonly RuntimeAccount[]): Promise<boolean> {
    const own = votes.find(({ address }) => address === this.#options.own.address)!;
    const minimum = await this.#client.call('getMinimumBalanceForRentExemption', [own.data.length]);
    return own.lamports >= BigInt(minimum as number | bigint);
  }

  /**
   * Pays tips with transactions of a program other than Stake and System, as a tip distribution program does:
   * the faucet funds the vote account, and its withdrawer sends the lamports on.
   */
  async #payTips(tips: readonly Tip[]): Promise<void> {
    const [faucet, withdrawer] = [sandboxKey('faucet'), sandboxKey('withdrawer')];
    const vote = this.#options.own.address;
    for (let at = 0; at < tips.length; at += TIPS_PER_TRANSACTION) {
      const some = tips.slice(at, at + TIPS_PER_TRANSACTION);
      const total = some.reduce((sum, { lamports }) => sum + lamports, 0n);
      await sendSigned(
        this.#client,
        [faucet, withdrawer],
        [
          transferInstruction(faucet.address, vote, total),
          ...some.map(({ address, lamports }) =>
            withdrawInstruction({ voteAccount: vote, to: address, withdrawer: withdrawer.address, lamports }),
          ),
        ],
      );
    }
  }

  /** Opens or closes the EpochRewards window, in which the Stake program refuses every instruction. */
  async setEpochRewardsActive(active: boolean, blockHeight: bigint): Promise<void> {
    await this.#writeEpochRewards(active, blockHeight, 0n, 0n);
  }

  /** Records the rewards and returns the stake accounts in their new state. */
  async #payRewards(
    rewards: readonly StakeReward[],
    epoch: number,
    balances: Map<string, RuntimeAccount>,
  ): Promise<Map<string, RuntimeAccount>> {
    const changed = new Map<string, RuntimeAccount>();
    this.#ledger.open(epoch);
    const paidVotes = new Set<string>();
    const effectiveSlot = (epoch + 1) * SLOTS_PER_EPOCH;
    for (const { account, rewardLamports, commissionLamports, commissionBps, creditsObserved } of rewards) {
      const rewarded: RuntimeAccount = {
        address: account.address,
        lamports: account.lamports + rewardLamports,
        data: withReward(account.data, account.delegation.stakeLamports + rewardLamports, creditsObserved),
      };
      changed.set(account.address, rewarded);
      balances.set(account.address, rewarded);
      const reward = { epoch, effectiveSlot, commissionBps };
      this.#ledger.add(account.address, {
        ...reward,
        amount: rewardLamports,
        postBalance: rewarded.lamports,
      });
      const vote = this.#addCommission(account.delegation.voter, commissionLamports);
      if (vote === undefined) continue;
      paidVotes.add(vote.address);
      this.#ledger.add(vote.address, { ...reward, amount: commissionLamports, postBalance: vote.lamports });
    }
    // Writes each vote account once, however many stakes paid it a commission.
    for (const vote of this.#voteAccounts)
      if (paidVotes.has(vote.address)) await this.#client.setAccount(vote, VOTE_PROGRAM);
    return changed;
  }

  /** Adds a commission to a vote account in memory. */
  #addCommission(voter: string, lamports: bigint): RuntimeAccount | undefined {
    const index = this.#voteAccounts.findIndex((vote) => vote.address === voter);
    const vote = this.#voteAccounts[index];
    if (lamports === 0n || vote === undefined) return undefined;
    const richer = { ...vote, lamports: vote.lamports + lamports };
    this.#voteAccounts[index] = richer;
    return richer;
  }

  #countActivatedStake(
    accounts: ReturnType<typeof delegatedAccounts>,
    epoch: bigint,
    lookup: (at: bigint) => StakeHistoryEntry | undefined,
  ): void {
    const totals = new Map<string, bigint>();
    for (const { delegation } of accounts) {
      const { effective } = activationAt(delegation, epoch, lookup);
      totals.set(delegation.voter, (totals.get(delegation.voter) ?? 0n) + effective);
    }
    this.#activatedStake = totals;
  }

  async #writeCredits(vote: RuntimeAccount, epoch: bigint, lastSlot: number): Promise<RuntimeAccount> {
    const { own } = this.#options;
    const data = withEpochCredits(vote.data, {
      epoch,
      earned: CREDITS_PER_EPOCH,
      lastVoteSlot: BigInt(lastSlot),
      unixTimestamp: BigInt(Math.floor(Date.now() / 1_000)),
    });
    const credited = { ...vote, data };
    const after = vote.address === own.address ? await own.endEpoch(vote, credited, lastSlot) : credited;
    await this.#client.setAccount(after, VOTE_PROGRAM);
    return after;
  }

  #remember(entry: StakeHistoryEntry): void {
    this.#history.set(entry.epoch, entry);
    this.#history.delete(entry.epoch - BigInt(STAKE_HISTORY_MAX_ENTRIES));
  }

  async #writeHistory(): Promise<void> {
    const newestFirst = [...this.#history.values()].reverse();
    await this.#writeSysvar(STAKE_HISTORY_SYSVAR, encodeStakeHistory(newestFirst));
  }

  async #writeEpochRewards(
    active: boolean,
    startHeight: bigint,
    totalPoints: bigint,
    totalRewards: bigint,
  ): Promise<void> {
    const data = encodeEpochRewards({
      distributionStartingBlockHeight: startHeight,
      totalPoints,
      totalRewards,
      distributedRewards: totalRewards,
      active,
    });
    await this.#writeSysvar(EPOCH_REWARDS_SYSVAR, data);
  }

  async #writeSysvar(address: string, data: Uint8Array): Promise<void> {
    await this.#client.setAccount({ address, lamports: 1n, data }, SYSVAR_OWNER);
  }

  async #writeStakes(accounts: readonly RuntimeAccount[]): Promise<void> {
    await Promise.all(accounts.map((account) => this.#client.setAccount(account, STAKE_PROGRAM)));
  }
}

// Behavior of the sandbox's own validator: voting, commission, and the fee for admission to an epoch.

import type { RuntimeAccount, RuntimeClient } from '../runtime-client.ts';
import { readVoteState, VOTE_ACCOUNT_SPACE, VOTE_PROGRAM, withCommission, withVote } from './vote-account.ts';

/** Properties of the validator to change. Missing fields stay unchanged. */
export type ValidatorConduct = {
  /** Commission on inflation rewards, in basis points. */
  readonly commissionBps?: number;
  /**
   * False if the validator casts no votes. If it stays false until the end of an epoch, the validator earns
   * no credits in that epoch.
   */
  readonly votes?: boolean;
  /**
   * Admission fee in lamports (SIMD-0357). Each boundary deducts it from the vote account, for the epoch
   * after the next. 0 means no fee.
   */
  readonly ticketLamports?: bigint;
};

/** Current properties of the validator. */
export type ValidatorState = Required<ValidatorConduct> & {
  /** True if admitted to the current epoch. Without admission, its delegators earn nothing. */
  readonly admitted: boolean;
  readonly balanceLamports: bigint;
};

// Interval between votes, in slots. A validator is delinquent once it is 128 slots behind. A vote needs one
// account write, plus one read if an account has changed since the last vote.
const VOTE_EVERY_SLOTS = 32;

export class OwnValidator {
  readonly address: string;
  readonly #client: RuntimeClient;
  #votes = true;
  #ticketLamports = 0n;
  #isAdmitted = true;
  #isAdmittedNext = true;
  #lastVoteSlot = 0;
  /** The account after the last vote, and the number of account changes at that time. */
  #voted: { readonly account: RuntimeAccount; readonly changes: number } | null = null;

  constructor(client: RuntimeClient, address: string) {
    this.#client = client;
    this.address = address;
  }

  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  /** True if the validator votes and is admitted, so its votes count. */
  get isVoting(): boolean {
    return this.#votes && this.#isAdmitted;
  }

  /** Last voted slot, as recorded in the vote account. */
  get lastVoteSlot(): number {
    return this.#lastVoteSlot;
  }

  /**
   * Votes on `slot` if the last vote is old enough. Rereads the vote account first if the count of account
   * changes differs from its value at the last vote.
   */
  async voteOn(slot: number, changes: number): Promise<void> {
    if (!this.isVoting || slot < this.#lastVoteSlot + VOTE_EVERY_SLOTS) return;
    const account = this.#voted?.changes === changes ? this.#voted.account : await this.#read();
    if (account === null || readVoteState(account.data) === null) return;
    this.#lastVoteSlot = slot;
    const unixTimestamp = BigInt(Math.floor(Date.now() / 1_000));
    const data = withVote(account.data, { lastVoteSlot: BigInt(slot), unixTimestamp });
    this.#voted = null;
    await this.#client.setAccount({ ...account, data }, VOTE_PROGRAM);
    this.#voted = { account: { ...account, data }, changes };
  }

  /**
   * Returns the vote account after the end of an epoch, less the admission fee for the epoch after the next.
   * `credited` is the same account with the credits that votes earn.
   */
  async endEpoch(vote: RuntimeAccount, credited: RuntimeAccount, lastSlot: number): Promise<RuntimeAccount> {
    const earned = this.isVoting ? credited : vote;
    if (this.isVoting) this.#lastVoteSlot = lastSlot;
    this.#isAdmitted = this.#isAdmittedNext;
    const rent = BigInt(
      (await this.#client.call('getMinimumBalanceForRentExemption', [VOTE_ACCOUNT_SPACE])) as number,
    );
    this.#isAdmittedNext = earned.lamports - this.#ticketLamports >= rent || this.#ticketLamports === 0n;
    return this.#isAdmittedNext ? { ...earned, lamports: earned.lamports - this.#ticketLamports } : earned;
  }

  async set({ commissionBps, votes, ticketLamports }: ValidatorConduct): Promise<ValidatorState> {
    this.#votes = votes ?? this.#votes;
    this.#ticketLamports = ticketLamports ?? this.#ticketLamports;
    const account = await this.#read();
    const data =
      account && commissionBps !== undefined ? withCommission(account.data, commissionBps) : account?.data;
    if (account && data && data !== account.data)
      await this.#client.setAccount({ ...account, data }, VOTE_PROGRAM);
    return {
      commissionBps: (data && readVoteState(data)?.commissionBps) ?? 0,
      votes: this.#votes,
      ticketLamports: this.#ticketLamports,
      admitted: this.#isAdmitted,
      balanceLamports: account?.lamports ?? 0n,
    };
  }

  async #read(): Promise<RuntimeAccount | null> {
    const config = { encoding: 'base64', commitment: 'processed' };
    const { value } = (await this.#client.call('getAccountInfo', [this.address, config])) as {
      value: { lamports: number | { rawJSON: string }; data: [string, string]; owner: string } | null;
    };
    if (value === null || value.owner !== VOTE_PROGRAM) return null;
    return {
      address: this.address,
      lamports: BigInt(Number(value.lamports)),
      data: Buffer.from(value.data[0], 'base64'),
    };
  }
}

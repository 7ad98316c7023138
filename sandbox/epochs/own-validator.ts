// How the sandbox's own validator behaves: whether it votes, what it takes, and what its admission to an epoch costs.

import type { RuntimeAccount, RuntimeClient } from '../runtime-client.ts';
import type { Surfnet } from '../surfnet.ts';
import { readVoteState, VOTE_ACCOUNT_SPACE, VOTE_PROGRAM, withCommission, withVote } from './vote-account.ts';

/** What can be set of it; members that are missing stay as they are. */
export type ValidatorConduct = {
  /** Commission on inflation, ten-thousandths. */
  readonly commissionBps?: number;
  /** False: it writes no votes, and where that lasts to the end of an epoch it earns no credits in it. */
  readonly votes?: boolean;
  /** What each boundary takes from the vote account for the epoch after the next (SIMD-0357); 0: nothing is asked for. */
  readonly ticketLamports?: bigint;
};

/** What it is. */
export type ValidatorState = Required<ValidatorConduct> & {
  /** To the running epoch: without it nobody who delegates to it earns. */
  readonly admitted: boolean;
  readonly balanceLamports: bigint;
};

// A validator is delinquent 128 slots behind; a vote costs a read and a write, 0.5 ms.
const VOTE_EVERY_SLOTS = 32;

export class OwnValidator {
  readonly address: string;
  readonly #surfnet: Surfnet;
  readonly #client: RuntimeClient;
  #votes = true;
  #ticketLamports = 0n;
  #isAdmitted = true;
  #isAdmittedNext = true;
  #lastVoteSlot = 0;

  constructor(surfnet: Surfnet, client: RuntimeClient, address: string) {
    this.#surfnet = surfnet;
    this.#client = client;
    this.address = address;
  }

  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  /** Its votes count: it casts them, and is admitted. */
  get isVoting(): boolean {
    return this.#votes && this.#isAdmitted;
  }

  /** The last slot that it voted on, as of the votes in its account. */
  get lastVoteSlot(): number {
    return this.#lastVoteSlot;
  }

  /** Casts a vote on `slot` where the last one is a while ago. The account may have been written by anybody: it is read before. */
  async voteOn(slot: number): Promise<void> {
    if (!this.isVoting || slot < this.#lastVoteSlot + VOTE_EVERY_SLOTS) return;
    const account = await this.#read();
    if (account === null || readVoteState(account.data) === null) return;
    this.#lastVoteSlot = slot;
    const unixTimestamp = BigInt(Math.floor(Date.now() / 1_000));
    this.#write({ ...account, data: withVote(account.data, { lastVoteSlot: BigInt(slot), unixTimestamp }) });
  }

  /** What the end of an epoch makes of the vote account: `credited` is it with the credits that votes earn. Takes the ticket for the epoch after the next. */
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
    if (account && data && data !== account.data) this.#write({ ...account, data });
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

  #write({ address, lamports, data }: RuntimeAccount): void {
    this.#surfnet.setAccount(address, Number(lamports), [...data], VOTE_PROGRAM);
  }
}

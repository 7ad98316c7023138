// Options of a sandbox, and its interface while it runs.

import type { ValidatorConduct, ValidatorState } from './epochs/own-validator.ts';

/** Settings of a sandbox; every one has a default. */
export type SandboxOptions = {
  /** JSON-RPC port; WebSocket is on the next one. Default 0: any free pair. */
  readonly rpcPort?: number;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Milliseconds between two blocks. Default 400. */
  readonly slotMs?: number;
  /** Seconds that an epoch lasts; 0: epochs end on demand only and slots pass one by one. Default 300. */
  readonly epochSeconds?: number;
  /** Epoch that the chain starts in, with StakeHistory filled before it. Default 800. */
  readonly startEpoch?: number;
  /** Effective stake of the rest of the cluster in SOL; small values make the 9 % cap bite. Default 390,000,000. */
  readonly clusterRestSol?: number;
  /** Rent in lamports per byte on data size + 128. Default 5,080, which is 1,666,240 lamports for a stake account. */
  readonly rentLamportsPerByte?: number;
  /** Gives the ELF file of the Stake program to run for the runtime's own. Default: that one, release 5, with a minimum delegation of 1 SOL. */
  readonly stakeProgram?: (bundled: Uint8Array) => Uint8Array;
  /** Reward of one epoch in billionths of the stake that earned it. Default 354,000 for an epoch of two days or on demand, about 6.7 % a year; shorter ones pay their share. */
  readonly rewardPpb?: number;
  /** Tips of one epoch in billionths of effective stake, on about every second account. Default 20,000, shared out in the same way. */
  readonly tipPpb?: number;
  /** Blocks for which EpochRewards stays active after a boundary. Default 3. */
  readonly epochRewardsBlocks?: number;
  /** Called whenever the runtime has done a write or a block; for a watchdog. */
  readonly onProgress?: () => void;
};

/** What a client needs to know of a running sandbox. */
export type SandboxState = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly controlUrl: string;
  /** Base URL of validator statistics in the shape of StakeWiz's API. */
  readonly stakewizUrl: string;
  /** Base URL of MEV statistics in the shape of Jito's API. */
  readonly jitoUrl: string;
  /** Path of an example of an operator's profile file. */
  readonly profileFile: string;
  readonly genesisHash: string;
  readonly epoch: number;
  readonly voteAccount: string;
  readonly identity: string;
  /** A second validator's vote account, to delegate elsewhere; its commission is 5 %. */
  readonly otherVoteAccount: string;
  /** A third one's, with 10 %. */
  readonly thirdVoteAccount: string;
  readonly faucetAddress: string;
  readonly donationAddress: string;
  readonly memo: string;
  /** Always `new`: the runtime cannot restore a chain, so every start begins one. */
  readonly chain: 'new';
};

/** A running local cluster. Close it: it owns ports, timers and a native runtime. */
export type Sandbox = Omit<SandboxState, 'epoch'> &
  AsyncDisposable & {
    state(): SandboxState;
    epoch(): number;
    slot(): number;
    /** A real transfer from the faucet, confirmed; its signature. */
    airdrop(wallet: string, lamports: bigint, signal: AbortSignal): Promise<string>;
    /** Ends `count` epochs now, EpochRewards windows included; the new epoch. Calls queue. */
    advanceEpochs(count: number): Promise<number>;
    /** Keeps EpochRewards active (true) or ends it (false). */
    holdEpochRewards(hold: boolean): Promise<void>;
    /** Sets rent for the RPC and the programs alike. */
    setRent(lamportsPerByte: bigint): Promise<void>;
    /** Writes an account as it is, for situations that no transaction leads to. Lamports up to 2^53. */
    setAccount(account: {
      address: string;
      lamports: bigint;
      data: Uint8Array;
      owner: string;
    }): Promise<void>;
    /** Has our validator behave otherwise from now on; how it does. */
    setValidator(conduct: ValidatorConduct): Promise<ValidatorState>;
    /** Resolves when the next block is made. */
    nextBlock(signal: AbortSignal): Promise<void>;
    close(): Promise<void>;
  };

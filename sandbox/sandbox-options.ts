// Options of a sandbox, and the interface of a running one.

import type { BusyNetworkSettings } from './blocks/background-load.ts';
import type { NetworkLoad } from './blocks/transaction-sender.ts';
import type { ValidatorConduct, ValidatorState } from './epochs/sandbox-validator.ts';

/** Settings of a sandbox, all optional. */
export type SandboxOptions = {
  /** JSON-RPC port. WebSocket uses the next port. Default: 0, which selects any free pair. */
  readonly rpcPort?: number;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Milliseconds between two blocks. Default: 400. */
  readonly slotMs?: number;
  /** Seconds per epoch. With 0, slots advance one by one, and epochs end only on demand. Default: 300. */
  readonly epochSeconds?: number;
  /** First epoch of the chain. Earlier epochs are filled into StakeHistory. Default: 800. */
  readonly startEpoch?: number;
  /**
   * Effective stake of the rest of the cluster in SOL. With small values, the 9 % warm-up limit applies.
   * Default: 390,000,000.
   */
  readonly clusterRestSol?: number;
  /**
   * Rent in lamports per byte of data size + 128. Default: 5,080, which is 1,666,240 lamports for a stake
   * account.
   */
  readonly rentLamportsPerByte?: number;
  /**
   * Returns the ELF file of the Stake program to run instead of the runtime's own. Default: the bundled
   * release 5, with a minimum delegation of 1 SOL.
   */
  readonly stakeProgram?: (bundled: Uint8Array) => Uint8Array;
  /**
   * Reward of one two-day epoch, in billionths of the stake that earned it. Default: 354,000, about 6.7 % a
   * year. It is scaled down for shorter epochs. An epoch ended on demand counts as 432,000 slots.
   */
  readonly rewardPpb?: number;
  /**
   * Tips of one epoch, in billionths of effective stake, paid to every account in proportion to its stake, as
   * Jito does. Default: 10,000, scaled down for shorter epochs like `rewardPpb`.
   */
  readonly tipPpb?: number;
  /** Number of blocks for which EpochRewards stays active after a boundary. Default: 3. */
  readonly epochRewardsBlocks?: number;
  /** Starts with a busy network. Default: every transaction is executed immediately. */
  readonly busyNetwork?: BusyNetworkSettings;
};

/** Information that a client needs about a running sandbox. */
export type SandboxState = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly controlUrl: string;
  /** Base URL of validator statistics in StakeWiz's API format. */
  readonly stakewizUrl: string;
  /** Base URL of MEV statistics in Jito's API format. */
  readonly jitoUrl: string;
  /** Path of an example operator profile. */
  readonly profileFile: string;
  readonly genesisHash: string;
  readonly epoch: number;
  readonly voteAccount: string;
  readonly identity: string;
  /** Vote account of a second validator to delegate to. Its commission is 5 %. */
  readonly otherVoteAccount: string;
  /** Vote account of a third validator. Its commission is 10 %. */
  readonly thirdVoteAccount: string;
  readonly faucetAddress: string;
  readonly donationAddress: string;
  readonly memo: string;
  /** Always `new`, because the runtime cannot restore a chain and every start creates one. */
  readonly chain: 'new';
};

/** A running local cluster. Close it to release ports, timers and the native runtime. */
export type Sandbox = Omit<SandboxState, 'epoch'> &
  AsyncDisposable & {
    state(): SandboxState;
    epoch(): number;
    slot(): number;
    /** Sends a real transfer from the faucet and resolves with its signature once confirmed. */
    airdrop(wallet: string, lamports: bigint, signal: AbortSignal): Promise<string>;
    /** Ends `count` epochs now, including their EpochRewards windows, and returns the new epoch. Calls are queued. */
    advanceEpochs(count: number): Promise<number>;
    /** Produces `count` blocks now, for example until a transaction has expired. Calls are queued. */
    advanceBlocks(count: number): Promise<void>;
    /** Keeps EpochRewards active (true) or ends it (false). */
    holdEpochRewards(hold: boolean): Promise<void>;
    /** Sets the rent for RPC and programs. */
    setRent(lamportsPerByte: bigint): Promise<void>;
    /** Writes an account directly, for states that no transaction can create. */
    setAccount(account: {
      address: string;
      lamports: bigint;
      data: Uint8Array;
      owner: string;
    }): Promise<void>;
    /** Changes the behavior of the sandbox's validator and returns its new state. */
    setValidator(conduct: ValidatorConduct): Promise<ValidatorState>;
    /** Makes the network busy, or quiet with null. Returns the new load. */
    setBusyNetwork(settings: BusyNetworkSettings | null): Promise<NetworkLoad>;
    /** Resolves when the next block is produced. */
    nextBlock(signal: AbortSignal): Promise<void>;
    close(): Promise<void>;
  };

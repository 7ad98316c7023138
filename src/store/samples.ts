// What the samplers keep of the validator: one row an epoch, one vote sample a quarter of an hour, delinquency counted by epoch.

/** A completed epoch. Null is unknown; what is known later fills it in. */
export interface EpochSample {
  readonly epoch: bigint;
  readonly activeStakeLamports: bigint | null;
  readonly credits: bigint | null;
  /** Percent. */
  readonly apy: number | null;
  /** Percent. */
  readonly commission: number | null;
  /** Percent. */
  readonly skipRate: number | null;
}

/** How voting went at one moment. */
export interface VoteSample {
  /** Milliseconds since the Unix epoch. */
  readonly timestampMs: number;
  readonly slot: bigint;
  /** Percent of the credits that could be had so far in the epoch. */
  readonly voteSuccessRate: number;
}

/** How often the validator was looked at, and how often it was delinquent then. */
export interface DelinquencyTally {
  readonly samples: number;
  readonly delinquent: number;
}

/** What is too old to be kept. */
export interface SampleRetention {
  /** Vote samples before this moment, ms since the Unix epoch. */
  readonly votesBeforeMs: number;
  /** Delinquency of epochs before this one. */
  readonly delinquencyBeforeEpoch: bigint;
}

/** Durable samples. Rejects as `TransactionRecords` does. */
export interface Samples {
  /** Known values replace earlier ones; nulls replace nothing. */
  readonly recordEpochs: (samples: readonly EpochSample[]) => Promise<void>;
  /** The newest `limit` epochs, newest first. */
  readonly epochs: (limit: number) => Promise<readonly EpochSample[]>;
  /** Keeps the first sample of each quarter of an hour; false when there was one, for instance another replica's. */
  readonly recordVote: (sample: VoteSample) => Promise<boolean>;
  /** Samples from `sinceMs` on, oldest first. 30 days are 2,880. */
  readonly votes: (sinceMs: number) => Promise<readonly VoteSample[]>;
  readonly recordDelinquency: (sample: {
    readonly epoch: bigint;
    readonly isDelinquent: boolean;
  }) => Promise<void>;
  /** Over all samples of `fromEpoch` and later. */
  readonly delinquency: (fromEpoch: bigint) => Promise<DelinquencyTally>;
  /** Deletes what is too old, a few hundred rows at a time. Returns how many rows went. */
  readonly forget: (retention: SampleRetention) => Promise<number>;
}

// Methods and calls of the operations under "Validator".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  PeerDensityAnswer,
  PeerDensityInput,
  ValidatorAlertsAnswer,
  ValidatorAlertsInput,
  ValidatorApyAnswer,
  ValidatorApyInput,
  ValidatorHistoryAnswer,
  ValidatorHistoryInput,
  ValidatorInfrastructureAnswer,
  ValidatorInfrastructureInput,
  ValidatorLiveAnswer,
  ValidatorLiveInput,
  ValidatorPerformanceAnswer,
  ValidatorPerformanceInput,
  ValidatorProfileAnswer,
  ValidatorProfileInput,
} from './validator-operations.ts';

/** Methods of validator operations. */
export interface ValidatorMethods {
  /**
   * The validator: `GET /api/v1/validator`
   *
   * Name, addresses, commissions, stake, delegators, rank, software and location of the validator, with its
   * APY and performance. Stake, commission, credits, rank, software and delegators come from the chain,
   * name and location from its operator or a statistics provider, MEV commission from an MEV provider.
   * Unavailable values are null, with a warning.
   */
  readonly validatorProfile: (
    input?: ValidatorProfileInput,
    options?: CallOptions,
  ) => Promise<ValidatorProfileAnswer>;
  /**
   * Yearly staking yield: `GET /api/v1/validator/apy`
   *
   * Yearly yields in percent: `stakingApy` from inflation rewards, `jitoMevApy` from MEV tips, `totalApy`
   * their sum, null if either is unknown, `atLeastApy` the known part of it: without tips while they are
   * unknown. Measured from rewards actually paid in the last ended epochs, if any were paid; method
   * describes the calculation of each part, its epochs and its number of samples. It is not a promise.
   */
  readonly validatorApy: (input?: ValidatorApyInput, options?: CallOptions) => Promise<ValidatorApyAnswer>;
  /**
   * Validator performance: `GET /api/v1/validator/performance`
   *
   * Vote success, skip rate, credits and rank in the current epoch, read from the chain, and uptime from
   * samples that this service takes every 15 minutes. Unavailable fields are null, with a warning.
   */
  readonly validatorPerformance: (
    input?: ValidatorPerformanceInput,
    options?: CallOptions,
  ) => Promise<ValidatorPerformanceAnswer>;
  /**
   * Validator history by epoch, with vote samples: `GET /api/v1/validator/history`
   *
   * Completed epochs, newest first: active stake, vote credits, APY, commission and skip rate, recorded by
   * this service each epoch; earlier epochs are backfilled from the chain and the providers; unavailable
   * figures are null. `voteSamples` is the vote success over the last 30 days, sampled every 15 minutes,
   * oldest first.
   */
  readonly validatorHistory: (
    input?: ValidatorHistoryInput,
    options?: CallOptions,
  ) => Promise<ValidatorHistoryAnswer>;
  /**
   * Current slot, epoch and votes: `GET /api/v1/validator/live`
   *
   * Current slot and epoch, the leader slots of the validator in it, its last vote, credits and stake, and
   * its commissions. Read from the Solana RPC; only `jitoCommissionBps` comes from a provider.
   */
  readonly validatorLive: (input?: ValidatorLiveInput, options?: CallOptions) => Promise<ValidatorLiveAnswer>;
  /**
   * Validator alerts: `GET /api/v1/validator/alerts`
   *
   * Changes to the validator since this service started watching it, newest first, at most 200: delinquency
   * (finalized votes more than 128 slots old in three polls) and recovery, every change to the commissions
   * and collectors of the vote account, an epoch without credits, stake that anyone may deactivate (5
   * epochs without credits), and limits of the cluster. With several RPC nodes, a change is reported only
   * if at least two agree; `seenByNodes` is their number. `nearBoundary`: changed in the first or last 2%
   * of an epoch, as in rug pulls. A change that is reverted within 40 s may be missed; tips commissions
   * (Jito) are not watched.
   */
  readonly validatorAlerts: (
    input?: ValidatorAlertsInput,
    options?: CallOptions,
  ) => Promise<ValidatorAlertsAnswer>;
  /**
   * Hardware and data centre: `GET /api/v1/validator/infrastructure`
   *
   * CPU, memory, storage, network, data centre and redundancy of the validator as its operator describes
   * them in the profile file. Self-reported and not verified. Missing values are null.
   */
  readonly validatorInfrastructure: (
    input?: ValidatorInfrastructureInput,
    options?: CallOptions,
  ) => Promise<ValidatorInfrastructureAnswer>;
  /**
   * Validators by city: `GET /api/v1/network/peer-density`
   *
   * The 25 cities with the most validators, each with its share and the median APY of its active
   * validators, and the city of this validator. From the statistics provider; locations are not on chain.
   */
  readonly peerDensity: (input?: PeerDensityInput, options?: CallOptions) => Promise<PeerDensityAnswer>;
}

/** How each of them is called. */
export const validatorOperations = {
  validatorProfile: { method: 'GET', path: '/api/v1/validator', effect: 'read', query: [], body: [] },
  validatorApy: { method: 'GET', path: '/api/v1/validator/apy', effect: 'read', query: [], body: [] },
  validatorPerformance: {
    method: 'GET',
    path: '/api/v1/validator/performance',
    effect: 'read',
    query: [],
    body: [],
  },
  validatorHistory: { method: 'GET', path: '/api/v1/validator/history', effect: 'read', query: [], body: [] },
  validatorLive: { method: 'GET', path: '/api/v1/validator/live', effect: 'read', query: [], body: [] },
  validatorAlerts: { method: 'GET', path: '/api/v1/validator/alerts', effect: 'read', query: [], body: [] },
  validatorInfrastructure: {
    method: 'GET',
    path: '/api/v1/validator/infrastructure',
    effect: 'read',
    query: [],
    body: [],
  },
  peerDensity: { method: 'GET', path: '/api/v1/network/peer-density', effect: 'read', query: [], body: [] },
} as const satisfies OperationTable;

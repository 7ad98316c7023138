// Names the features that are unavailable while no RPC node offers a method, for the log and `/ready`.

const lost: Readonly<Record<string, string>> = {
  getProgramAccounts: 'stake accounts of a wallet, summaries, webhooks and the number of delegators',
  getVoteAccounts: 'votes, stake and rank of the validator, and the warnings about it',
  getBlockProduction: 'skip rate and vote success rate of the validator',
  getLeaderSchedule: 'assigned leader slots of the validator',
  getClusterNodes: 'the software version of the validator',
  getInflationReward: 'rewards and the realized yield',
  getInflationGovernor:
    'the decline in inflation, which projections and the yield interval take into account',
  getInflationRate: 'the expected yield, and the decline in inflation, which projections take into account',
  getSupply: 'the expected yield',
  getRecentPerformanceSamples:
    'the slot duration over minutes and hours; it is measured from block heights instead',
  getStakeMinimumDelegation: 'a second source for the minimum stake',
  getBlock: 'block rewards of the validator, shown to its operator',
  getBlockTime: 'the times of rewards',
  getSignaturesForAddress: 'the history of accounts, and webhooks that depend on it',
  getRecentPrioritizationFees: 'the estimate of priority fees; transactions pay none',
  getTransaction: 'the effects of past transactions, and webhooks that depend on them',
  isBlockhashValid: 'the rebuilding of transactions that another process or an earlier start built',
  getFirstAvailableBlock: 'proof that a transaction expired, if a node keeps only a short history',
};

/** Describes the unavailable features for an operator. */
export const missingMethodEffects = (method: string): string =>
  lost[method] ?? 'a method that this service requires';

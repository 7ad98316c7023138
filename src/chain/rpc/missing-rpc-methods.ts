// Names the features that are unavailable while no RPC node offers a method, for the log and `/ready`.

const lost: Readonly<Record<string, string>> = {
  getProgramAccounts: 'stake accounts of a wallet, summaries, webhooks and the number of delegators',
  getVoteAccounts: 'votes, stake and rank of the validator, and the warnings about it',
  getBlockProduction: 'skip rate and vote success rate of the validator',
  getLeaderSchedule: 'assigned leader slots of the validator',
  getClusterNodes: 'the software version of the validator',
  getInflationReward: 'rewards and the realized yield',
  getInflationGovernor: 'the decline of inflation in projections and in the yield’s interval',
  getInflationRate: 'the expected yield, and the decline of inflation in projections',
  getSupply: 'the expected yield',
  getRecentPerformanceSamples:
    'the slot duration over minutes and hours; it is measured from block heights instead',
  getStakeMinimumDelegation: 'a second source of the minimum stake',
  getBlock: 'block rewards of the validator, shown to its operator',
  getBlockTime: 'the times of rewards',
  getSignaturesForAddress: 'the history of accounts, and with it webhooks about them',
  getRecentPrioritizationFees: 'the estimate of priority fees; transactions pay none',
  getTransaction: 'what past transactions did, and with it webhooks about them',
  isBlockhashValid: 'the rebuilding of transactions that another process or an earlier start built',
  getFirstAvailableBlock: 'proof that a transaction expired, if a node keeps only a short history',
};

/** Describes the unavailable features for an operator. */
export const missingMethodEffects = (method: string): string =>
  lost[method] ?? 'a method that this service requires';

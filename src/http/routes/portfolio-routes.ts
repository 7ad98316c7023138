// Portfolio routes: projected rewards, a wallet's holdings, and the rewards that it has earned.
import { walletAlerts } from '../../operations/alerts/wallet-alerts.ts';
import { simulate } from '../../operations/portfolio/simulate-rewards.ts';
import { walletHistory } from '../../operations/portfolio/wallet-history.ts';
import { rewards } from '../../operations/portfolio/wallet-rewards.ts';
import { summary } from '../../operations/portfolio/wallet-summary.ts';
import type { Route } from '../pipeline/route.ts';

const SUMMARY = '/api/v1/stake/summary/{walletAddress}';
const HISTORY = '/api/v1/stake/history/{walletAddress}';
const REWARDS = '/api/v1/stake/rewards/{walletAddress}';
const SIMULATE = '/api/v1/stake/simulate';

/** Read-only routes about the staking of one wallet, and `simulate`, which needs no wallet. */
export const portfolioRoutes: readonly Route[] = [
  {
    operation: simulate,
    method: 'POST',
    path: SIMULATE,
    browsers: 'public',
    tag: 'Stake',
    related: { stake: 'createStakeTransaction', apy: 'validatorApy' },
  },
  {
    operation: summary,
    method: 'GET',
    path: SUMMARY,
    browsers: 'public',
    tag: 'Stake',
    related: {
      accounts: 'listStakeAccounts',
      simulate: 'simulateStake',
      history: 'walletHistory',
      rewards: 'stakingRewards',
    },
  },
  {
    operation: rewards,
    method: 'GET',
    path: REWARDS,
    browsers: 'public',
    tag: 'Stake',
    alternative: { type: 'text/csv', name: 'format', value: 'csv' },
    related: { summary: 'stakingSummary', history: 'walletHistory' },
  },
  {
    operation: walletHistory,
    method: 'GET',
    path: HISTORY,
    browsers: 'public',
    tag: 'Stake',
    related: { summary: 'stakingSummary', verify: 'verifyTransaction' },
  },
  {
    operation: walletAlerts,
    method: 'GET',
    path: '/api/v1/alerts/{walletAddress}',
    browsers: 'public',
    tag: 'Stake',
    related: { history: 'walletHistory', webhooks: 'registerWebhook' },
  },
];

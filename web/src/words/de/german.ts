// All German texts by area. The page loads them before it is first rendered in German.

import { countryNames } from '../country-names.ts';
import { chartGerman } from './chart.ts';
import { autopilotGerman } from './developers/autopilot-policy.ts';
import { developersGerman } from './developers/developers.ts';
import { webhooksGerman } from './developers/webhooks.ts';
import { errorsGerman } from './errors.ts';
import { figuresGerman } from './figures.ts';
import { flowGerman } from './flow/flow.ts';
import { outcomeGerman } from './flow/outcome.ts';
import { planGerman } from './flow/plan.ts';
import { reviewGerman } from './flow/review.ts';
import { portfolioAccountsGerman } from './portfolio/accounts.ts';
import { portfolioAlertsGerman } from './portfolio/alerts.ts';
import { portfolioChangesGerman } from './portfolio/changes.ts';
import { historyGerman } from './portfolio/history.ts';
import { portfolioOverviewGerman } from './portfolio/overview.ts';
import { rewardsGerman } from './portfolio/rewards.ts';
import { sandboxGerman } from './sandbox.ts';
import { serviceErrorsGerman, serviceTitlesGerman } from './service/errors.ts';
import { serviceIssuesGerman } from './service/issues.ts';
import { serviceMethodsGerman } from './service/methods.ts';
import { serviceNoticesGerman } from './service/notices.ts';
import { servicePatternsGerman, serviceStatesGerman } from './service/states.ts';
import { serviceVerifierGerman } from './service/verifier.ts';
import { shareGerman } from './share.ts';
import { shellGerman } from './shell.ts';
import { signGerman } from './sign.ts';
import { stakeGerman } from './stake.ts';
import { stakeAuthorityGerman } from './stake-authority.ts';
import { uiGerman } from './ui.ts';
import { validatorGerman } from './validator.ts';
import { walletGerman } from './wallet.ts';
import { walletDialogsGerman } from './wallet-dialogs.ts';

export const german = {
  autopilot: autopilotGerman,
  chart: chartGerman,
  developers: developersGerman,
  errors: errorsGerman,
  figures: figuresGerman,
  flow: flowGerman,
  history: historyGerman,
  outcome: outcomeGerman,
  plan: planGerman,
  portfolioAccounts: portfolioAccountsGerman,
  portfolioAlerts: portfolioAlertsGerman,
  portfolioChanges: portfolioChangesGerman,
  portfolioOverview: portfolioOverviewGerman,
  review: reviewGerman,
  rewards: rewardsGerman,
  sandbox: sandboxGerman,
  serviceErrors: serviceErrorsGerman,
  serviceIssues: serviceIssuesGerman,
  serviceMethods: serviceMethodsGerman,
  serviceNotices: serviceNoticesGerman,
  servicePatterns: servicePatternsGerman,
  serviceStates: serviceStatesGerman,
  serviceTitles: serviceTitlesGerman,
  serviceVerifier: serviceVerifierGerman,
  share: shareGerman,
  shell: shellGerman,
  sign: signGerman,
  stake: stakeGerman,
  stakeAuthority: stakeAuthorityGerman,
  ui: uiGerman,
  validator: validatorGerman,
  wallet: walletGerman,
  walletDialogs: walletDialogsGerman,
  webhooks: webhooksGerman,
};

export const germanCountries = countryNames('de');

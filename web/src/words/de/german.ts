// All German texts by area. The page loads them before it is first rendered in German.
import { autopilotGerman } from './autopilot-policy.ts';
import { chartGerman } from './chart.ts';
import { developersGerman } from './developers.ts';
import { errorsGerman } from './errors.ts';
import { figuresGerman } from './figures.ts';
import { flowGerman } from './flow.ts';
import { historyGerman } from './history.ts';
import { outcomeGerman } from './outcome.ts';
import { planGerman } from './plan.ts';
import { portfolioAccountsGerman } from './portfolio-accounts.ts';
import { portfolioAlertsGerman } from './portfolio-alerts.ts';
import { portfolioChangesGerman } from './portfolio-changes.ts';
import { portfolioOverviewGerman } from './portfolio-overview.ts';
import { servicePatternsGerman, serviceStatesGerman } from './portfolio-service.ts';
import { reviewGerman } from './review.ts';
import { rewardsGerman } from './rewards.ts';
import { sandboxGerman } from './sandbox.ts';
import { serviceErrorsGerman, serviceTitlesGerman } from './service.ts';
import { serviceMethodsGerman } from './service-methods.ts';
import { serviceNoticesGerman } from './service-notices.ts';
import { serviceSentencesGerman } from './service-sentences.ts';
import { shareGerman } from './share.ts';
import { shellGerman } from './shell.ts';
import { signGerman } from './sign.ts';
import { stakeGerman } from './stake.ts';
import { uiGerman } from './ui.ts';
import { validatorGerman } from './validator.ts';
import { walletGerman } from './wallet.ts';
import { walletDialogsGerman } from './wallet-dialogs.ts';
import { webhooksGerman } from './webhooks.ts';

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
  serviceMethods: serviceMethodsGerman,
  serviceNotices: serviceNoticesGerman,
  servicePatterns: servicePatternsGerman,
  serviceSentences: serviceSentencesGerman,
  serviceStates: serviceStatesGerman,
  serviceTitles: serviceTitlesGerman,
  share: shareGerman,
  shell: shellGerman,
  sign: signGerman,
  stake: stakeGerman,
  ui: uiGerman,
  validator: validatorGerman,
  wallet: walletGerman,
  walletDialogs: walletDialogsGerman,
  webhooks: webhooksGerman,
};

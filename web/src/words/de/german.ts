// All German texts by area. The page loads them before it is first rendered in German.
import { errorsGerman } from './errors.ts';
import { figuresGerman } from './figures.ts';
import { portfolioAccountsGerman } from './portfolio-accounts.ts';
import { portfolioAlertsGerman } from './portfolio-alerts.ts';
import { portfolioChangesGerman } from './portfolio-changes.ts';
import { portfolioOverviewGerman } from './portfolio-overview.ts';
import { servicePatternsGerman } from './portfolio-service.ts';
import { sandboxGerman } from './sandbox.ts';
import { serviceErrorsGerman, serviceTitlesGerman } from './service.ts';
import { shareGerman } from './share.ts';
import { shellGerman } from './shell.ts';
import { uiGerman } from './ui.ts';
import { walletGerman } from './wallet.ts';

export const german = {
  errors: errorsGerman,
  figures: figuresGerman,
  portfolioAccounts: portfolioAccountsGerman,
  portfolioAlerts: portfolioAlertsGerman,
  portfolioChanges: portfolioChangesGerman,
  portfolioOverview: portfolioOverviewGerman,
  sandbox: sandboxGerman,
  serviceErrors: serviceErrorsGerman,
  servicePatterns: servicePatternsGerman,
  serviceTitles: serviceTitlesGerman,
  share: shareGerman,
  shell: shellGerman,
  ui: uiGerman,
  wallet: walletGerman,
};

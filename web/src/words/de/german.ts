// All German texts by area. The page loads them before it is first rendered in German.
import { figuresGerman } from './figures.ts';
import { portfolioAccountsGerman } from './portfolio-accounts.ts';
import { portfolioAlertsGerman } from './portfolio-alerts.ts';
import { portfolioChangesGerman } from './portfolio-changes.ts';
import { portfolioOverviewGerman } from './portfolio-overview.ts';
import { shellGerman } from './shell.ts';

export const german = {
  figures: figuresGerman,
  portfolioAccounts: portfolioAccountsGerman,
  portfolioAlerts: portfolioAlertsGerman,
  portfolioChanges: portfolioChangesGerman,
  portfolioOverview: portfolioOverviewGerman,
  shell: shellGerman,
};

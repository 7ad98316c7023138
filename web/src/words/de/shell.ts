// German texts of the page's frame: header, footer, banners and errors of a view.
import type { Translation } from '../define-words.ts';
import type { shellEnglish } from '../en/shell.ts';

export const shellGerman: Translation<typeof shellEnglish> = {
  footerPromise:
    'Natives Staking, kein derivativer Token. Beide Autoritäten bleiben bei Ihrer Wallet. Dieser Dienst verwahrt Ihre Schlüssel nie.',
  footerLinks: 'Mehr',
  terms: 'Nutzungsbedingungen',
  documentation: 'Dokumentation',
  apiReference: 'API-Referenz',
  status: 'Status',
  cluster: 'Cluster: {name}',
  poweredBy: 'Läuft mit Holdfast',
};

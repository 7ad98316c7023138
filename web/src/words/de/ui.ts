// German texts of the page's components.
import type { Translation } from '../define-words.ts';
import type { uiEnglish } from '../en/ui.ts';

export const uiGerman: Translation<typeof uiEnglish> = {
  address: 'Adresse',
  opensExplorer: ' (öffnet den Explorer)',
  checkedInBrowser: 'In Ihrem Browser geprüft',
  close: 'Schließen',
  copy: '{what} kopieren',
  copied: 'Kopiert',
  copyBlocked: 'Ihr Browser hat das Kopieren blockiert',
  dismiss: 'Ausblenden',
  messages: 'Meldungen',
  loading: 'Wird geladen',
  votesUnknown: 'Abstimmung unbekannt',
  voting: 'Stimmt ab',
  notVoting: 'Stimmt nicht ab',
  initialized: 'Nicht delegiert',
  activating: 'Wird aktiviert',
  active: 'Aktiv',
  deactivating: 'Wird deaktiviert',
  inactive: 'Auszahlbar',
  todo: 'ausstehend',
  current: 'läuft',
  done: 'erledigt',
  failed: 'fehlgeschlagen',
};

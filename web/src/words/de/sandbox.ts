// German texts of the sandbox: its bar, its faucet, and the changes of an epoch.
import type { Translation } from '../define-words.ts';
import type { sandboxEnglish } from '../en/sandbox.ts';

export const sandboxGerman: Translation<typeof sandboxEnglish> = {
  sandbox: 'Sandbox',
  what: 'Lokaler Cluster: echte Programme, SOL gratis, Epochen auf Knopfdruck',
  epoch: 'Epoche {epoch}',
  onDemand: 'endet auf Abruf',
  ending: 'endet …',
  endsIn: 'endet in {time}',
  progress: 'Fortschritt der Epoche',
  endEpoch: 'Epoche beenden',
  skipEpochs: '{count} Epochen weiter',
  restarted: 'Die Sandbox wurde neu gestartet',
  restartedText: 'Die Blockchain der Sandbox ist leer. Frühere Stakes und Guthaben sind weg.',
  epochBegan: 'Epoche {epoch} hat begonnen',
  changesPending: 'Die Änderungen für Ihre Wallet werden gelesen …',
  nothingChanged: 'Für Ihre Wallet hat sich nichts geändert.',
  connectToSee: 'Verbinden Sie die Sandbox-Wallet, um zu sehen, was sich mit jeder Epoche ändert.',
  dismissChanges: 'Änderungen ausblenden',
  faucet: '{amount} SOL erhalten',
  arrived: '{amount} Sandbox-SOL sind da',
  initialized: '{account} ist nicht mehr delegiert',
  activating: '{account} wird aktiviert',
  active: '{account} ist aktiv und bringt Erträge',
  deactivating: '{account} wird deaktiviert',
  inactive: '{account} ist inaktiv und auszahlbar',
  inactiveElsewhere: '{account} ist inaktiv und kann hier gestakt werden',
  isNew: '{account} ist neu: {amount} SOL',
  paidRewards: '{account} erhielt {amount} SOL Erträge',
  paid: '{account} erhielt {amount} SOL',
  closed: '{account} ist geschlossen',
};

// German texts of the field for another stake authority.
import type { Translation } from '../define-words.ts';
import type { stakeAuthorityEnglish } from '../en/stake-authority.ts';

export const stakeAuthorityGerman: Translation<typeof stakeAuthorityEnglish> = {
  stakeAuthority: 'Stake-Autorität (optional)',
  stakeAuthorityHint:
    'Für den Schlüssel eines Agenten. Er kann diesen Stake auflösen, teilen, zusammenführen und neu delegieren und diese Rolle weitergeben, aber nichts herausnehmen. Auszahlen kann nur Ihre Wallet, und sie kann die Rolle zurückholen.',
  stakeAuthorityInvalid: 'Das ist keine Solana-Adresse.',
  stakeAuthorityOwn: 'Das ist Ihre eigene Wallet. Lassen Sie das Feld leer.',
};

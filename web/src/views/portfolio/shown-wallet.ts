// Determines the wallet whose portfolio is shown: the one in the page's URL or otherwise the connected one.
// While a connected wallet is locked or missing, its stake stays visible.
import { useEffect, useState } from 'react';
import { ADDRESS_PATTERN } from '../../../../src/kernel/base58.ts';
import { recall } from '../../state/browser-storage.ts';
import { pushAddress } from '../../state/dialog-entry.ts';
import { useWallet } from '../../wallet/use-wallet.ts';
import { LAST_ADDRESS } from '../../wallet/wallet-connection.ts';

const NAME = 'wallet';

const ADDRESS = new RegExp(ADDRESS_PATTERN);

const asked = (): string | null => new URLSearchParams(location.search).get(NAME) || null;

/** True for texts in the format of an address. The service checks whether it is a wallet. */
export const looksLikeAddress = (text: string): boolean => ADDRESS.test(text);

/** The shown wallet. */
export interface ShownWallet {
  readonly walletAddress: string | null;
  /** True if it is the connected wallet, whose owner may change stakes. */
  readonly isOwn: boolean;
  /** True if it was connected before, but is locked or missing now. */
  readonly isAway: boolean;
  /** Selects a wallet; null returns to the connected one. */
  readonly show: (address: string | null) => void;
}

/** Follows the page's address and the wallet. */
export const useShownWallet = (): ShownWallet => {
  const { walletAddress: own } = useWallet();
  const [other, setOther] = useState(asked);
  useEffect(() => {
    const update = (): void => setOther(asked());
    addEventListener('popstate', update);
    return () => removeEventListener('popstate', update);
  }, []);
  const last = own === null ? recall(LAST_ADDRESS) : null;
  return {
    walletAddress: other ?? own ?? last,
    isOwn: own !== null && (other === null || other === own),
    isAway: last !== null && (other === null || other === last),
    show: (address) => {
      pushAddress(address === null ? location.pathname : `?${NAME}=${address}`);
      setOther(address);
    },
  };
};

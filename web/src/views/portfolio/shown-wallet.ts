// Whose portfolio is shown: an address in the page's own address, so that it can be linked and left with "back", or the connected wallet.
import { useEffect, useState } from 'react';
import { ADDRESS_PATTERN } from '../../../../src/kernel/base58.ts';
import { useWallet } from '../../wallet/use-wallet.ts';

const NAME = 'wallet';

const ADDRESS = new RegExp(ADDRESS_PATTERN);

const asked = (): string | null => new URLSearchParams(location.search).get(NAME) || null;

/** What an address can look like; whether it is a wallet, the service knows. */
export const looksLikeAddress = (text: string): boolean => ADDRESS.test(text);

/** The wallet that is shown. */
export interface ShownWallet {
  readonly walletAddress: string | null;
  /** It is the connected one: its owner may act. */
  readonly isOwn: boolean;
  /** Null: the connected one again. */
  readonly show: (address: string | null) => void;
}

/** Follows the address and the wallet. */
export const useShownWallet = (): ShownWallet => {
  const { walletAddress: own } = useWallet();
  const [other, setOther] = useState(asked);
  useEffect(() => {
    const update = (): void => setOther(asked());
    addEventListener('popstate', update);
    return () => removeEventListener('popstate', update);
  }, []);
  return {
    walletAddress: other ?? own,
    isOwn: own !== null && (other === null || other === own),
    show: (address) => {
      history.pushState(null, '', address === null ? location.pathname : `?${NAME}=${address}`);
      setOther(address);
    },
  };
};

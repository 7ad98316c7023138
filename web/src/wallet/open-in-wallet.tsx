// Opens this page in a wallet's own browser, for phones whose browsers have no extensions.
import { Icon } from '../ui/icon.tsx';
import { defineWords } from '../words/define-words.ts';
import { walletDialogsEnglish } from '../words/en/wallet-dialogs.ts';
import styles from './connect-dialog.module.css';

const { say } = defineWords('walletDialogs', walletDialogsEnglish);

/**
 * Formats of the "browse" links that the wallets document (November 2026), with the page and the referring
 * site, both percent-encoded.
 */
const WALLETS = [
  { name: 'Phantom', browse: 'https://phantom.app/ul/browse/' },
  { name: 'Solflare', browse: 'https://solflare.com/ul/v1/browse/' },
  { name: 'Backpack', browse: 'https://backpack.app/ul/v1/browse/' },
] as const;

/** True for touch devices, where a wallet is an app. */
export const isPhone = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** One link per wallet. Nothing is loaded before a link is followed. */
export const OpenInWallet = () => {
  const [page, site] = [location.href, location.origin].map(encodeURIComponent);
  return (
    <ul className={styles.list}>
      {WALLETS.map(({ name, browse }) => (
        <li key={name}>
          <a className={styles.wallet} href={`${browse}${page}?ref=${site}`} rel="noreferrer">
            <Icon name="wallet" size={24} />
            <span className={styles.name}>
              <strong>{say('openIn', { name })}</strong>
              <small>{say('inAppBrowser')}</small>
            </span>
            <Icon name="external" size={16} />
          </a>
        </li>
      ))}
    </ul>
  );
};

// Lists the available wallets, the reasons why some cannot be used here, and help if there is none.
import type { Wallet } from '@wallet-standard/base';
import { useEffect, useRef } from 'react';
import { cluster } from '../state/cluster.ts';
import { useStore } from '../state/create-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { defineWords } from '../words/define-words.ts';
import { walletDialogsEnglish } from '../words/en/wallet-dialogs.ts';
import styles from './connect-dialog.module.css';
import { chainOf, unsuitableReason } from './features.ts';
import { LOCAL_WALLET_NAME } from './local-wallet.ts';
import { isPhone, OpenInWallet } from './open-in-wallet.tsx';
import { connectWallet, forgetWalletError, installedWallets, walletState } from './wallet-connection.ts';

const { say } = defineWords('walletDialogs', walletDialogsEnglish);

const WalletLine = ({ wallet, chain, busy }: { wallet: Wallet; chain: string; busy: boolean }) => {
  const reason = unsuitableReason(wallet, chain);
  const isLocal = wallet.name === LOCAL_WALLET_NAME;
  return (
    <li>
      <button
        type="button"
        className={styles.wallet}
        disabled={reason !== null}
        aria-busy={busy || undefined}
        onClick={() => void connectWallet(wallet, chain)}
      >
        <img src={wallet.icon} alt="" width={36} height={36} />
        <span className={styles.name}>
          <strong>{wallet.name}</strong>
          <small>
            {reason?.text ?? (isLocal ? say('localWallet') : busy ? say('waiting') : say('detected'))}
          </small>
        </span>
        <Icon name={reason === null ? 'arrow' : 'close'} size={16} />
      </button>
    </li>
  );
};

/** The dialog closes once a wallet is connected in it. A wallet that was connected before does not close it. */
export const ConnectDialog = ({ onClose }: { onClose: () => void }) => {
  const wallets = useStore(installedWallets);
  const { status, wallet: chosen, error } = useStore(walletState);
  const chain = chainOf(cluster);
  const hasLeft = useRef(false);
  useEffect(() => {
    if (status !== 'connected') hasLeft.current = true;
    else if (hasLeft.current) onClose();
  }, [status, onClose]);
  useEffect(() => forgetWalletError, []);
  const sorted = wallets.toSorted(
    (a, b) => Number(unsuitableReason(a, chain) !== null) - Number(unsuitableReason(b, chain) !== null),
  );
  return (
    <Dialog title={say('connectAWallet')} size="s" onClose={onClose}>
      <div className={styles.content}>
        {error !== null && (
          <Notice tone="bad" title={error.title}>
            {error.message}
          </Notice>
        )}
        {wallets.length === 0 && isPhone() ? (
          <>
            <p>{say('openOnPhone')}</p>
            <OpenInWallet />
          </>
        ) : wallets.length === 0 ? (
          <Empty icon="wallet" title={say('noWallet')}>
            {say('installWallet')}
          </Empty>
        ) : (
          <ul className={styles.list}>
            {sorted.map((wallet) => (
              <WalletLine
                key={wallet.name}
                wallet={wallet}
                chain={chain}
                busy={status === 'connecting' && chosen === wallet}
              />
            ))}
          </ul>
        )}
        <p className={styles.promise}>
          <Icon name="shield" size={16} />
          {say('connectPromise')}
        </p>
      </div>
    </Dialog>
  );
};

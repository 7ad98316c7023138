// The wallet in the header: a connect button, or the connected wallet with a menu to copy the address, change
// or disconnect.
import { lazy, Suspense, useState } from 'react';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { ViewBoundary } from '../shell/view-boundary.tsx';
import { createStore, useStore } from '../state/create-store.ts';
import { Button } from '../ui/controls/button.tsx';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';
import { useWallet } from './use-wallet.ts';
import styles from './wallet-button.module.css';

const { say } = defineWords('wallet', walletEnglish);

const choosing = createStore(false);

/** Opens the wallet list from anywhere on the page. */
export const openConnectDialog = (): void => choosing.set(true);

// Loaded on the first click.
const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }));
const AccountDialog = lazy(async () => ({ default: (await import('./account-dialog.tsx')).AccountDialog }));

/** Renders the button and the dialogs that it opens. */
export const WalletButton = () => {
  const { status, walletAddress, wallet } = useWallet();
  const [open, setOpen] = useState(false);
  const isChoosing = useStore(choosing);
  return (
    <>
      {walletAddress === null ? (
        // Never disabled, because a locked wallet may never answer the silent attempt to connect.
        <Button kind="primary" icon="wallet" onClick={openConnectDialog}>
          <span className={styles.long}>
            {say(status === 'connecting' && !isChoosing ? 'connecting' : 'connectWallet')}
          </span>
          <span className={styles.short} aria-hidden="true">
            {say('connect')}
          </span>
        </Button>
      ) : (
        <Button
          onClick={() => setOpen(true)}
          aria-label={say('wallet', { address: shortAddress(walletAddress) })}
        >
          {wallet && <img src={wallet.icon} alt="" width={20} height={20} className={styles.icon} />}
          <span className={styles.mono}>{shortAddress(walletAddress)}</span>
        </Button>
      )}
      <ViewBoundary resetKey={`${open} ${isChoosing}`}>
        <Suspense>
          {open && walletAddress !== null && (
            <AccountDialog
              walletAddress={walletAddress}
              onClose={() => setOpen(false)}
              onChange={openConnectDialog}
            />
          )}
          {isChoosing && <ConnectDialog onClose={closeConnectDialog} />}
        </Suspense>
      </ViewBoundary>
    </>
  );
};

const closeConnectDialog = (): void => choosing.set(false);

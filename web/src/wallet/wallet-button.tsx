// The wallet in the header: a connect button, or the connected wallet with a menu to copy the address, change
// or disconnect.
import { useState } from 'react';
import { useBalance } from '../api/shared-reads.ts';
import { createStore, useStore } from '../state/create-store.ts';
import { shortAddress } from '../text/format-figures.ts';
import { Address } from '../ui/address.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Sol } from '../ui/sol.tsx';
import { Row, Rows } from '../ui/stat.tsx';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { useWallet } from './use-wallet.ts';
import styles from './wallet-button.module.css';
import { disconnectWallet } from './wallet-connection.ts';

const { say } = defineWords('wallet', walletEnglish);

const choosing = createStore(false);

/** Opens the wallet list from anywhere on the page. */
export const openConnectDialog = (): void => choosing.set(true);

const AccountDialog = ({ walletAddress, onClose }: { walletAddress: string; onClose: () => void }) => {
  const { wallet } = useWallet();
  const { data } = useBalance(walletAddress);
  return (
    <Dialog
      title={say('yourWallet')}
      size="s"
      onClose={onClose}
      footer={
        <>
          <Button
            kind="quiet"
            onClick={() => {
              onClose();
              openConnectDialog();
            }}
          >
            {say('changeWallet')}
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              void disconnectWallet();
            }}
          >
            {say('disconnect')}
          </Button>
        </>
      }
    >
      <div className={styles.account}>
        <div className={styles.who}>
          {wallet && <img src={wallet.icon} alt="" width={40} height={40} />}
          <div>
            <strong>{wallet?.name}</strong>
            <Address address={walletAddress} what={say('walletAddress')} whole />
          </div>
        </div>
        <Rows>
          <Row label={say('inWallet')}>{data ? <Sol amount={data.sol} /> : '…'}</Row>
          <Row label={say('freeToStake')}>{data ? <Sol amount={data.availableToStake} /> : '…'}</Row>
        </Rows>
      </div>
    </Dialog>
  );
};

/** Rendered once in the header; the dialogs open from it. */
export const WalletButton = () => {
  const { status, walletAddress, wallet } = useWallet();
  const [open, setOpen] = useState(false);
  const isChoosing = useStore(choosing);
  return (
    <>
      {walletAddress === null ? (
        // Never disabled: a locked wallet may never answer the silent attempt.
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
      {open && walletAddress !== null && (
        <AccountDialog walletAddress={walletAddress} onClose={() => setOpen(false)} />
      )}
      {isChoosing && <ConnectDialog onClose={closeConnectDialog} />}
    </>
  );
};

const closeConnectDialog = (): void => choosing.set(false);

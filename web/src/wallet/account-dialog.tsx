// The menu of the connected wallet: its address and balance, and buttons to change or disconnect it.
import { useBalance } from '../api/shared-reads.ts';
import { Address } from '../ui/address.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Sol } from '../ui/sol.tsx';
import { Row, Rows } from '../ui/stat.tsx';
import { defineWords } from '../words/define-words.ts';
import { walletDialogsEnglish } from '../words/en/wallet-dialogs.ts';
import { useWallet } from './use-wallet.ts';
import styles from './wallet-button.module.css';
import { disconnectWallet } from './wallet-connection.ts';

const { say } = defineWords('walletDialogs', walletDialogsEnglish);

/** `onChange` is called if the user chooses to change the wallet. */
export const AccountDialog = ({
  walletAddress,
  onClose,
  onChange,
}: {
  walletAddress: string;
  onClose: () => void;
  onChange: () => void;
}) => {
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
              onChange();
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

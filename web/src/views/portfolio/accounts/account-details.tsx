// Authorities and amounts of a stake account, for users who want the details.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { lamportsOf, solText } from '../../../text/format-figures.ts';
import { Address } from '../../../ui/address.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Row } from '../../../ui/stat.tsx';
import styles from './account-item.module.css';

const Authority = ({ address, what, own }: { address: string; what: string; own: boolean }) => (
  <>
    {own && 'this wallet, '}
    <Address address={address} what={what} />
  </>
);

/** Collapsed by default. */
export const AccountDetails = ({
  account,
  walletAddress,
}: {
  account: StakeAccount;
  walletAddress: string;
}) => {
  const amounts = [
    ['Effective stake', account.activeSol],
    ['Activating', account.activatingSol],
    ['Deactivating', account.deactivatingSol],
    ['Withdrawable now', account.withdrawableSol],
    ['Not staked', account.excessSol],
    ['Rent, returned on closing', account.rentReserveSol],
  ] as const;
  return (
    <details className={styles.details}>
      <summary>
        Authorities and amounts
        <Icon name="down" size={16} />
      </summary>
      <dl className={styles.rows}>
        <Row label="May unstake">
          <Authority
            address={account.stakeAuthority}
            what="stake authority"
            own={account.stakeAuthority === walletAddress}
          />
        </Row>
        <Row label="May withdraw">
          <Authority
            address={account.withdrawAuthority}
            what="withdraw authority"
            own={account.withdrawAuthority === walletAddress}
          />
        </Row>
        {account.voteAccount !== null && (
          <Row label="Delegated to">
            <Address address={account.voteAccount} what="vote account" />
          </Row>
        )}
        {amounts.map(([label, sol]) => (
          <Row key={label} label={label}>
            {solText(lamportsOf(sol))} SOL
          </Row>
        ))}
      </dl>
    </details>
  );
};

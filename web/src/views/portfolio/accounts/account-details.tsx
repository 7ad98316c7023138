// Authorities and amounts of a stake account, for users who want the details.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { Address } from '../../../ui/address.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Sol } from '../../../ui/sol.tsx';
import { Row } from '../../../ui/stat.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import styles from './account-item.module.css';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

const Authority = ({ address, what, own }: { address: string; what: string; own: boolean }) => (
  <>
    {own && say('thisWallet')}
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
  // True if only SOL beyond stake and rent can be withdrawn.
  const isIdle = account.excessSol === account.withdrawableSol;
  const amounts = [
    ['balance', account.sol],
    ['effectiveStake', account.activeSol],
    ['activating', account.activatingSol],
    ['deactivating', account.deactivatingSol],
    [isIdle ? 'idleNow' : 'withdrawableNow', account.withdrawableSol],
    ...(isIdle ? [] : [['notStaked', account.excessSol] as const]),
    ['rent', account.rentReserveSol],
  ] as const;
  return (
    <details className={styles.details}>
      <summary>
        {say('details')}
        <Icon name="down" size={16} />
      </summary>
      <dl className={styles.rows}>
        <Row label={say('mayUnstake')}>
          <Authority
            address={account.stakeAuthority}
            what={say('stakeAuthority')}
            own={account.stakeAuthority === walletAddress}
          />
        </Row>
        <Row label={say('mayWithdraw')}>
          <Authority
            address={account.withdrawAuthority}
            what={say('withdrawAuthority')}
            own={account.withdrawAuthority === walletAddress}
          />
        </Row>
        {account.voteAccount !== null && (
          <Row label={say('delegatedTo')}>
            <Address address={account.voteAccount} what={say('voteAccount')} />
          </Row>
        )}
        {amounts
          .filter(([, sol]) => sol > 0)
          .map(([label, sol]) => (
            <Row key={label} label={say(label)}>
              <Sol amount={sol} />
            </Row>
          ))}
      </dl>
    </details>
  );
};

// A dialog about one wallet or account: its label, its accounts, and their changes.

import { shortAddress } from '../../../../src/domain/short-address.ts';
import { LoadError } from '../../api/load-error.tsx';
import { foreignText } from '../../text/foreign-text.ts';
import { Address } from '../../ui/address.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { AsOfNotice, RecordsNotice } from '../as-of-notice.tsx';
import { ChangesTable } from '../changes-table.tsx';
import styles from '../console.module.css';
import { type ConsoleColumn, ConsoleTable } from '../console-table.tsx';
import type { Account } from '../operator-api.ts';
import { useDelegator } from '../operator-reads.ts';
import { LabelForm } from './label-form.tsx';
import { createdThroughText, firstSeenText } from './stakers-table.tsx';
import { StatePill } from './state-pill.tsx';

const columns: readonly ConsoleColumn<Account>[] = [
  {
    key: 'account',
    title: 'Account',
    cell: ({ stakeAccountAddress }) => <Address address={stakeAccountAddress} what="account address" />,
    place: 'subject',
  },
  { key: 'state', title: 'State', cell: ({ state }) => <StatePill state={state} /> },
  {
    key: 'stake',
    title: 'Stake',
    cell: ({ stakeSol }) => <Sol amount={stakeSol} />,
    numeric: true,
    place: 'figure',
  },
  { key: 'balance', title: 'Balance', cell: ({ balanceSol }) => <Sol amount={balanceSol} />, numeric: true },
  { key: 'seen', title: 'First seen', cell: ({ firstSeenAt }) => firstSeenText(firstSeenAt) },
  { key: 'way', title: 'Created here', cell: createdThroughText },
];

/** The dialog is open while it is mounted. */
export const StakerDialog = ({ address, onClose }: { address: string; onClose: () => void }) => {
  const staker = useDelegator(address);
  const { data } = staker;
  const kind = data?.isWallet === false ? 'Stake account' : 'Wallet';
  const name = `${kind} ${shortAddress(address)}`;
  const label = data?.label ?? null;
  return (
    <Dialog title={label === null ? name : `${foreignText(label)} · ${name}`} onClose={onClose}>
      <div className={styles.stack}>
        <Address address={address} whole />
        <LoadError resource={staker} what="The staker" />
        <AsOfNotice asOf={data?.asOf} />
        <RecordsNotice asOf={data?.recordsAsOf} />
        {staker.pending && <SkeletonText what="Loading the staker" />}
        {data !== undefined && (
          <>
            {data.isWallet && <LabelForm wallet={address} label={data.label} />}
            <div>
              <h3>Accounts</h3>
              {data.delegators.length === 0 ? (
                <p>Nothing is delegated now.</p>
              ) : (
                <ConsoleTable
                  caption="Accounts"
                  columns={columns}
                  rows={data.delegators}
                  rowKey={({ stakeAccountAddress }) => stakeAccountAddress}
                />
              )}
            </div>
            <div>
              <h3>History</h3>
              {data.history.length === 0 ? (
                <p>No changes since it was first seen.</p>
              ) : (
                <ChangesTable caption="History" changes={data.history} />
              )}
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
};

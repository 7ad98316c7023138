// The changes of who controls the wallet's stakes, each with its date and transaction. Read on demand, because the service searches the chain for them.
import { useState } from 'react';
import type { WalletAlert } from '../../../../../client/generated/stake-operations.ts';
import { api } from '../../../api/holdfast.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { WALLET_KEYS } from '../../../api/shared-reads.ts';
import { useResource } from '../../../api/use-resource.ts';
import { foreignText } from '../../../text/foreign-text.ts';
import { dateText, shortAddress } from '../../../text/format-figures.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import styles from './control-changes.module.css';
import { CHANGES } from './new-alerts.ts';

const TONES = { info: 'info', warning: 'warn', critical: 'bad' } as const satisfies Record<
  WalletAlert['level'],
  string
>;

const COLUMNS: readonly Column<WalletAlert>[] = [
  {
    key: 'change',
    title: 'What changed',
    cell: ({ type, level, explanation, folded }) => (
      <>
        <Pill tone={TONES[level]}>{CHANGES[type]}</Pill>
        {[
          ...explanation,
          ...(folded > 0 ? [`${folded} more of this account, which an outsider made.`] : []),
        ].map((text) => (
          <p key={text} className={styles.why}>
            {foreignText(text)}
          </p>
        ))}
      </>
    ),
  },
  {
    key: 'time',
    title: 'When',
    cell: ({ timestamp, slot }) =>
      timestamp === null ? `Slot ${slot}` : <time dateTime={timestamp}>{dateText(timestamp)}</time>,
  },
  {
    key: 'account',
    title: 'Stake account',
    cell: ({ data }) => <Address address={data.stakeAccountAddress} what="stake account" />,
  },
  {
    key: 'transaction',
    title: 'Transaction',
    // Without a link, like every alert: a thief must not be able to place one.
    cell: ({ data: { signature } }) => (
      <Address address={signature} what={`signature ${shortAddress(signature)}`} />
    ),
  },
];

const keyOf = ({ type, data }: WalletAlert): string =>
  `${type} ${data.stakeAccountAddress} ${data.signature}`;

const Changes = ({ walletAddress }: { walletAddress: string }) => {
  const read = useResource(`${WALLET_KEYS}${walletAddress}/alerts`, (signal) =>
    api.walletAlerts({ walletAddress, limit: 100 }, { signal }),
  );
  const { data } = read;
  if (data === undefined)
    return read.error === undefined ? (
      <SkeletonText lines={3} what="Searching for changes of control" />
    ) : (
      <LoadError resource={read} what="The changes" />
    );
  return (
    <>
      {data.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {foreignText(warning)}
        </Notice>
      ))}
      {data.alerts.length === 0 ? (
        <p role="status">{data.complete ? 'No changes of control found.' : 'None found so far.'}</p>
      ) : (
        <div className={styles.list}>
          <Table caption="Changes of control" columns={COLUMNS} rows={data.alerts} rowKey={keyOf} />
        </div>
      )}
    </>
  );
};

/** For any wallet, because the information is public. */
export const ControlChanges = ({ walletAddress }: { walletAddress: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.content} aria-labelledby="changes-title">
      <h3 id="changes-title">Changes of control</h3>
      <p className={styles.note}>Authorities, lockups, moved stakes, and unstakes by others.</p>
      {isOpen ? (
        <Changes walletAddress={walletAddress} />
      ) : (
        <Button size="s" onClick={() => setOpen(true)}>
          Show changes
        </Button>
      )}
    </section>
  );
};

// The changes of control over the wallet's stakes, each with its date and transaction. Read on demand,
// because the service searches the chain for them.
import { useState } from 'react';
import type { WalletAlert } from '../../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { api } from '../../../api/holdfast.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { WALLET_KEYS } from '../../../api/shared-reads.ts';
import { useResource } from '../../../api/use-resource.ts';
import { foreignText } from '../../../text/foreign-text.ts';
import { dateText } from '../../../text/format-figures.ts';
import { noticeText } from '../../../text/notice-text.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAlertsEnglish } from '../../../words/en/portfolio/alerts.ts';
import styles from './control-changes.module.css';
import { changeTitle, LEVEL_TONES, patternTexts } from './new-alerts.ts';

const { say } = defineWords('portfolioAlerts', portfolioAlertsEnglish);

const columns = (): readonly Column<WalletAlert>[] => [
  {
    key: 'change',
    title: say('columnChange'),
    cell: (alert) => (
      <>
        <Pill tone={LEVEL_TONES[alert.level]}>{changeTitle(alert)}</Pill>
        {[...patternTexts(alert), ...(alert.folded > 0 ? [say('folded', { count: alert.folded })] : [])].map(
          (text) => (
            <p key={text} className={styles.why}>
              {foreignText(text)}
            </p>
          ),
        )}
      </>
    ),
  },
  {
    key: 'time',
    title: say('columnTime'),
    cell: ({ timestamp, slot }) =>
      timestamp === null ? say('slot', { slot }) : <time dateTime={timestamp}>{dateText(timestamp)}</time>,
  },
  {
    key: 'account',
    title: say('columnAccount'),
    cell: ({ data }) => <Address address={data.stakeAccountAddress} what={say('stakeAccount')} />,
  },
  {
    key: 'transaction',
    title: say('columnTransaction'),
    // Shown without a link, as in every alert, because a thief must not be able to place one.
    cell: ({ data: { signature } }) => (
      <Address address={signature} what={say('signature', { signature: shortAddress(signature) })} />
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
      <SkeletonText lines={3} what={say('searching')} />
    ) : (
      <LoadError resource={read} what={say('theChanges')} />
    );
  return (
    <>
      {data.notices.map((notice) => (
        <Notice key={notice.text} tone="warn">
          {foreignText(noticeText(notice))}
        </Notice>
      ))}
      {data.alerts.length === 0 ? (
        <p role="status">{say(data.complete ? 'noChanges' : 'noneSoFar')}</p>
      ) : (
        <div className={styles.list}>
          <Table caption={say('changes')} columns={columns()} rows={data.alerts} rowKey={keyOf} />
        </div>
      )}
    </>
  );
};

/** Shown for any wallet, because the information is public. */
export const ControlChanges = ({ walletAddress }: { walletAddress: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.content} aria-labelledby="changes-title">
      <h3 id="changes-title">{say('changes')}</h3>
      <p className={styles.note}>{say('changesNote')}</p>
      {isOpen ? (
        <Changes walletAddress={walletAddress} />
      ) : (
        <Button size="s" onClick={() => setOpen(true)}>
          {say('showChanges')}
        </Button>
      )}
    </section>
  );
};

// The deliveries section: permanently failed deliveries, and the transactions that were signed and submitted
// here.
import { useState } from 'react';
import { describeError } from '../../api/describe-error.ts';
import { LoadError } from '../../api/load-error.tsx';
import { refresh } from '../../api/use-resource.ts';
import { Link } from '../../shell/link.tsx';
import { showToast } from '../../state/toast-store.ts';
import { dateText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from '../console.module.css';
import { type DeadLetters, operatorApi, type Submissions } from '../operator-api.ts';
import { DEAD_LETTERS_KEY, useDeadLetters, useSubmissions } from '../operator-reads.ts';
import { wayWords } from '../stakers/way-words.ts';
import { WalletAddress } from '../wallet-address.tsx';
import { outcomeText } from './outcome-words.ts';

type DeadLetter = DeadLetters['deadLetters'][number];
type Submission = Submissions['submissions'][number];

const ReplayButton = ({ letter }: { letter: DeadLetter }) => {
  const [busy, setBusy] = useState(false);
  const replay = async (): Promise<void> => {
    setBusy(true);
    try {
      const { replayed } = await operatorApi.replay(letter.webhookId, letter.id);
      showToast(
        replayed
          ? { tone: 'good', title: 'Sending again' }
          : {
              tone: 'warn',
              title: 'It cannot be sent again',
              detail: 'It has expired or is already being sent.',
            },
      );
    } catch (error) {
      const { title, detail } = describeError(error);
      showToast({ tone: 'bad', title, detail });
    }
    setBusy(false);
    refresh(DEAD_LETTERS_KEY);
  };
  return (
    <Button size="s" busy={busy} onClick={() => void replay()}>
      Send again
    </Button>
  );
};

const isOwnAlert = ({ type }: DeadLetter): boolean => type === 'operator_alert';

const LetterWallet = (letter: DeadLetter) =>
  isOwnAlert(letter) ? (
    'Alert to you'
  ) : letter.walletAddress === null ? (
    '–'
  ) : (
    <Address address={letter.walletAddress} what="wallet address" />
  );

const SendAgain = (letter: DeadLetter) => {
  if (letter.webhookDisabled === null) return <ReplayButton letter={letter} />;
  if (letter.webhookDisabled === 'deleted') return 'Webhook deleted';
  return isOwnAlert(letter) ? (
    <Link href="/alerts">Enable it again</Link>
  ) : (
    'Disabled until its owner pings it'
  );
};

const letterColumns: readonly Column<DeadLetter>[] = [
  { key: 'at', title: 'When', cell: ({ timestamp }) => dateText(timestamp) },
  { key: 'type', title: 'Event', cell: ({ type }) => <code>{type}</code> },
  {
    key: 'wallet',
    title: 'Wallet',
    cell: LetterWallet,
  },
  {
    key: 'host',
    title: 'Receiver',
    cell: (letter) => (isOwnAlert(letter) ? '–' : (letter.callbackHost ?? '–')),
  },
  { key: 'outcome', title: 'Last attempt', cell: outcomeText },
  { key: 'attempts', title: 'Attempts', cell: ({ attempts }) => attempts, numeric: true },
  {
    key: 'again',
    title: 'Send again',
    cell: SendAgain,
  },
];

const TONES = {
  signed: 'info',
  confirmed: 'good',
  failed: 'bad',
  expired: 'bad',
  refused: 'bad',
} as const;

const KINDS: Readonly<Record<string, string>> = {
  stake: 'Stake',
  unstake: 'Unstake',
  withdraw: 'Withdraw',
  restake: 'Stake again',
  rearrange: 'Change stakes',
  donate: 'Donation',
  other: 'Other',
};

const submissionColumns: readonly Column<Submission>[] = [
  { key: 'at', title: 'When', cell: ({ createdAt }) => dateText(createdAt) },
  { key: 'kind', title: 'What', cell: ({ kind }) => KINDS[kind] ?? kind },
  {
    key: 'signed',
    title: 'Signed by',
    cell: ({ operation }) => (operation === 'submit' ? 'Wallet' : 'This service, once'),
  },
  { key: 'source', title: 'Through', cell: ({ source }) => wayWords[source] ?? source },
  {
    key: 'wallet',
    title: 'Wallet',
    cell: ({ walletAddress, walletLabel }) => <WalletAddress address={walletAddress} label={walletLabel} />,
  },
  {
    key: 'signature',
    title: 'Signature',
    cell: ({ signature }) => <Address address={signature} what="signature" />,
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ state, error }) => (
      <span title={error ?? undefined}>
        <Pill tone={TONES[state]} dot>
          {state.charAt(0).toUpperCase() + state.slice(1)}
        </Pill>
      </span>
    ),
  },
  { key: 'slot', title: 'Slot', cell: ({ slot }) => slot ?? '–', numeric: true },
];

const DeadLettersCard = () => {
  const letters = useDeadLetters();
  const rows = letters.data?.deadLetters;
  return (
    <Card title="Failed deliveries" note="Kept for 30 days" flush>
      <LoadError resource={letters} what="The failed deliveries" />
      {letters.pending && <SkeletonText what="Loading failed deliveries" />}
      {rows?.length === 0 && (
        <Empty icon="check" title="No failed deliveries">
          Every notification was accepted or is still being tried.
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Table
          caption="Failed deliveries"
          columns={letterColumns}
          rows={rows}
          rowKey={({ webhookId, id }) => `${webhookId} ${id}`}
        />
      )}
    </Card>
  );
};

const SubmissionsCard = () => {
  const submissions = useSubmissions();
  const rows = submissions.data?.submissions;
  return (
    <Card title="Submitted transactions" note="Signed or sent through this service" flush>
      <LoadError resource={submissions} what="The transactions" />
      {submissions.pending && <SkeletonText what="Loading the transactions" />}
      {rows?.length === 0 && (
        <Empty icon="arrow" title="No transactions yet">
          Transactions sent through this service appear here.
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Table
          caption="Submitted transactions"
          columns={submissionColumns}
          rows={rows}
          rowKey={({ signature }) => signature}
        />
      )}
    </Card>
  );
};

/** `/deliveries` */
export const DeliveriesSection = () => (
  <div className={styles.stack}>
    <ViewHeading title="Deliveries" />
    <DeadLettersCard />
    <SubmissionsCard />
  </div>
);

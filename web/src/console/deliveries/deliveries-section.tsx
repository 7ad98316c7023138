// The deliveries section: receivers with waiting deliveries, dead letters, and the transactions that this
// service signed or submitted.
import { useState } from 'react';
import { describeError } from '../../api/describe-error.ts';
import { LoadError } from '../../api/load-error.tsx';
import { Link } from '../../shell/link.tsx';
import { showToast } from '../../state/toast-store.ts';
import { count, dateText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { RecordsNotice } from '../as-of-notice.tsx';
import styles from '../console.module.css';
import { type ConsoleColumn, ConsoleTable } from '../console-table.tsx';
import { countWithNoun } from '../count-with-noun.ts';
import { type DeadLetters, type DeliveryState, operatorApi, type Submissions } from '../operator-api.ts';
import { refreshDeliveries, useDeadLetters, useSubmissions } from '../operator-reads.ts';
import { interfaceWords } from '../stakers/interface-words.ts';
import { WalletAddress } from '../wallet-address.tsx';
import { groupLetters, isOwnAlert, type LetterGroup } from './group-letters.ts';
import { outcomeText } from './outcome-words.ts';
import { receiverStates } from './receiver-states.ts';
import { isAttempted, replayOutcome } from './replay-outcome.ts';

type Submission = Submissions['submissions'][number];
type Receiver = DeadLetters['receivers'][number];

const ALERTS = 'Alerts to you';

/** Time between two reads of an outcome, and the time after which it appears only in the list. */
const OUTCOME_EVERY_MS = 1_000;
const OUTCOME_WITHIN_MS = 20_000;

/** Reads the states of these deliveries once each has been attempted, or when that takes too long. */
const statesOf = async (ids: readonly string[]): Promise<readonly DeliveryState[]> => {
  const { signal } = new AbortController();
  const untilMs = Date.now() + OUTCOME_WITHIN_MS;
  const states: DeliveryState[] = [];
  for (const id of ids) {
    let state = await operatorApi.delivery(id, signal);
    while (!isAttempted(state) && Date.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, OUTCOME_EVERY_MS));
      state = await operatorApi.delivery(id, signal);
    }
    states.push(state);
  }
  return states;
};

/** Sends each dead letter again, and reports the outcome. */
const ReplayButton = ({ letters }: { letters: LetterGroup['letters'] }) => {
  const [busy, setBusy] = useState(false);
  const replay = async (): Promise<void> => {
    setBusy(true);
    try {
      const sent: string[] = [];
      for (const { webhookId, id } of letters)
        if ((await operatorApi.replay(webhookId, id)).replayed) sent.push(id);
      showToast(replayOutcome(await statesOf(sent), letters.length));
    } catch (error) {
      const { title, detail } = describeError(error);
      showToast({ tone: 'bad', title, detail });
    }
    setBusy(false);
    refreshDeliveries();
  };
  return (
    <Button size="s" busy={busy} onClick={() => void replay()}>
      {letters.length === 1 ? 'Send again' : `Send ${letters.length} again`}
    </Button>
  );
};

const LetterWallets = ({ letters }: LetterGroup) => {
  const wallets = new Set(letters.map(({ walletAddress }) => walletAddress));
  const [first] = wallets;
  if (isOwnAlert(letters[0])) return ALERTS;
  if (wallets.size > 1) return countWithNoun(wallets.size, 'wallet');
  return first == null ? '–' : <Address address={first} what="wallet address" />;
};

const SendAgain = ({ letters }: LetterGroup) => {
  const [letter] = letters;
  if (letter.webhookDisabled === null) return <ReplayButton letters={letters} />;
  if (letter.webhookDisabled === 'deleted') return 'Webhook deleted; only its owner can restore it';
  return isOwnAlert(letter) ? (
    <Link href="/alerts">Enable it again</Link>
  ) : (
    'Disabled until its owner pings it'
  );
};

const letterColumns: readonly ConsoleColumn<LetterGroup>[] = [
  { key: 'at', title: 'Newest', cell: ({ letters: [{ timestamp }] }) => dateText(timestamp) },
  {
    key: 'count',
    title: 'Count',
    cell: ({ letters }) => count(letters.length),
    numeric: true,
    place: 'figure',
  },
  {
    key: 'type',
    title: 'Event',
    cell: ({ letters }) => <code>{[...new Set(letters.map(({ type }) => type))].join(', ')}</code>,
    place: 'subject',
  },
  { key: 'wallet', title: 'Wallet', cell: LetterWallets },
  {
    key: 'host',
    title: 'Receiver',
    cell: ({ letters: [letter] }) => (isOwnAlert(letter) ? '–' : (letter.callbackHost ?? '–')),
  },
  { key: 'outcome', title: 'Last attempt', cell: ({ letters: [letter] }) => outcomeText(letter) },
  { key: 'again', title: 'Send again', cell: SendAgain },
];

const ReceiverState = (receiver: Receiver) => {
  const [worst, ...others] = receiverStates(receiver);
  return (
    <>
      <Pill tone={worst.tone} dot>
        {worst.title}
      </Pill>
      {others.length > 0 && (
        <span className={styles.why}>
          {[worst, ...others].map(({ title, webhooks }) => `${webhooks} ${title.toLowerCase()}`).join(', ')}
        </span>
      )}
      {worst.title === 'Failing' && receiver.failingSince !== null && (
        <span className={styles.why}>Since {dateText(receiver.failingSince)}</span>
      )}
    </>
  );
};

const receiverColumns: readonly ConsoleColumn<Receiver>[] = [
  {
    key: 'host',
    title: 'Receiver',
    cell: ({ callbackHost, webhooks }) => (
      <>
        {callbackHost ?? ALERTS}
        {webhooks > 1 && (
          <span className={styles.why}>
            {countWithNoun(webhooks, callbackHost === null ? 'destination' : 'webhook')}
          </span>
        )}
      </>
    ),
    place: 'subject',
  },
  { key: 'state', title: 'State', cell: ReceiverState, place: 'figure' },
  {
    key: 'answer',
    title: 'Last attempt',
    cell: (receiver) => (
      <>
        {outcomeText(receiver)}
        {receiver.lastAttemptAt !== null && (
          <span className={styles.why}>{dateText(receiver.lastAttemptAt)}</span>
        )}
      </>
    ),
  },
  { key: 'waiting', title: 'Waiting', cell: ({ waiting }) => count(waiting), numeric: true },
  { key: 'dead', title: 'Dead letters', cell: ({ dead }) => count(dead), numeric: true },
  {
    key: 'next',
    title: 'Next attempt',
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : dateText(nextAttemptAt)),
  },
];

/**
 * Lists receivers with waiting or dead deliveries, so operators notice a failing receiver before its deliveries
 * are dead.
 */
const ReceiversCard = () => {
  const rows = useDeadLetters().data?.receivers;
  return (
    rows !== undefined &&
    rows.length > 0 && (
      <Card title="Receivers" note="With waiting deliveries or dead letters" flush>
        <ConsoleTable
          caption="Receivers"
          columns={receiverColumns}
          rows={rows}
          rowKey={({ callbackHost }) => callbackHost ?? ALERTS}
        />
      </Card>
    )
  );
};

const TONES = {
  signed: 'info',
  confirmed: 'good',
  failed: 'bad',
  expired: 'bad',
  refused: 'bad',
} as const;

const submissionColumns: readonly ConsoleColumn<Submission>[] = [
  { key: 'at', title: 'When', cell: ({ createdAt }) => dateText(createdAt) },
  { key: 'kind', title: 'What', cell: ({ title }) => title, place: 'subject' },
  {
    key: 'signed',
    title: 'Signed by',
    cell: ({ operation }) => (operation === 'submit' ? 'Wallet' : 'This service, once'),
  },
  { key: 'source', title: 'Through', cell: ({ source }) => interfaceWords[source] ?? source },
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
    place: 'figure',
  },
  { key: 'slot', title: 'Slot', cell: ({ slot }) => slot ?? '–', numeric: true },
];

const DeadLettersCard = () => {
  const letters = useDeadLetters();
  const rows = letters.data?.deadLetters;
  return (
    <Card
      title="Dead letters"
      note="Deliveries that failed for three days, or whose receiver is gone. Kept for 30 days"
      flush
    >
      <LoadError resource={letters} what="The dead letters" />
      {letters.pending && <SkeletonText what="Loading the dead letters" />}
      {rows?.length === 0 && (
        <Empty icon="check" title="No dead letters">
          Every delivery was accepted or is waiting for its next attempt.
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <ConsoleTable
          caption="Dead letters"
          columns={letterColumns}
          rows={groupLetters(rows)}
          rowKey={({ key }) => key}
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
        <ConsoleTable
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
export const DeliveriesSection = () => {
  const lettersAsOf = useDeadLetters().data?.recordsAsOf;
  const submissionsAsOf = useSubmissions().data?.recordsAsOf;
  return (
    <div className={styles.stack}>
      <ViewHeading title="Deliveries" />
      <RecordsNotice asOf={lettersAsOf ?? submissionsAsOf} />
      <ReceiversCard />
      <DeadLettersCard />
      <SubmissionsCard />
    </div>
  );
};

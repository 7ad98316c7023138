// A confirmed transaction in one line. It disappears by itself once nothing more happens, unless it is hovered
// or focused.
import { useEffect, useState } from 'react';
import { useEpoch, useSummary } from '../../api/shared-reads.ts';
import { useNow } from '../../state/use-now.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';
import { flowSteps, isEnded, isOvertaken, type StepFacts } from '../flow-steps.ts';
import { flow, useFlow } from '../use-page-flow.ts';
import styles from './done-line.module.css';
import { doneSentence, doneTitle, feeSentence } from './done-words.ts';

const { say } = defineWords('outcome', outcomeEnglish);

const SHOWN_MS = 30_000;
/** Age from which the line is hidden. The list of accounts shows what is still activating or deactivating. */
const OLD_MS = 3_600_000;
const CHECK_MS = 60_000;

/** Requires a confirmed flow. */
export const DoneLine = ({ facts }: { facts: StepFacts }) => {
  const { record, built } = useFlow();
  const [isRead, setRead] = useState(false);
  const nowMs = useNow(CHECK_MS);
  const { data: epoch = null } = useEpoch();
  const { data } = useSummary(record?.walletAddress ?? null);
  const isOver = isEnded(facts) || nowMs - (record?.confirmedAtMs ?? nowMs) > OLD_MS;
  useEffect(() => {
    if (!isOver || isRead) return;
    const timer = setTimeout(() => flow.dismiss(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isOver, isRead]);
  if (record === null) return null;
  const steps = flowSteps(facts);
  const last = steps.find(({ state }) => state === 'current') ?? steps.at(-1)!;
  const isConfirmation = last.key === 'confirmed';
  const words = last.state === 'current' ? last.detail : last.result;
  // For these changes, the title already says everything that the sentence would say.
  const repeats = ['withdraw', 'withdraw-all', 'tidy', 'rescue'].includes(record.change?.goal ?? record.kind);
  // Without a read since the confirmation, the account data is outdated.
  const account =
    facts.account === undefined
      ? undefined
      : data?.accounts.find(({ address }) => address === record.stakeAccountAddress);
  const present = data?.accounts.map(({ address }) => address) ?? null;
  const isActive = (one: string): boolean =>
    data?.accounts.some(({ address, state }) => address === one && state === 'active') ?? false;
  const sentence = repeats
    ? null
    : isOvertaken(facts)
      ? words
      : (doneSentence(record, built, { account: account ?? null, epoch, present, isActive }, nowMs) ?? words);
  const fee = feeSentence(record, built);
  return (
    <section
      className={styles.line}
      aria-label={say('lastTransaction')}
      onPointerEnter={() => setRead(true)}
      onPointerLeave={() => setRead(false)}
      onFocus={() => setRead(true)}
      onBlur={() => setRead(false)}
    >
      <span className={styles.tick} data-step="confirmed" data-state="done" aria-hidden="true">
        <Icon name="check" size={14} />
      </span>
      <p role="status" data-progress={last.key}>
        <strong>{doneTitle(record, built)}</strong>.{' '}
        {sentence != null && (
          <span {...(!isConfirmation && { 'data-step': last.key, 'data-state': last.state })}>
            {sentence}
          </span>
        )}{' '}
        {fee}
      </p>
      {record.explorerUrl !== undefined && (
        <ButtonLink
          kind="quiet"
          size="s"
          icon="external"
          href={record.explorerUrl}
          target="_blank"
          rel="noopener noreferrer"
        >
          {say('explorer')}
        </ButtonLink>
      )}
      <Button kind="quiet" size="s" onClick={() => flow.dismiss()}>
        {say('done')}
      </Button>
    </section>
  );
};

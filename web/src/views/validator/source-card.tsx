// The code that the service claims to run: hashes, a button that recomputes them, and the limits of such a
// check.
import { useState } from 'react';
import type { CodeIntegrityAnswer } from '../../../../client/generated/verification-operations.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useCodeIntegrity } from '../../api/shared-reads.ts';
import { verifierText } from '../../text/notice-text.ts';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import styles from './source-card.module.css';
import { checkSource, pageSurroundings, type SourceState } from './source-check.ts';
import shared from './validator-view.module.css';

const { say } = defineWords('validator', validatorEnglish);

type States = Readonly<Record<string, SourceState>>;

const StatePill = ({ state }: { state: SourceState }) => {
  if (state.state === 'idle') return null;
  if (state.state === 'running')
    return (
      <Pill tone="info" pulse>
        {say('computing')}
      </Pill>
    );
  if (state.state === 'equal')
    return (
      <Pill tone="good" dot>
        {say('equal')}
      </Pill>
    );
  return <Pill tone="bad">{say(state.state === 'different' ? 'different' : 'notChecked')}</Pill>;
};

const Outcome = ({ states, names }: { states: States; names: readonly string[] }) => {
  const of = (wanted: SourceState['state']): readonly string[] =>
    names.filter((name) => states[name]?.state === wanted);
  const [different, failed, equal] = [of('different'), of('failed'), of('equal')];
  if (different.length > 0)
    return (
      <Notice tone="bad" title={say('hashMismatch', { files: different.join(', ') })}>
        {say('hashMismatchText')}
      </Notice>
    );
  if (failed.length > 0)
    return (
      <Notice tone="warn" title={say('filesUnchecked', { failed: failed.length, total: names.length })}>
        {failed.map((name) => {
          const state = states[name];
          return (
            <span key={name}>
              {name}: {state?.state === 'failed' && state.reason}{' '}
            </span>
          );
        })}
      </Notice>
    );
  if (equal.length < names.length) return null;
  return (
    <Notice tone="good" title={say('allMatch', { equal: equal.length, total: names.length })}>
      {say('allMatchText')}
    </Notice>
  );
};

const Files = ({ data }: { data: CodeIntegrityAnswer }) => {
  const [states, setStates] = useState<States>({});
  const [isBusy, setBusy] = useState(false);
  const names = Object.keys(data.sourceHashes.files);
  const surroundings = pageSurroundings();
  const changed = names.filter((name) => data.changedOnDisk[name] === true);
  const set = (name: string, state: SourceState): void =>
    setStates((before) => ({ ...before, [name]: state }));
  const check = async (): Promise<void> => {
    if (surroundings === null) return;
    setBusy(true);
    setStates(Object.fromEntries(names.map((name) => [name, { state: 'idle' as const }])));
    // Hashes the files one after another, to show progress and to respect the rate limit.
    for (const name of names) {
      set(name, { state: 'running' });
      set(name, await checkSource(name, data.sourceHashes.files[name]!, surroundings));
    }
    setBusy(false);
  };
  return (
    <div className={shared.stack}>
      <details className={shared.details} open={isBusy || Object.keys(states).length > 0}>
        <summary>{say('hashesOf', { count: names.length })}</summary>
        <ul className={styles.files}>
          {names.map((name) => (
            <li key={name} data-file={name} data-state={states[name]?.state ?? 'idle'}>
              <a href={`/api/v1/verify/source/${name}`}>{name}</a>
              <Address address={data.sourceHashes.files[name]!} what={say('fileHash', { file: name })} />
              <span className={styles.state}>
                {data.changedOnDisk[name] === true && <Pill tone="warn">{say('changedOnDisk')}</Pill>}
                <StatePill state={states[name] ?? { state: 'idle' }} />
              </span>
            </li>
          ))}
        </ul>
      </details>
      {changed.length > 0 && (
        <Notice tone="warn" title={say('changedSinceStart', { files: changed.join(', ') })}>
          {say('changedText')}
        </Notice>
      )}
      <div className={styles.actions}>
        <Button icon="shield" busy={isBusy} disabled={surroundings === null} onClick={() => void check()}>
          {say('recompute')}
        </Button>
        {surroundings === null && <p className={shared.muted}>{say('noHashing')}</p>}
      </div>
      <Outcome states={states} names={names} />
    </div>
  );
};

/** The card first says how much the check proves. */
export const SourceCard = () => {
  const code = useCodeIntegrity();
  const { data } = code;
  return (
    <Card title={say('sourceCode')} note={say('sourceNote')}>
      <div className={shared.stack}>
        <Notice title={say('selfReported')}>{say('selfReportedText')}</Notice>
        <LoadError resource={code} what={say('theHashes')} />
        {code.pending && <SkeletonText lines={7} what={say('loadingHashes')} />}
        {data !== undefined && (
          <>
            <Files data={data} />
            <details className={shared.details}>
              <summary>{say('commitAndTree')}</summary>
              <Rows>
                <Row label={say('commitLabel')}>
                  {data.gitCommit === null ? (
                    say('notKnown')
                  ) : (
                    <Address address={data.gitCommit} what={say('commit')} />
                  )}
                  {data.dirty === true && ` ${say('withLocalChanges')}`}
                </Row>
                <Row label={say('treeHashLabel')}>
                  <Address address={data.treeSha256} what={say('treeHash')} />
                </Row>
                {data.packages.map(({ file, url, sha256 }) => (
                  <Row key={file} label={<a href={url}>{file}</a>}>
                    <Address address={sha256} what={say('fileHash', { file })} />
                  </Row>
                ))}
                <Row label={say('memoOfEvery')}>{data.memoProgram.expectedMemo}</Row>
              </Rows>
              <ol className={styles.steps}>
                {data.verificationStepsSentences.map((step) => (
                  <li key={step.code}>{verifierText([step])}</li>
                ))}
              </ol>
            </details>
          </>
        )}
      </div>
    </Card>
  );
};

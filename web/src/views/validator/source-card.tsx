// The code that the service reports to run: hashes, a button that recomputes them, and the limits of such a
// check.
import { useState } from 'react';
import type { CodeIntegrityAnswer } from '../../../../client/generated/verification-operations.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useCodeIntegrity } from '../../api/shared-reads.ts';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import styles from './source-card.module.css';
import { checkSource, pageSurroundings, type SourceState } from './source-check.ts';
import shared from './validator-view.module.css';

type States = Readonly<Record<string, SourceState>>;

const StatePill = ({ state }: { state: SourceState }) => {
  if (state.state === 'idle') return null;
  if (state.state === 'running')
    return (
      <Pill tone="info" pulse>
        Computing
      </Pill>
    );
  if (state.state === 'equal')
    return (
      <Pill tone="good" dot>
        Equal
      </Pill>
    );
  return <Pill tone="bad">{state.state === 'different' ? 'DIFFERENT' : 'Not checked'}</Pill>;
};

const Outcome = ({ states, names }: { states: States; names: readonly string[] }) => {
  const of = (wanted: SourceState['state']): readonly string[] =>
    names.filter((name) => states[name]?.state === wanted);
  const [different, failed, equal] = [of('different'), of('failed'), of('equal')];
  if (different.length > 0)
    return (
      <Notice
        tone="bad"
        title={`${different.join(', ')}: the hash does not match the one this service reports`}
      >
        The service does not serve the code it says it runs. Sign nothing from it until you know why.
      </Notice>
    );
  if (failed.length > 0)
    return (
      <Notice tone="warn" title={`${failed.length} of ${names.length} files could not be checked`}>
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
    <Notice tone="good" title={`${equal.length} of ${names.length} hashes recomputed here, all match`}>
      This shows consistency, not honesty.
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
    // Sequential, to show progress and to respect the rate limit.
    for (const name of names) {
      set(name, { state: 'running' });
      set(name, await checkSource(name, data.sourceHashes.files[name]!, surroundings));
    }
    setBusy(false);
  };
  return (
    <div className={shared.stack}>
      <ul className={styles.files}>
        {names.map((name) => (
          <li key={name} data-file={name} data-state={states[name]?.state ?? 'idle'}>
            <a href={`/api/v1/verify/source/${name}`}>{name}</a>
            <code title={data.sourceHashes.files[name]}>{data.sourceHashes.files[name]}</code>
            <span className={styles.state}>
              {data.changedOnDisk[name] === true && <Pill tone="warn">Changed on disk</Pill>}
              <StatePill state={states[name] ?? { state: 'idle' }} />
            </span>
          </li>
        ))}
      </ul>
      {changed.length > 0 && (
        <Notice tone="warn" title={`Changed on disk since the service started: ${changed.join(', ')}`}>
          The service still runs the older code, whose hash is shown above. It runs the new code after the
          next start.
        </Notice>
      )}
      <div className={styles.actions}>
        <Button icon="shield" busy={isBusy} disabled={surroundings === null} onClick={() => void check()}>
          Recompute in this browser
        </Button>
        {surroundings === null && (
          <p className={shared.muted}>
            Browsers hash only on pages from localhost or over HTTPS. Use sha256sum instead.
          </p>
        )}
      </div>
      <Outcome states={states} names={names} />
    </div>
  );
};

/** States first what the check is worth. */
export const SourceCard = () => {
  const code = useCodeIntegrity();
  const { data } = code;
  return (
    <Card title="Source code" note="No build step: the service runs the source files themselves">
      <div className={shared.stack}>
        <Notice title="Self-reported">
          A dishonest service could show the same hashes. The proof is to check each transaction before
          signing, with the stand-alone verifier on your machine. This page runs the same check in your
          browser.
        </Notice>
        <LoadError resource={code} what="The source hashes" />
        {code.pending && <SkeletonText lines={7} what="Loading the source hashes" />}
        {data !== undefined && (
          <>
            <Files data={data} />
            <details className={shared.details}>
              <summary>Commit, tree and verification</summary>
              <Rows>
                <Row label="Commit">
                  {data.gitCommit === null ? 'Not known' : <Address address={data.gitCommit} what="commit" />}
                  {data.dirty === true && ' with local changes'}
                </Row>
                <Row label="SHA-256 of the tree">
                  <Address address={data.treeSha256} what="hash of the tree" />
                </Row>
                {data.packages.map(({ file, url, sha256 }) => (
                  <Row key={file} label={<a href={url}>{file}</a>}>
                    <Address address={sha256} what={`SHA-256 of ${file}`} />
                  </Row>
                ))}
                <Row label="Memo of every transaction">{data.memoProgram.expectedMemo}</Row>
              </Rows>
              <ol className={styles.steps}>
                {data.verificationSteps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            </details>
          </>
        )}
      </div>
    </Card>
  );
};

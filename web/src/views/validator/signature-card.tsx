// Shows what the chain reports about any transaction, by signature.
import { useState } from 'react';
import type { VerifyTransactionAnswer } from '../../../../client/generated/verification-operations.ts';
import { SIGNATURE_PATTERN } from '../../../../src/kernel/base58.ts';
import { type DescribedError, describeError } from '../../api/describe-error.ts';
import { api } from '../../api/holdfast.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { count, timeText } from '../../text/format-figures.ts';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import styles from './validator-view.module.css';
import { Warnings } from './warnings.tsx';

const SIGNATURE = new RegExp(SIGNATURE_PATTERN);

const answerWord = (holds: boolean | null): string =>
  holds === null ? 'Does not apply' : holds ? 'Yes' : 'No';

const Result = ({ data }: { data: VerifyTransactionAnswer }) => (
  <div className={styles.stack} data-verified={data.verified} data-succeeded={data.succeeded}>
    {data.verified ? (
      <Notice tone="good" title="It succeeded and carries this service’s memo">
        Anyone can write that memo. What counts is what the transaction does, shown below.
      </Notice>
    ) : (
      <Notice
        tone="warn"
        title={data.succeeded ? 'It succeeded without this service’s memo' : 'It failed on the chain'}
      >
        {data.memo === null
          ? 'It has no memo.'
          : data.memo === data.expectedMemo
            ? 'Its memo is this service’s.'
            : `Its memo: ${foreignText(data.memo)}`}
      </Notice>
    )}
    <Rows>
      <Row label="Delegates to this validator">{answerWord(data.checks.delegatesToValidator)}</Row>
      <Row label="Fee payer holds every authority">{answerWord(data.checks.authoritiesAreFeePayer)}</Row>
      <Row label="Does nothing else">{answerWord(data.checks.noOtherInstructions)}</Row>
      <Row label="Sent through this service">{answerWord(data.recordedHere)}</Row>
      <Row label="Status">
        {data.confirmationStatus}, slot {count(data.slot)}
        {data.blockTime !== null && `, ${timeText(data.blockTime)}`}
      </Row>
      <Row label="Signature">
        <Address address={data.signature} what="signature" href={data.explorerUrl} />
      </Row>
    </Rows>
    <div>
      <h3>What it does</h3>
      <ol className={styles.instructions}>
        {data.instructions.map(({ program, name, summary }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries may be equal, and their order never changes
          <li key={`${at} ${program} ${name}`}>
            <strong>
              {program}: {name}
            </strong>
            <span>{foreignText(summary)}</span>
          </li>
        ))}
      </ol>
    </div>
    <Warnings warnings={data.warnings} />
  </div>
);

/** Asks the service, which asks its node, and tells the user so. */
export const SignatureCard = () => {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<DescribedError>();
  const [data, setData] = useState<VerifyTransactionAnswer>();
  const check = async (): Promise<void> => {
    const signature = text.trim();
    setFailure(undefined);
    if (!SIGNATURE.test(signature)) {
      setProblem(
        'Not a signature. It has 87 or 88 letters and digits; copy it from a wallet or an explorer.',
      );
      return;
    }
    setBusy(true);
    setData(undefined);
    try {
      setData(await api.verifyTransaction({ signature }));
    } catch (error) {
      setFailure(describeError(error));
    }
    setBusy(false);
  };
  return (
    <Card title="Check a transaction" note="As seen by this service’s node">
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <TextField
          label="Signature"
          placeholder="Of any transaction"
          mono
          value={text}
          problem={problem}
          onChange={(next) => {
            setText(next);
            setProblem(undefined);
          }}
          action={
            <Button type="submit" busy={isBusy}>
              Check
            </Button>
          }
        />
        {failure !== undefined && (
          <Notice tone="warn" title={failure.title}>
            {failure.detail}
          </Notice>
        )}
        {data !== undefined && <Result data={data} />}
      </form>
    </Card>
  );
};

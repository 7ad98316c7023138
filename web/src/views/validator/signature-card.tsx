// Shows what the chain reports about any transaction, by signature.
import { useState } from 'react';
import type { VerifyTransactionAnswer } from '../../../../client/generated/verification-operations.ts';
import { SIGNATURE_PATTERN } from '../../../../src/kernel/base58.ts';
import { type DescribedError, describeError } from '../../api/describe-error.ts';
import { api } from '../../api/holdfast.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { count, timeText } from '../../text/format-figures.ts';
import { verifierText } from '../../text/notice-text.ts';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import styles from './validator-view.module.css';
import { Warnings } from './validator-warnings.tsx';

const { say } = defineWords('validator', validatorEnglish);

const SIGNATURE = new RegExp(SIGNATURE_PATTERN);

const yesOrNo = (holds: boolean | null): string =>
  say(holds === null ? 'doesNotApply' : holds ? 'yes' : 'no');

const Result = ({ data }: { data: VerifyTransactionAnswer }) => (
  <div className={styles.stack} data-verified={data.verified} data-succeeded={data.succeeded}>
    {data.verified ? (
      <Notice tone="good" title={say('succeededWithMemo')}>
        {say('anyoneWritesMemo')}
      </Notice>
    ) : (
      <Notice tone="warn" title={say(data.succeeded ? 'succeededWithoutMemo' : 'failedOnChain')}>
        {data.memo === null
          ? say('noMemo')
          : data.memo === data.expectedMemo
            ? say('memoIsOurs')
            : say('itsMemo', { memo: foreignText(data.memo) })}
      </Notice>
    )}
    <Rows>
      <Row label={say('delegatesHere')}>{yesOrNo(data.checks.delegatesToValidator)}</Row>
      <Row label={say('payerHoldsAuthorities')}>{yesOrNo(data.checks.authoritiesAreFeePayer)}</Row>
      <Row label={say('doesNothingElse')}>{yesOrNo(data.checks.noOtherInstructions)}</Row>
      <Row label={say('sentHere')}>{yesOrNo(data.recordedHere)}</Row>
      <Row label={say('status')}>
        {data.blockTime === null
          ? say('statusAt', { status: data.confirmationStatus, slot: count(data.slot) })
          : say('statusAtTime', {
              status: data.confirmationStatus,
              slot: count(data.slot),
              time: timeText(data.blockTime),
            })}
      </Row>
      <Row label={say('signature')}>
        <Address address={data.signature} what={say('signatureName')} href={data.explorerUrl} />
      </Row>
    </Rows>
    <div>
      <h3>{say('whatItDoes')}</h3>
      <ol className={styles.instructions}>
        {data.instructions.map(({ program, name, summarySentences }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries may be equal, and their order never changes
          <li key={`${at} ${program} ${name}`}>
            <strong>
              {program}: {name}
            </strong>
            <span>{foreignText(verifierText(summarySentences))}</span>
          </li>
        ))}
      </ol>
    </div>
    <Warnings notices={data.notices} />
  </div>
);

/** The data comes from the service's RPC node, and the card says so. */
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
      setProblem(say('notASignature'));
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
    <Card title={say('checkTransaction')} note={say('seenByNode')}>
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <TextField
          label={say('signature')}
          placeholder={say('ofAnyTransaction')}
          mono
          value={text}
          problem={problem}
          onChange={(next) => {
            setText(next);
            setProblem(undefined);
          }}
          action={
            <Button type="submit" busy={isBusy}>
              {say('check')}
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

// The validator's changes that concern its stakers, each with its date. Transactions are not known, because the
// service notices these changes by polling.
import type { ValidatorAlert } from '../../../../../client/generated/validator-operations.ts';
import { api } from '../../../api/holdfast.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { VALIDATOR_KEYS } from '../../../api/shared-reads.ts';
import { useResource } from '../../../api/use-resource.ts';
import { dateText } from '../../../text/format-figures.ts';
import { Pill } from '../../../ui/pill.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAlertsEnglish } from '../../../words/en/portfolio/alerts.ts';
import styles from './control-changes.module.css';
import { LEVEL_TONES, validatorChangeWords } from './new-alerts.ts';

const { say } = defineWords('portfolioAlerts', portfolioAlertsEnglish);

const REFRESH_MS = 30_000;

const columns = (): readonly Column<ValidatorAlert>[] => [
  {
    key: 'change',
    title: say('columnChange'),
    cell: (alert) => {
      const { title, body } = validatorChangeWords(alert);
      return (
        <>
          <Pill tone={LEVEL_TONES[alert.level]}>{title}</Pill>
          <p className={styles.why}>{body}</p>
        </>
      );
    },
  },
  {
    key: 'time',
    title: say('columnTime'),
    cell: ({ timestamp }) => <time dateTime={timestamp}>{dateText(timestamp)}</time>,
  },
];

const keyOf = ({ what, slot, to }: ValidatorAlert): string => `${what} ${slot} ${to}`;

export const ValidatorChanges = () => {
  const read = useResource(
    `${VALIDATOR_KEYS}alerts`,
    (signal) => api.validatorAlerts({}, { signal }),
    REFRESH_MS,
  );
  const { data, error } = read;
  return (
    <section className={styles.content} aria-labelledby="validator-changes-title">
      <h3 id="validator-changes-title">{say('validatorChanges')}</h3>
      {data === undefined ? (
        error === undefined ? (
          <SkeletonText lines={2} what={say('loadingValidatorChanges')} />
        ) : (
          <LoadError resource={read} what={say('theChanges')} />
        )
      ) : data.alerts.length > 0 ? (
        <div className={styles.list}>
          <Table caption={say('validatorChanges')} columns={columns()} rows={data.alerts} rowKey={keyOf} />
        </div>
      ) : (
        <p role="status">
          {data.watchedSinceEpoch === null
            ? say('notWatched')
            : say('noValidatorChanges', { epoch: data.watchedSinceEpoch })}
        </p>
      )}
    </section>
  );
};

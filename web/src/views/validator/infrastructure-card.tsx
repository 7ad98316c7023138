// The validator's machine as described by its operator.
import { LoadError } from '../../api/load-error.tsx';
import { countryName } from '../../text/country-name.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import { unknownText } from './format-known-figures.ts';
import styles from './validator-view.module.css';
import { useInfrastructure } from './validator-view-reads.ts';
import { Warnings } from './validator-warnings.tsx';

const { say } = defineWords('validator', validatorEnglish);

const placeOf = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(', ') || unknownText();

/** Shows the figures as the providers report them. Nothing verifies them. */
export const InfrastructureCard = () => {
  const infrastructure = useInfrastructure();
  const { data } = infrastructure;
  return (
    <Card title={say('infrastructure')} note={say('reportedByOperator')}>
      <LoadError resource={infrastructure} what={say('theInfrastructure')} />
      {infrastructure.pending && <SkeletonText lines={5} what={say('loadingInfrastructure')} />}
      {data !== undefined && (
        <div className={classNames(styles.stack, styles.specification)}>
          <Rows>
            <Row label={say('processor')}>{data.cpu ?? unknownText()}</Row>
            <Row label={say('memory')}>{data.memory ?? unknownText()}</Row>
            <Row label={say('storage')}>{data.storage ?? unknownText()}</Row>
            <Row label={say('network')}>{data.network ?? unknownText()}</Row>
            <Row label={say('software')}>{data.software ?? unknownText()}</Row>
            <Row label={say('dataCenter')}>
              {data.datacenter === null
                ? unknownText()
                : placeOf([
                    data.datacenter.name,
                    data.datacenter.city,
                    data.datacenter.country && countryName(data.datacenter.country),
                  ])}
            </Row>
            <Row label={say('standby')}>
              {data.redundancy === null || data.redundancy.standby === null
                ? unknownText()
                : say(data.redundancy.standby ? 'yes' : 'no')}
            </Row>
          </Rows>
          {data.redundancy?.description && <p className={styles.muted}>{data.redundancy.description}</p>}
          {data.datacenter !== null && data.datacenter.certifications.length > 0 && (
            <p className={styles.pills}>
              {data.datacenter.certifications.map((name) => (
                <Pill key={name}>{name}</Pill>
              ))}
            </p>
          )}
          <Warnings notices={data.notices} />
        </div>
      )}
    </Card>
  );
};
